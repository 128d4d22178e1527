export type { RollcallErrorCode } from '../client/error.ts'
export { RollcallError } from '../client/error.ts'
export type { Consumer, ConsumerOptions, DropReason, EventHandlers, HandlerContext, Outcome } from './consumer.ts'
export { createConsumer } from './consumer.ts'
export { DivergedError, SequenceGapError } from './consumer-errors.ts'
export type { ConsumerStore, Position, ResourceKey, ResourceMarks } from './consumer-store.ts'
export { memoryStore } from './consumer-store.ts'
export type { EventOf, NoticeOf, OperatorNotice, RollcallEvent, RollcallWebhook } from './event.ts'
export type {
  PostgresClient,
  PostgresPool,
  PostgresPoolClient,
  PostgresStore,
  PostgresStoreOptions,
} from './postgres-store.ts'
export { postgresStore } from './postgres-store.ts'
export type { FindSecret, FoundSecret, WebhookDirectory, WebhookSecret } from './secret.ts'
export type { VerifyOptions, WebhookHeaders } from './signature.ts'
export { WebhookVerificationError } from './signature.ts'
export type { SqliteDatabase, SqliteStore, SqliteStoreOptions } from './sqlite-store.ts'
export { sqliteStore } from './sqlite-store.ts'
export type { WebhookBody } from './verify.ts'
export { verifyWebhook, verifyWebhookBatch } from './verify.ts'
