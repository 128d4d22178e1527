import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { createFairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { AuditWrite } from '../../directory/audit.ts'
import type { Directory } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { OperatorNotices } from '../../directory/operator-notice.ts'
import { noNotices } from '../../directory/operator-notice.ts'
import type { GoogleStore, SyncRun, SyncRunBegun, SyncRunEnd, SyncTrigger } from '../google-store.ts'
import type { ActiveRun } from './lease.ts'
import { createLeases, leaseMs, lostRun, stopReason } from './lease.ts'
import type { Pull } from './run.ts'
import { createTally, SyncStopped } from './run.ts'
import { noticeAfterRun } from './run-notice.ts'

const defaultConcurrency = 4

/** Called when a run ends, for metrics. */
export type OnRunEnd = (state: SyncRunEnd['state']) => void

export interface SyncLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface SyncRunnerParts {
  readonly store: Pick<
    GoogleStore,
    'beginSyncRun' | 'resumeHeldRun' | 'renewSyncRuns' | 'recordSyncRun' | 'finishSyncRun'
  >
  readonly getDirectory: (id: string) => Promise<Directory | undefined>
  readonly pull: Pull
  /** The message of an error to store with the run; undefined for an internal error, which is only logged. */
  readonly failureOf: (error: unknown, directory: Directory) => Promise<string | undefined>
  /** Called after each commit with events. */
  readonly onEvents: (directory: Directory) => void
  readonly onRunEnd: OnRunEnd
  /** Notified of runs that fail and of runs that hold deletions. */
  readonly notices?: OperatorNotices | undefined
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly newId: () => string
  readonly schedule: Schedule
  readonly log: SyncLog
  readonly maxConcurrent?: number | undefined
}

export interface StartRequest {
  readonly directory: Directory
  readonly trigger: SyncTrigger
  /** The held run that was approved; undefined for a new run. */
  readonly heldRunId?: string | undefined
  /** The audit entry, if a caller requested the run. */
  readonly audit?: AuditWrite | undefined
  /** See `SyncRunRequest`. */
  readonly unlessSince?: number | undefined
  /** Awaited with the events of each commit. */
  readonly onEvents?: ((directory: Directory, events: readonly StoredEvent[]) => Promise<void>) | undefined
}

/** A started run with the promise of its end, which never rejects; or the reason why none was started. */
export type StartedRun =
  | { readonly outcome: 'begun'; readonly run: SyncRun; readonly ended: Promise<SyncRun> }
  | Exclude<SyncRunBegun, { outcome: 'begun' }>

/**
 * Runs the syncs of this process, a few at a time; tenants take turns. A directory has at most one run in all
 * processes.
 */
export interface SyncRunner {
  start(request: StartRequest): Promise<StartedRun>
  /** Stops all runs; resolves when their ends are recorded. */
  close(): Promise<void>
}

interface Context extends SyncRunnerParts {
  readonly holder: string
  readonly semaphore: FairSemaphore
}

export function createSyncRunner(parts: SyncRunnerParts): SyncRunner {
  const context = {
    ...parts,
    holder: parts.newId(),
    semaphore: createFairSemaphore(parts.maxConcurrent ?? defaultConcurrency),
  }
  const leases = createLeases(context)
  const ending = new Set<Promise<SyncRun>>()
  let isClosed = false

  async function execute(request: StartRequest, active: ActiveRun): Promise<SyncRun> {
    leases.add(active)
    if (isClosed) active.stop.abort(stopping())
    const end = await pullWhenFree(context, request, active)
    leases.remove(active)
    return finish(context, active, request.directory, { ...end, finishedAt: parts.clock() })
  }

  return {
    async start(request) {
      if (isClosed) throw new SyncStopped('The service is stopping.')
      const begun = await begin(context, request)
      if (begun.outcome !== 'begun') return begun
      const { run } = begun
      const ended = execute(request, { run, tally: createTally(run), stop: new AbortController() })
      ending.add(ended)
      ended.finally(() => ending.delete(ended))
      return { outcome: 'begun', run, ended }
    },
    async close() {
      isClosed = true
      leases.stopAll(stopping())
      await Promise.all(ending)
      leases.close()
    },
  }
}

function begin({ store, holder, clock, newId }: Context, request: StartRequest): Promise<SyncRunBegun> {
  const { directory, trigger, heldRunId, unlessSince, audit } = request
  const wanted = { directoryId: directory.id, trigger, holder, ttlMs: leaseMs, startedAt: clock(), unlessSince }
  return heldRunId === undefined
    ? store.beginSyncRun({ ...wanted, id: newId() }, audit)
    : store.resumeHeldRun({ ...wanted, id: heldRunId }, audit)
}

async function pullWhenFree(
  context: Context,
  request: StartRequest,
  active: ActiveRun,
): Promise<Omit<SyncRunEnd, 'finishedAt'>> {
  const { run, tally, stop } = active
  try {
    const release = await context.semaphore.acquire(request.directory.tenant, stop.signal)
    try {
      const { state, note } = await context.pull({
        directory: await readDirectory(context, active),
        ...{ run, tally, signal: stop.signal, isApproved: request.heldRunId !== undefined },
        refreshed: () => readDirectory(context, active),
        onEvents: (directory, events) => notify(context, request, directory, events),
      })
      return { state, error: note }
    } finally {
      release()
    }
  } catch (error) {
    return { state: 'failed', error: await messageOf(context, error, run, request.directory) }
  }
}

async function notify(
  context: Context,
  { onEvents }: StartRequest,
  directory: Directory,
  events: readonly StoredEvent[],
): Promise<void> {
  if (events.length === 0) return
  context.onEvents(directory)
  await onEvents?.(directory, events)
}

/** Reads the directory before it checks the lease: a process that takes over the run has incremented the revision. */
async function readDirectory(context: Context, { run, tally }: ActiveRun): Promise<Directory> {
  const directory = await context.getDirectory(run.directoryId)
  const reason = stopReason(directory)
  if (directory === undefined || reason !== undefined) throw reason
  if ((await context.store.recordSyncRun(run, context.holder, tally.progress())) === 'lost') throw lostRun()
  return directory
}

async function messageOf(
  { failureOf, log }: Context,
  error: unknown,
  { directoryId, id: runId }: SyncRun,
  directory: Directory,
): Promise<string> {
  if (error instanceof SyncStopped) return error.message
  try {
    const message = await failureOf(error, directory)
    if (message !== undefined) {
      log.warn({ directoryId, runId, reason: message }, 'a sync run failed')
      return message
    }
    log.error({ directoryId, runId, err: error }, 'a sync run failed')
  } catch (another) {
    log.error({ directoryId, runId, err: error, another }, 'a sync run failed, and its reason could not be recorded')
  }
  return 'An internal error occurred: see the log for the id of this run.'
}

async function finish(
  context: Context,
  { run, tally, stop }: ActiveRun,
  directory: Directory,
  end: SyncRunEnd,
): Promise<SyncRun> {
  const { store, holder, log, notices = noNotices, onRunEnd } = context
  tally.enter('done')
  const progress = tally.progress()
  const ids = { directoryId: run.directoryId, runId: run.id }
  // The next run continues a stopped one.
  const draft = stop.signal.aborted ? undefined : noticeAfterRun(directory, { id: run.id, held: progress.held }, end)
  const notice = draft && notices.prepare(draft)
  let ended = end
  try {
    const outcome = await store.finishSyncRun(run, holder, progress, end, notice)
    if (outcome === 'lost') {
      log.warn(ids, 'a sync run was taken over by another process')
      ended = { ...end, state: 'failed', error: lostRun().message }
    } else {
      if (notice !== undefined) notices.committed()
      log.info({ ...ids, ...progress, state: end.state }, 'a sync run has ended')
    }
  } catch (error) {
    log.error({ ...ids, err: error }, 'the end of a sync run could not be recorded')
  }
  onRunEnd(ended.state)
  return { ...run, ...progress, ...ended }
}

function stopping(): SyncStopped {
  return new SyncStopped('The process was stopped: the next run continues.')
}
