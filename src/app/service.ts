import { createInTurn } from '../concurrency/keyed-mutex.ts'
import { schedule } from '../concurrency/schedule.ts'
import { createTimeSlices } from '../concurrency/time-slices.ts'
import type { ProcessReport } from '../delivery/batch-runs.ts'
import type { OnEvent } from '../delivery/callback-sender.ts'
import { createCallbackSender } from '../delivery/callback-sender.ts'
import type { DeliveryControl } from '../delivery/control.ts'
import { createDeliveryControl } from '../delivery/control.ts'
import { createEndpointClient } from '../delivery/endpoint/client.ts'
import { createEndpointSender } from '../delivery/endpoint/sender.ts'
import { newEndpointSecret } from '../delivery/endpoint/signature.ts'
import type { Feed, FeedOptions } from '../delivery/feed/feed.ts'
import { createFeed } from '../delivery/feed/feed.ts'
import type { LoggedDeliveries } from '../delivery/log/listing.ts'
import { createLoggedDeliveries } from '../delivery/log/listing.ts'
import { newOrderedId } from '../delivery/log/ordered-id.ts'
import { createLogPruning } from '../delivery/log/pruning.ts'
import { createRecorder } from '../delivery/log/recorder.ts'
import type { DeliveryLogger, DeliveryObserver } from '../delivery/observer.ts'
import type { ResyncControl } from '../delivery/resync/control.ts'
import { createResyncControl } from '../delivery/resync/control.ts'
import { createResyncRunner } from '../delivery/resync/runner.ts'
import { createRetention } from '../delivery/retention.ts'
import type { Scheduler, SchedulerOptions } from '../delivery/scheduler.ts'
import { createScheduler } from '../delivery/scheduler.ts'
import type { DeliveryTarget } from '../delivery/store.ts'
import { directoryUpdated } from '../delivery/stream-changes.ts'
import type { DirectoryAccess } from '../directory/access.ts'
import { createDirectoryAccess } from '../directory/access.ts'
import type { Audited } from '../directory/audit.ts'
import type { Directories } from '../directory/directories.ts'
import { createDirectories } from '../directory/directories.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryView } from '../directory/directory-view.ts'
import { directoryView, scimPath } from '../directory/directory-view.ts'
import { newId } from '../directory/new-id.ts'
import type { Reads } from '../directory/reads.ts'
import { createReads } from '../directory/reads.ts'
import { errorResponseOf } from '../error-response.ts'
import type { Authorization } from '../google/authorization/authorization.ts'
import type { ExtdirOptions } from '../google/options.ts'
import { createPulledDirectories } from '../google/pulled-directories.ts'
import type { OnRunEnd, SyncLog } from '../google/sync/runner.ts'
import type { SyncRuns } from '../google/sync/sync-runs.ts'
import type { ScimParts } from '../provisioning/answer.ts'
import { answerScim } from '../provisioning/answer.ts'
import { answerBulk } from '../provisioning/bulk/answer-bulk.ts'
import type { ScimRequest, ScimResponse } from '../provisioning/request.ts'
import type { Store } from '../store/store.ts'
import { version } from '../version.ts'

/** Hears of what the service does, for metrics. */
export interface ServiceObserver extends DeliveryObserver {
  /** Members that a request named and that nobody in its directory is. */
  membersSkipped(count: number): void
  /** A run of a pulled directory has ended in this process. */
  readonly syncRunEnded: OnRunEnd
}

/** Hears what an operator must know; a pino logger is one. */
export type ServiceLog = DeliveryLogger & SyncLog

export interface ServiceOptions {
  readonly store: Store
  /** Where others reach the service, without a slash at the end; asked when it is needed, once the port is known. */
  readonly externalUrl: () => string
  readonly webhook: {
    readonly timeoutMs: number
    readonly blockPrivate: boolean
    readonly olderSignatureHeader: string | undefined
    /** How many events go out at a time, and how often, in milliseconds; undefined to send each as it comes. */
    readonly batch?: SchedulerOptions['batch']
  }
  /** Takes every event of every directory as an endpoint does: in order, again until it does not throw. */
  readonly onEvent?: OnEvent | undefined
  /** How long events are kept. */
  readonly eventRetentionDays: number
  /** How long the delivery log keeps a delivery; 7 days when left out. */
  readonly deliveryLogDays?: number | undefined
  /** The times of the feed and how many may follow it, where they are not the usual ones. */
  readonly feed?: Pick<FeedOptions, 'timing' | 'maxStreams'> | undefined
  /** Writes the audit trail. */
  readonly audited: Audited
  /** How pulled directories reach Google. */
  readonly extdir?: ExtdirOptions | undefined
  readonly log: ServiceLog
  readonly observer: ServiceObserver
}

/** The body of a bulk request, as parsed JSON, and its id. */
export type BulkInput = Pick<ScimRequest, 'body' | 'requestId'>

