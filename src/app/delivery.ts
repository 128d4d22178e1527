import { schedule } from '../concurrency/schedule.ts'
import type { ProcessReport } from '../delivery/batch-runs.ts'
import type { OnEvent } from '../delivery/callback-sender.ts'
import { createCallbackSender } from '../delivery/callback-sender.ts'
import type { DeliveryControl } from '../delivery/control.ts'
import { createDeliveryControl } from '../delivery/control.ts'
import { createEndpointClient } from '../delivery/endpoint/client.ts'
import { createEndpointSender } from '../delivery/endpoint/sender.ts'
import { createAcknowledge } from '../delivery/feed/acknowledge.ts'
import type { Feed, FeedOptions } from '../delivery/feed/feed.ts'
import { createFeed } from '../delivery/feed/feed.ts'
import type { StreamLimits } from '../delivery/feed/stream-limits.ts'
import type { HoldControl } from '../delivery/hold/control.ts'
import { createHoldControl } from '../delivery/hold/control.ts'
import type { PulledHolds } from '../delivery/hold/pulled.ts'
import { createHoldWatch } from '../delivery/hold/watch.ts'
import type { AttemptRecorder } from '../delivery/log/attempts.ts'
import { createAttemptRecorder } from '../delivery/log/attempts.ts'
import type { LoggedDeliveries } from '../delivery/log/listing.ts'
import { createLoggedDeliveries } from '../delivery/log/listing.ts'
import { createLogPruning } from '../delivery/log/pruning.ts'
import { createRecorder } from '../delivery/log/recorder.ts'
import type { DeliveryObserver } from '../delivery/observer.ts'
import { directoryUpdated } from '../delivery/policy.ts'
import type { ResyncControl } from '../delivery/resync/control.ts'
import { createResyncControl } from '../delivery/resync/control.ts'
import { createResyncRunner } from '../delivery/resync/runner.ts'
import { createRetention } from '../delivery/retention.ts'
import { createScheduler } from '../delivery/scheduler.ts'
import type { DeliveryTarget } from '../delivery/store.ts'
import type { Directory } from '../directory/directory.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { version } from '../version.ts'
import type { Core } from './core.ts'
import type { Settings } from './settings.ts'

/** Everything between a committed event and the product that consumes it. */
export interface DeliveryParts {
  readonly feed: Feed
  readonly deliveryLog: LoggedDeliveries
  readonly resyncs: ResyncControl
  readonly holds: HoldControl
  readonly delivery: DeliveryControl
  /** Delivers the events that are due to their endpoints; undefined while another call is doing so. */
  processEvents(): Promise<ProcessReport | undefined>
  /** Retries a directory's events immediately, after a change of these fields of the directory. */
  retryDelivery(directoryId: string, fields: object): Promise<void>
  /** Writes the attempts that are still buffered. */
  flushAttempts(): Promise<void>
  /** Called after a commit that made events in the directory. */
  onCommit(directory: Directory): void
  start(): void
  /** Finishes the deliveries in flight. */
  close(): Promise<void>
}

export interface DeliveryOptions {
  readonly settings: Settings
  /** A secret of the service, from which the key of the feed's cursors is derived. */
  readonly secret: string
  /** Called when the feed of a directory without an endpoint is read, about once an hour. */
  readonly onFeedRead: (directoryId: string) => void
  /** Receives every event of every directory in order; an event is repeated until this does not throw. */
  readonly onEvent?: OnEvent | undefined
  /** Overrides the timing of feed streams. */
  readonly feed?: Pick<FeedOptions, 'timing'> | undefined
  readonly observer: DeliveryObserver
  readonly tracing?: Tracing | undefined
  /** The holds of pulled directories; called when one is asked for. */
  readonly pulledHolds: () => PulledHolds | undefined
}

