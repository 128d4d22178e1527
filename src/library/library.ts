import { randomUUID } from 'node:crypto'
import { openManagement } from '../admin/management.ts'
import type { Service, ServiceLog } from '../app/service.ts'
import { createService } from '../app/service.ts'
import { schedule } from '../concurrency/schedule.ts'
import type { ProcessReport } from '../delivery/batch-runs.ts'
import { batchMode } from '../delivery/batch-settings.ts'
import type { OnEvent } from '../delivery/callback-sender.ts'
import type { ReplayInput } from '../delivery/control.ts'
import type { DeliveryView } from '../delivery/log/answer.ts'
import type { DeliveryRows } from '../delivery/log/listing.ts'
import { silentLogger, silentObserver } from '../delivery/observer.ts'
import type { DirectoryEventPayload } from '../delivery/payload.ts'
import { eventObject } from '../delivery/payload.ts'
import { systemCaller } from '../directory/audit.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryView } from '../directory/directory-view.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { RowPage } from '../directory/listing.ts'
import { parseScope } from '../directory/listing.ts'
import { newId } from '../directory/new-id.ts'
import type { Listing } from '../directory/reads.ts'
import { isPage } from '../directory/reads.ts'
import { errorResponseOf } from '../error-response.ts'
import type { OnSyncEvents } from '../google/sync/sync-runs.ts'
import type { ScimRequest, ScimResponse } from '../provisioning/request.ts'
import { errorBody } from '../scim/errors.ts'
import type { JsonObject } from '../scim/json.ts'
import { openStore } from '../store/open.ts'

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
    /** How many events go out in one request, as a list; each goes by itself, as it comes, when it is left out or 0. */
    readonly batchSize?: number
    /** In batch mode, every how many seconds events are sent; only by `events.process` when it is left out or 0. */
    readonly batchInterval?: number
    /** How many days the delivery log keeps a delivery, 7 when left out. */
    readonly logsTtl?: number
  }
  /** How pulled directories (Google Workspace) are reached, and as whom. */
  readonly extdir?: {
    readonly clientId?: string
    readonly clientSecret?: string
    readonly authUrl?: string
    readonly tokenUrl?: string
    /** The root of Google's Directory API. */
    readonly apiUrl?: string
    /** How much of a directory a sync may delete, in percent; more waits for an approval. 30 when left out. */
    readonly maxDeletePercent?: number
    /** Every how many seconds each is synced; only by `sync` when it is left out or 0. */
    readonly cronInterval?: number
  }
  /** Takes every event in order, as an endpoint does: again until it does not throw, also after a restart. */
  readonly onEvent?: OnEvent
  /** How many days an event is kept; longer only while it is not delivered. 30 when left out. */
  readonly eventRetentionDays?: number
  /** How many days the audit trail is kept; 0, or left out: for ever. */
  readonly auditRetentionDays?: number
  /** Hears what an operator must know; a pino logger is one. */
  readonly log?: ServiceLog
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

/** Which directory's endpoint gets a new secret; the API's fields beside the id. */
interface RotateWebhookSecret {
  readonly id: string
  readonly grace_seconds?: number
  readonly webhook_secret?: string
}

/** Where a feed is read, and how much of it, in the API's field names. */
export interface FeedQuery extends Pick<ListQuery, 'tenant' | 'product' | 'directoryId'> {
  /**
   * The `next` of the answer before, or, with `directoryId`, the sequence of the last event that you have; the feed starts
   * with the first event that is kept when left out.
   */
  readonly after?: string | number
  /** 1 to 1000; 100 when left out. */
  readonly limit?: number
}

/** Events, and the cursor behind them: the same place when there is nothing new. */
export type FeedAnswer =
  | { readonly data: DirectoryEventPayload[]; readonly next: string; readonly error: null }
  | { readonly data: null; readonly error: RollcallError }

/** The tokens of a pulled directory; the times are Unix milliseconds. */
interface SetToken {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiryDate?: number
  readonly scope?: string
}

type OneDirectory = Required<Pick<ListQuery, 'directoryId'>>
type OneQuery = Pick<ListQuery, 'tenant' | 'product' | 'directoryId'> & { readonly id: string }

/** Whoever uses the library is the service itself. */
const caller = systemCaller('library')

/** Rollcall inside the product's own process. */
export type Rollcall = Awaited<ReturnType<typeof createRollcall>>

/**
 * Opens the database and starts the delivery of events, without any HTTP server. Inputs are one object in the API's field
 * names; a call answers `{data, error}` and does not throw for what the caller did.
 *
 * @throws Error when the database cannot be opened
 */
