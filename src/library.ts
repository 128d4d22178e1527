import { randomUUID } from 'node:crypto'
import type { ScimAnswer, ScimRequest } from './directory/answer/request.ts'
import type { Directory } from './directory/directory.ts'
import type { DirectoryAnswer } from './directory/directory-answer.ts'
import { parseScope } from './directory/listing.ts'
import type { Listing } from './directory/reads.ts'
import { isPage } from './directory/reads.ts'
import type { OnEvent } from './events/deliver-to-callback.ts'
import type { DeliveryLog } from './events/observer.ts'
import { silentLog, silentObserver } from './events/observer.ts'
import { eventObject } from './events/payload.ts'
import { refusalOf } from './refusal.ts'
import { errorBody } from './scim/errors.ts'
import type { JsonObject } from './scim/json.ts'
import type { Service } from './service.ts'
import { createService } from './service.ts'
import { openStore } from './store/open.ts'

/** The settings of the embedded service; the same as those of the environment, where both have them. */
export interface RollcallOptions {
  /** `sqlite:./data/rollcall.db` when left out, or `postgres://…`. */
  readonly databaseUrl?: string
  /** Where identity providers reach the product's SCIM routes: `scim.endpoint` of a directory begins with it. */
  readonly externalUrl: string
  /** 32 bytes in base64 or hexadecimal; needed on PostgreSQL, made and kept beside the file on SQLite. */
  readonly encryptionKey?: string
  readonly databasePoolSize?: number
  readonly webhook?: {
    /** How long an endpoint may take to answer; 15 s when left out. */
    readonly timeoutMs?: number
    readonly blockPrivate?: boolean
    /** The name of a header that carries the signature in its older form as well. */
    readonly signatureHeader?: string
  }
  /** Takes every event in order, as an endpoint does: again until it does not throw, also after a restart. */
  readonly onEvent?: OnEvent
  /** Hears what an operator must know; a pino logger is one. */
  readonly log?: DeliveryLog
}

/** What went wrong, as the API says it. */
export interface RollcallError {
  readonly message: string
  /** The HTTP status that the API would answer with. */
  readonly code: number
}

/** The outcome of a call: data, or an error. */
export type Result<T> =
  | { readonly data: T; readonly error: null; readonly pageToken?: string }
  | { readonly data: null; readonly error: RollcallError }

/** A SCIM request as the product's own route received it. */
export interface HandleRequest {
  readonly method: ScimRequest['method']
  readonly body?: unknown
  readonly directoryId: string
  readonly resourceId?: string
  readonly resourceType: Exclude<ScimRequest['resourceType'], 'all'>
  /** The bearer token of the request. */
  readonly apiSecret: string | undefined
  readonly query?: Readonly<Record<string, unknown>>
  readonly ifMatch?: string
  readonly ifNoneMatch?: string
}

/** A user as the product reads it. */
export interface UserAnswer {
  readonly id: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly active: boolean
  readonly raw: JsonObject
}

/** A group as the product reads it. */
export interface GroupAnswer {
  readonly id: string
  readonly name: string
  readonly raw: JsonObject
}

/** The same with the users in it. */
export interface GroupWithMembersAnswer extends GroupAnswer {
  readonly members: readonly { readonly group_id: string; readonly user_id: string }[]
}

/** Which directories a call may see, and which part of a list it asks for, in the API's field names. */
export interface ListQuery {
  readonly tenant?: string
  readonly product?: string
  readonly directoryId?: string
  readonly pageOffset?: number
  readonly pageLimit?: number
  readonly pageToken?: string
}

type OneQuery = Pick<ListQuery, 'tenant' | 'product' | 'directoryId'> & { readonly id: string }

/** Rollcall inside the product's own process. */
export type Rollcall = Awaited<ReturnType<typeof createRollcall>>

/**
 * Opens the database and starts the delivery of events, without any HTTP server. Inputs are one object in the API's field
 * names; a call answers `{data, error}` and does not throw for what the caller did.
 *
 * @throws Error when the database cannot be opened
 */
