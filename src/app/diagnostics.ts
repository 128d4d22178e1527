import { schedule } from '../concurrency/schedule.ts'
import type { Explain } from '../diagnostics/explain/explain.ts'
import { createExplain } from '../diagnostics/explain/explain.ts'
import type { Activity } from '../diagnostics/health/activity.ts'
import type { LoggedRequests } from '../diagnostics/requests/listing.ts'
import { createLoggedRequests } from '../diagnostics/requests/listing.ts'
import { createRequestPruning } from '../diagnostics/requests/pruning.ts'
import type { RequestRecorder } from '../diagnostics/requests/recorder.ts'
import { createRequestRecorder } from '../diagnostics/requests/recorder.ts'
import type { Timelines } from '../diagnostics/trace/timelines.ts'
import { createTimelines } from '../diagnostics/trace/timelines.ts'
import type { Traces } from '../diagnostics/trace/trace.ts'
import { createTraces } from '../diagnostics/trace/trace.ts'
import type { Core } from './core.ts'
import type { Settings } from './settings.ts'

export interface DiagnosticsOptions {
  readonly settings: Settings
  readonly observer: { requestsDropped(count: number): void }
  /** Whether events are also sent to a callback of the embedding process. */
  readonly onEvent?: unknown
  /** What was observed of the requests. */
  readonly activity: Pick<Activity, 'flush'>
  /** Writes the attempts to deliver that are still buffered. */
  readonly flushAttempts: () => Promise<void>
}

/** What explains to operators what happened: the log of SCIM requests and what is derived from it. */
export interface Diagnostics {
  /** What the routes and the library call. */
  readonly parts: {
    readonly requestLog: LoggedRequests
    readonly explain: Explain
    readonly traces: Traces
    readonly timelines: Timelines
    readonly recordRequest: RequestRecorder['record'] | undefined
  }
  start(): void
  /** Writes what is still buffered. */
  close(): Promise<void>
}

export function createDiagnostics(
  { store, directories, clock, log }: Core,
  { settings, observer, onEvent, activity, flushAttempts }: DiagnosticsOptions,
): Diagnostics {
  const [keepDays, keep] = [settings.SCIM_REQUEST_LOG_TTL, settings.SCIM_REQUEST_LOG_MAX]
  const recorder = createRequestRecorder({ store, keep, schedule, log, onDropped: observer.requestsDropped })
  const pruning = createRequestPruning({ store, keepDays, clock, schedule, log, random: Math.random })
  const flush = () => Promise.all([recorder.flush(), flushAttempts()])
  return {
    parts: {
      requestLog: createLoggedRequests({ store, directories, recorder }),
      explain: createExplain({
        ...{ store, clock, requestDays: keepDays, hasOnEvent: onEvent !== undefined },
        flush: () => Promise.all([flush(), activity.flush()]),
      }),
      traces: createTraces({ store, directoryOf: (id) => directories.get(id), flush }),
      timelines: createTimelines({ store, directories, flush }),
      recordRequest: keepDays === 0 ? undefined : recorder.record,
    },
    start: () => pruning.start(),
    async close() {
      await pruning.close()
      await recorder.close()
    },
  }
}