export async function createRollcall(options: RollcallOptions) {
  const { service, management } = await openService(options)
  const { directories, reads } = service
  const answer = (directory: Directory): DirectoryView => service.answerDirectory(directory)
  service.start()
  management.start()

  return {
    directories: {
      create: (input: object) => result(async () => answer(await directories.create(input, caller))),
      get: ({ id }: { readonly id: string }) => result(async () => answer(await directories.get(id))),
      list: (query: Pick<ListQuery, 'tenant' | 'product' | 'directoryId'>) =>
        result(async () => (await Array.fromAsync(directories.all(parseScope(query)))).map(answer)),
      update: ({ id, ...changes }: { readonly id: string } & object) =>
        result(async () => {
          const directory = await directories.update(id, changes, caller)
          await service.retryDelivery(id, changes)
          return answer(directory)
        }),
      delete: ({ id }: { readonly id: string }) =>
        result(async () => {
          await directories.delete(id, caller)
          return {}
        }),
      /** Tells all that the directory holds, in the background; while that runs, every further call answers the same. */
      resync: ({ id }: { readonly id: string }) => result(() => service.resyncs.begin(id, randomUUID(), caller)),
      /** How the last resync goes, or went. */
      lastResync: ({ id }: { readonly id: string }) => result(() => service.resyncs.last(id)),
      rotateSecret: ({ id, ...input }: { readonly id: string; readonly grace_seconds?: number }) =>
        result(async () => answer(await directories.rotateSecret(id, input, caller))),
      rotateWebhookSecret: ({ id, ...input }: RotateWebhookSecret) =>
        result(async () => {
          const directory = await directories.rotateWebhookSecret(id, input, caller)
          await service.retryDelivery(id, {})
          return answer(directory)
        }),
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
    events: {
      /** The events that come next, of all directories of the scope; per directory in order and without gaps. */
      feed: (query: FeedQuery) => feed(service, query),
      /** Sends the events that are due, and says what came of it. */
      process: () => result(async () => processed(await service.processEvents())),
      /** How the delivery of a directory's events goes. */
      status: ({ directoryId }: OneDirectory) => result(() => service.delivery.status(directoryId)),
      /** Sends nothing more until `resume`. */
      pause: ({ directoryId }: OneDirectory) => result(() => service.delivery.pause(directoryId, caller)),
      /** Goes on where the delivery stopped. */
      resume: ({ directoryId }: OneDirectory) => result(() => service.delivery.resume(directoryId, caller)),
      /** Sends one event once more (`sequence`), or all from a place (`from_sequence`) or a time (`since`) on. */
      replay: ({ directoryId, ...input }: OneDirectory & ReplayInput) =>
        result(() => service.delivery.replay(directoryId, input, caller)),
      /** The events that the endpoint refused for good, behind a sequence number. */
      dead: ({ directoryId, ...query }: OneDirectory & { readonly after?: number; readonly limit?: number }) =>
        result(async () => (await service.delivery.deadEvents(directoryId, query)).rows),
      /** Tries the endpoint with a test event. */
      test: ({ directoryId }: OneDirectory) => result(() => service.delivery.sendTest(directoryId)),
      /** The deliveries of directories that log them, newest first. */
      list: (query: ListQuery) => list<DeliveryView>(async () => pageOf(await service.deliveryLog.list(query))),
      /** One delivery. */
      get: ({ id, ...scope }: OneQuery) => one<DeliveryView>(() => service.deliveryLog.get(id, scope)),
      /** Empties the delivery log of a directory. */
      delete: (query: Required<Pick<ListQuery, 'directoryId'>>) =>
        result(async () => {
          await service.deliveryLog.delete(query, caller)
          return {}
        }),
    },
    requests: {
      /**
       * Answers a SCIM request for users or groups. The callback is awaited once per event, in order, after the commit;
       * what it throws is thrown on, the change stays.
       */
      handle: (request: HandleRequest, callback?: OnEvent) => handle(service, request, callback),
    },
    /** Connects pulled directories with their Google Workspace. */
    extdir: {
      /** Where an administrator of the customer consents; they come back to this service's own route. */
      generateAuthorizationUrl: (input: OneDirectory) =>
        result(() => service.authorization.generateAuthorizationUrl(input)),
      /** What the code is worth that Google sent the administrator back with; with its state, where you have it. */
      getAccessToken: (input: OneDirectory & { readonly code: string; readonly state?: string }) =>
        result(() => service.authorization.getAccessToken(input)),
      /** Stores the tokens of a directory. */
      setToken: (input: OneDirectory & SetToken) =>
        result(async () => answer(await service.authorization.setToken(input, caller))),
      /** Pulls one directory, and says what came of it; see `sync`. */
      sync: ({ directoryId }: OneDirectory, callback?: OnEvent) =>
        result(async () => (await service.syncRuns.start(directoryId, 'library', caller, eventsTo(callback))).ended),
      /** The runs of a directory, newest first. */
      runs: ({ directoryId, ...query }: OneDirectory & Pick<ListQuery, 'pageOffset' | 'pageLimit' | 'pageToken'>) =>
        result(async () => (await service.syncRuns.list(directoryId, query)).rows),
      /** Lets a held run delete what it holds, and says what came of it. */
      approve: ({ directoryId, run }: OneDirectory & { readonly run: string }) =>
        result(async () => (await service.syncRuns.approve(directoryId, run, 'library', caller)).ended),
    },
    /**
     * Pulls every directory that is pulled, and says what came of each run. The callback is awaited with each event, one
     * after another and in order for each user and group, after the commit; when it throws, that directory's run fails,
     * and its next one goes on.
     */
    sync: (callback?: OnEvent) => result(() => syncAll(service, callback)),
    /** Finishes the deliveries in flight, then closes the database. */
    async close() {
      await management.close()
      await service.close()
    },
  }
}

async function syncAll({ syncRuns }: Service, callback: OnEvent | undefined) {
  const { started, skipped } = await syncRuns.startAll({ trigger: 'library', onEvents: eventsTo(callback) })
  return { runs: await Promise.all(started.map(({ ended }) => ended)), skipped }
}

function eventsTo(callback: OnEvent | undefined): OnSyncEvents | undefined {
  if (callback === undefined) return undefined
  let turn = Promise.resolve()
  return (directory, events) => {
    const mine = turn.then(async () => {
      for (const event of events) await callback(eventObject(event, directory))
    })
    turn = mine.catch(() => {})
    return mine
  }
}

/** @throws DirectoryError `already-running` */
function processed(report: ProcessReport | undefined): ProcessReport {
  if (report !== undefined) return report
  throw new DirectoryError('already-running', 'Events are being processed already: nothing was done.')
}

const silent: ServiceLog = { ...silentLogger, info: () => {} }

async function openService(options: RollcallOptions) {
  const { databaseUrl = 'sqlite:./data/rollcall.db', encryptionKey, webhook = {}, log = silent } = options
  const { cronInterval = 0, ...extdir } = options.extdir ?? {}
  const store = await openStore({
    databaseUrl,
    encryptionKey,
    poolSize: options.databasePoolSize ?? 10,
    onBackgroundError: (error) => log.error({ err: error }, 'work in the background failed'),
  })
  const management = await openManagement({
    ...{ store, rootToken: undefined, apiKeys: [], auditRetentionDays: options.auditRetentionDays ?? 0 },
    ...{ newId, clock: Date.now, schedule, log },
  })
  const externalUrl = options.externalUrl.replace(/\/+$/, '')
  const service = createService({
    store,
    audited: management.audit.audited,
    externalUrl: () => externalUrl,
    webhook: {
      timeoutMs: webhook.timeoutMs ?? 15_000,
      blockPrivate: webhook.blockPrivate ?? false,
      olderSignatureHeader: webhook.signatureHeader,
      batch: batchMode(webhook.batchSize, webhook.batchInterval),
    },
    onEvent: options.onEvent,
    eventRetentionDays: options.eventRetentionDays ?? 30,
    deliveryLogDays: webhook.logsTtl,
    extdir: { ...extdir, intervalMs: cronInterval * 1000 },
    log,
    observer: { ...silentObserver, membersSkipped: () => {}, syncRunEnded: () => {} },
  })
  return { service, management }
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

async function parsedBody(body: ScimResponse['body']): Promise<unknown> {
  if (body === undefined) return null
  return JSON.parse(typeof body === 'string' ? body : await textOf(body))
}

/** Runs a call; a refusal becomes a value, any other error is thrown on. */
async function attempt<T>(call: () => Promise<T>) {
  try {
    return { value: await call() }
  } catch (error) {
    const refusal = errorResponseOf(error)
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

async function feed(service: Service, query: FeedQuery): Promise<FeedAnswer> {
  const outcome = await result(() => service.feed.page(query))
  if (outcome.error !== null) return outcome
  const { events, next } = outcome.data
  return { data: events.map(({ event, directory }) => eventObject(event, directory)), next, error: null }
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

async function pageOf(deliveries: DeliveryRows): Promise<RowPage<string>> {
  const rows: string[] = []
  let next = await deliveries.next()
  for (; next.done !== true; next = await deliveries.next()) rows.push(next.value)
  return { rows, pageToken: next.value }
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('')
}