export function createDelivery(core: Core, options: DeliveryOptions): DeliveryParts {
  const { store, directories, audited, clock, newId, log, slices } = core
  const background = { store, clock, schedule, log }
  const recorder = createRecorder({ ...background, newId })
  const { observer, onFeedRead: onReader } = options
  const acknowledge = createAcknowledge({ store, clock, log, observer, onReader })
  const attempts = createAttemptRecorder(background)
  const senders = createSenders(core, options, recorder, attempts)
  const feed = createFeed({
    ...background,
    ...options.feed,
    slices,
    secret: options.secret,
    streamLimits: streamLimits(options.settings),
    onRead: options.onEvent === undefined ? acknowledge : undefined,
  })

  function onCommit(directory: Directory): void {
    senders.wake(directory)
    feed.notify(directory)
  }

  const resyncRunner = createResyncRunner({ store, targets: senders.targets, onStep: onCommit, clock, log })
  const holdWatch = createHoldWatch({ ...background, notices: core.notices })
  const workers = [resyncRunner, holdWatch, ...createPruning(core, options)]
  const onResync = (directory: Directory) => {
    onCommit(directory)
    resyncRunner.wake(directory.id, directory.tenant)
  }

  return {
    feed,
    deliveryLog: createLoggedDeliveries({ store, directories, audited, clock, recorder }),
    resyncs: createResyncControl({ store, directories, audited, clock, newId, onBegin: onResync }),
    holds: createHoldControl({
      ...{ store, directories, audited, clock, newId, removalLimit: core.removalLimit, pulled: options.pulledHolds },
      onRelease: onCommit,
      onDiscard: onResync,
    }),
    delivery: createDeliveryControl({
      ...{ store, directories, audited, clock, newId, send: senders.toEndpoint },
      onChange: ({ id, tenant }) => senders.endpoints.retry(id, tenant),
    }),
    processEvents: senders.endpoints.processDue,
    retryDelivery: senders.retry,
    flushAttempts: attempts.flush,
    onCommit,
    start() {
      senders.start()
      for (const worker of workers) worker.start()
    },
    async close() {
      await Promise.all([senders.close(), ...workers.map((worker) => worker.close())])
      await Promise.all([recorder.close(), attempts.close()])
      await senders.closeConnections()
    },
  }
}

/** The schedulers that send to endpoints and, if there is one, to `onEvent`. */
function createSenders(
  { store, clock, log, egress, notices }: Core,
  { settings, onEvent, observer, tracing }: DeliveryOptions,
  recorder: ReturnType<typeof createRecorder>,
  { recording }: AttemptRecorder,
) {
  const client = createEndpointClient({
    timeoutMs: settings.DSYNC_WEBHOOK_TIMEOUT,
    egress,
  })
  const batch = batchMode(settings)
  const olderSignatureHeader = settings.DSYNC_WEBHOOK_SIGNATURE_HEADER
  const isBatched = batch !== undefined
  const toEndpoint = createEndpointSender({
    client,
    clock,
    version,
    olderSignatureHeader,
    isBatched,
    recorder,
    tracing,
  })
  const common = { store, clock, log, observer, notices }
  const endpoints = createScheduler({ ...common, target: 'endpoint', send: recording(toEndpoint, 'endpoint'), batch })
  const toCallback = onEvent && recording(createCallbackSender(onEvent, tracing), 'on-event')
  const callbacks = toCallback && createScheduler({ ...common, target: 'on-event', send: toCallback })
  const schedulers = callbacks === undefined ? [endpoints] : [endpoints, callbacks]
  const targets: readonly DeliveryTarget[] = callbacks === undefined ? ['endpoint'] : ['endpoint', 'on-event']

  return {
    toEndpoint,
    endpoints,
    targets,
    wake({ id, tenant, endpoint }: Directory): void {
      if (endpoint !== undefined) endpoints.wake(id, tenant)
      callbacks?.wake(id, tenant)
    },
    async retry(directoryId: string, fields: object): Promise<void> {
      const change = directoryUpdated('webhook_url' in fields, clock())
      const tenant = (await store.getDirectory(directoryId))?.tenant
      for (const target of targets) await store.changeStream(directoryId, target, change)
      for (const scheduler of schedulers) scheduler.retry(directoryId, tenant)
    },
    start(): void {
      for (const scheduler of schedulers) scheduler.start()
    },
    close: () => Promise.all(schedulers.map((scheduler) => scheduler.close())),
    closeConnections: () => client.close(),
  }
}

/** What removes old events and old entries of the delivery log. */
function createPruning({ store, clock, log }: Core, { settings, onEvent }: DeliveryOptions) {
  const background = { store, clock, schedule, log }
  return [
    createRetention({ ...background, days: settings.EVENT_RETENTION_DAYS, hasOnEvent: onEvent !== undefined }),
    createLogPruning({ ...background, keepDays: settings.DSYNC_WEBHOOK_LOGS_TTL, random: Math.random }),
  ]
}

function streamLimits(settings: Settings): StreamLimits {
  return {
    total: settings.FEED_MAX_STREAMS,
    perCaller: settings.FEED_MAX_STREAMS_PER_KEY,
    perTenant: settings.FEED_MAX_STREAMS_PER_TENANT,
  }
}

/** Undefined unless batch mode is on. */
function batchMode({ DSYNC_WEBHOOK_BATCH_SIZE: size, DSYNC_WEBHOOK_BATCH_CRON_INTERVAL: seconds }: Settings) {
  return size > 0 ? { size, intervalMs: seconds > 0 ? seconds * 1000 : undefined } : undefined
}