/** Every part of the service, put together; the library and the HTTP routes are skins over this. */
export interface Service {
  readonly store: Store
  readonly externalUrl: () => string
  readonly directories: Directories
  readonly access: DirectoryAccess
  readonly reads: Reads
  readonly feed: Feed
  readonly deliveryLog: LoggedDeliveries
  readonly resyncs: ResyncControl
  readonly authorization: Authorization
  readonly syncRuns: SyncRuns
  /** See `answerScim`. */
  scim(
    directoryId: string,
    secret: string | undefined,
    request: ScimRequest,
    authorized?: Directory,
  ): Promise<ScimResponse>
  /** Answers a bulk request to a directory that the caller was let in to; see `answerBulk`. */
  scimBulk(directory: Directory, secret: string | undefined, request: BulkInput): Promise<ScimResponse>
  answerDirectory(directory: Directory): DirectoryView
  readonly delivery: DeliveryControl
  /** Sends the events that are due to their endpoints, and says what came of it; undefined while that is under way. */
  processEvents(): Promise<ProcessReport | undefined>
  /** Says that a directory was changed, with these fields, and may take its events now. */
  retryDelivery(directoryId: string, fields: object): Promise<void>
  /** Starts the delivery of events. */
  start(): void
  /** Finishes the deliveries in flight, then closes the store. */
  close(): Promise<void>
}

/** Puts the service together over an open store. Call `start` for events to be delivered. */
export function createService(options: ServiceOptions): Service {
  const { store, externalUrl, webhook, onEvent, audited, log, observer } = options
  const clock = Date.now
  const access = createDirectoryAccess(store, clock)
  const directories = createDirectories({ store, access, audited, clock, newId, newEndpointSecret })
  const client = createEndpointClient(webhook)
  const common = { store, clock, log, observer } satisfies Partial<SchedulerOptions>
  const { olderSignatureHeader } = webhook
  const recorder = createRecorder({ store, newId: newOrderedId, clock, schedule, log })
  const isBatched = webhook.batch !== undefined
  const toEndpoint = createEndpointSender({ client, clock, version, olderSignatureHeader, isBatched, recorder })
  const endpoints = createScheduler({ ...common, target: 'endpoint', send: toEndpoint, batch: webhook.batch })
  const callbacks = onEvent && createScheduler({ ...common, target: 'on-event', send: createCallbackSender(onEvent) })
  const dispatchers: readonly Scheduler[] = callbacks === undefined ? [endpoints] : [endpoints, callbacks]

  const retention = createRetention({
    ...{ store, clock, schedule, log },
    ...{ days: options.eventRetentionDays, hasOnEvent: onEvent !== undefined },
  })
  const pruning = createLogPruning({
    ...{ store, clock, schedule, log },
    ...{ keepDays: options.deliveryLogDays ?? 7, random: Math.random },
  })
  const feed = createFeed({ store, clock, schedule, log, ...options.feed })

  const onCommit: ScimParts['onCommit'] = (directory) => {
    const { id, endpoint } = directory
    if (endpoint !== undefined) endpoints.wake(id)
    callbacks?.wake(id)
    feed.notify(directory)
  }
  const onSkippedMembers: ScimParts['onSkippedMembers'] = ({ count, ...where }) => {
    observer.membersSkipped(count)
    log.warn({ ...where, count }, 'members were skipped: nobody in the directory has these ids')
  }
  const targets: readonly DeliveryTarget[] = callbacks === undefined ? ['endpoint'] : ['endpoint', 'on-event']
  const resyncRunner = createResyncRunner({ store, targets, onStep: onCommit, clock, log })
  const onBegin = (directory: Directory) => {
    onCommit(directory)
    resyncRunner.wake(directory.id)
  }
  const inTurn = createInTurn()
  const scimParts = {
    ...{ store, newId, access, clock, externalUrl },
    ...{ inTurn, slices: createTimeSlices(), onCommit, onSkippedMembers },
  }
  const pulled = createPulledDirectories({
    ...{ store, directories, inTurn, audited, externalUrl, clock, newId, schedule, onCommit, log },
    options: options.extdir ?? {},
    messageOf: (error) => errorResponseOf(error)?.message,
    onRunEnd: observer.syncRunEnded,
  })

  return {
    store,
    externalUrl,
    directories,
    access,
    reads: createReads(store, directories),
    feed,
    deliveryLog: createLoggedDeliveries({ store, directories, audited, clock, recorder }),
    resyncs: createResyncControl({ store, directories, audited, clock, newId, onBegin }),
    authorization: pulled.authorization,
    syncRuns: pulled.syncRuns,
    scim: (directoryId, secret, request, authorized) => answerScim(scimParts, directoryId, secret, request, authorized),
    scimBulk: (directory, secret, request) =>
      answerBulk(
        {
          run: (one) => answerScim(scimParts, directory.id, secret, one, directory),
          refusalOf: errorResponseOf,
          onError: (error, requestId) => log.error({ requestId, err: error }, 'an operation of a bulk request failed'),
        },
        { ...request, scimUrl: `${externalUrl()}${scimPath(directory.id)}` },
      ),
    answerDirectory: (directory) => directoryView(directory, externalUrl()),
    delivery: createDeliveryControl({
      ...{ store, directories, audited, clock, newId, send: toEndpoint },
      onChange: (directoryId) => endpoints.retry(directoryId),
    }),
    processEvents: endpoints.processDue,
    async retryDelivery(directoryId, fields) {
      const change = directoryUpdated('webhook_url' in fields)
      for (const target of targets) await store.changeStream(directoryId, target, change)
      for (const dispatcher of dispatchers) dispatcher.retry(directoryId)
    },
    start() {
      for (const dispatcher of dispatchers) dispatcher.start()
      retention.start()
      pruning.start()
      resyncRunner.start()
      pulled.start()
    },
    async close() {
      feed.close()
      await pulled.close()
      const inBackground = [resyncRunner, retention, pruning, ...dispatchers]
      await Promise.all(inBackground.map((work) => work.close()))
      await recorder.close()
      await client.close()
      await store.close()
    },
  }
}