export async function createRollcall(options: RollcallOptions) {
  const service = await openService(options)
  const { directories, reads } = service
  const answer = (directory: Directory): DirectoryAnswer => service.answerDirectory(directory)
  service.start()

  return {
    directories: {
      create: (input: object) => result(async () => answer(await directories.create(input))),
      get: ({ id }: { readonly id: string }) => result(async () => answer(await directories.get(id))),
      list: (query: Pick<ListQuery, 'tenant' | 'product' | 'directoryId'>) =>
        result(async () => (await Array.fromAsync(directories.all(parseScope(query)))).map(answer)),
      update: ({ id, ...changes }: { readonly id: string } & object) =>
        result(async () => {
          const directory = await directories.update(id, changes)
          service.retryDelivery(id)
          return answer(directory)
        }),
      delete: ({ id }: { readonly id: string }) =>
        result(async () => {
          await directories.delete(id)
          return {}
        }),
      rotateSecret: ({ id, ...input }: { readonly id: string; readonly grace_seconds?: number }) =>
        result(async () => answer(await directories.rotateSecret(id, input))),
    },
    users: {
      list: (query: ListQuery) => list<UserAnswer>(() => reads.users(query)),
      get: ({ id, ...scope }: OneQuery) => one<UserAnswer>(() => reads.user(id, scope)),
    },
    groups: {
      list: (query: ListQuery) => list<GroupAnswer>(() => reads.groups(query)),
      get: ({ id, ...scope }: OneQuery) => one<GroupWithMembersAnswer>(() => reads.group(id, scope)),
      members: ({ id, ...query }: ListQuery & { readonly id: string }) =>
        list<{ readonly user_id: string }>(() => reads.members(id, query)),
    },
    requests: {
      /**
       * Answers a SCIM request for users or groups. The callback is awaited once per event, in order, after the commit;
       * what it throws is thrown on, the change stays.
       */
      handle: (request: HandleRequest, callback?: OnEvent) => handle(service, request, callback),
    },
    /** Finishes the deliveries in flight, then closes the database. */
    close: () => service.close(),
  }
}

async function openService(options: RollcallOptions): Promise<Service> {
  const { databaseUrl = 'sqlite:./data/rollcall.db', encryptionKey, webhook = {}, log = silentLog } = options
  const store = await openStore({
    databaseUrl,
    encryptionKey,
    poolSize: options.databasePoolSize ?? 10,
    onBackgroundError: (error) => log.error({ err: error }, 'work in the background failed'),
  })
  const externalUrl = options.externalUrl.replace(/\/+$/, '')
  return createService({
    store,
    externalUrl: () => externalUrl,
    webhook: {
      timeoutMs: webhook.timeoutMs ?? 15_000,
      blockPrivate: webhook.blockPrivate ?? false,
      olderSignatureHeader: webhook.signatureHeader,
    },
    onEvent: options.onEvent,
    log,
    observer: { ...silentObserver, membersSkipped: () => {} },
  })
}

async function handle(
  service: Service,
  request: HandleRequest,
  callback: OnEvent | undefined,
): Promise<{ status: number; data: unknown }> {
  const { directoryId, apiSecret, resourceId, ifMatch, ifNoneMatch, body, query = {} } = request
  const { method, resourceType } = request
  const scimRequest = { method, resourceType, resourceId, isSearch: false, body, query, ifMatch, ifNoneMatch }
  const outcome = await attempt(async () => {
    const directory = await service.access.authorize(directoryId, apiSecret)
    const requestId = randomUUID()
    return { directory, ...(await service.scim(directoryId, apiSecret, { ...scimRequest, requestId }, directory)) }
  })
  if ('refusal' in outcome) return { status: outcome.refusal.status, data: errorBody(outcome.refusal) }
  const { directory, status, body: answered, events } = outcome.value
  for (const event of events) await callback?.(eventObject(event, directory))
  return { status, data: await parsedBody(answered) }
}

async function parsedBody(body: ScimAnswer['body']): Promise<unknown> {
  if (body === undefined) return null
  return JSON.parse(typeof body === 'string' ? body : await textOf(body))
}

/** Runs a call; a refusal becomes a value, any other error is thrown on. */
async function attempt<T>(call: () => Promise<T>) {
  try {
    return { value: await call() }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    return { refusal: { status: refusal.status, scimType: refusal.scimType, message: refusal.message } }
  }
}

async function result<T>(call: () => Promise<T>): Promise<Result<T>> {
  const outcome = await attempt(call)
  if ('value' in outcome) return { data: outcome.value, error: null }
  const { message, status } = outcome.refusal
  return { data: null, error: { message, code: status } }
}

async function one<T>(read: () => Promise<string | AsyncIterable<string>>): Promise<Result<T>> {
  return result(async () => {
    const text = await read()
    return JSON.parse(typeof text === 'string' ? text : await textOf(text)) as T
  })
}

async function list<T>(read: () => Promise<Listing>): Promise<Result<T[]>> {
  const outcome = await result(async () => {
    const listing = await read()
    return isPage(listing) ? listing : { rows: await Array.fromAsync(listing), pageToken: undefined }
  })
  if (outcome.error !== null) return outcome
  const { rows, pageToken } = outcome.data
  const data = rows.map((row) => JSON.parse(row) as T)
  return { data, error: null, ...(pageToken === undefined ? {} : { pageToken }) }
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('')
}
