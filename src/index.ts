export type { DirectoryAnswer } from './directory/directory-answer.ts'
export type { EventType } from './directory/event.ts'
export type { ResyncAnswer } from './directory/resync/resyncs.ts'
export type { OnEvent } from './events/deliver-to-callback.ts'
export type { DeliveryAnswer } from './events/delivery-log/answer.ts'
export type { DirectoryEventPayload } from './events/payload.ts'
export type {
  FeedAnswer,
  FeedQuery,
  GroupAnswer,
  GroupWithMembersAnswer,
  HandleRequest,
  ListQuery,
  Result,
  Rollcall,
  RollcallError,
  RollcallOptions,
  UserAnswer,
} from './library.ts'
export { createRollcall } from './library.ts'
