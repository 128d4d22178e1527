import type { Schedule } from '../../concurrency/schedule.ts'
import { createSlots } from '../../concurrency/semaphore.ts'
import type { AuditWrite } from '../../directory/audit.ts'
import type { Directory } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { ExtdirStore, SyncRunBegun, SyncRunEnd } from '../store.ts'
import type { Pull } from './pull.ts'
import type { SyncProgress, SyncRun, SyncTrigger } from './run.ts'
import { SyncStopped } from './stop.ts'
import type { Tally } from './tally.ts'
import { createTally } from './tally.ts'

/** A process that is silent for so long loses its runs. */
export const silenceMs = 15_000
const renewMs = 3_000
const defaultConcurrency = 4

/** Hears of runs as they end, for metrics. */
export type OnRunEnd = (state: SyncRunEnd['state']) => void

/** Where runs say what an operator must know. */
export interface SyncLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface SyncRunnerParts {
  readonly store: Pick<
    ExtdirStore,
    'beginSyncRun' | 'resumeHeldRun' | 'renewSyncRuns' | 'recordSyncRun' | 'finishSyncRun'
  >
  readonly getDirectory: (id: string) => Promise<Directory | undefined>
  readonly pull: Pull
  /** A sentence for an error that is nobody's but ours to mend, or somebody's: the record of the run has it. */
  readonly failureOf: (error: unknown, directory: Directory) => Promise<string | undefined>
  /** Told of the events of each commit. */
  readonly onEvents: (directory: Directory) => void
  readonly onRunEnd: OnRunEnd
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly newId: () => string
  readonly schedule: Schedule
  readonly log: SyncLog
  readonly maxConcurrent?: number | undefined
}

/** What a run is begun with. */
export interface StartRequest {
  readonly directory: Directory
  readonly trigger: SyncTrigger
  /** The held run that is approved; a new one when left out. */
  readonly heldRunId?: string | undefined
  /** What the audit trail says of it, where somebody asked for this run. */
  readonly audit?: AuditWrite | undefined
  /** See `SyncRunRequest`. */
  readonly unlessSince?: number | undefined
  /** Awaited with the events of each commit. */
  readonly onEvents?: ((directory: Directory, events: readonly StoredEvent[]) => Promise<void>) | undefined
}

/** A run that has begun, and what it will be when it has ended; that never rejects. */
export type StartedRun =
  | { readonly outcome: 'begun'; readonly run: SyncRun; readonly ended: Promise<SyncRun> }
  | Exclude<SyncRunBegun, { outcome: 'begun' }>

/** Runs syncs in this process, a few at a time; each is the only one of its directory over all processes. */
export interface SyncRunner {
  start(request: StartRequest): Promise<StartedRun>
  /** Stops what runs; resolves when that is recorded. */
  close(): Promise<void>
}

interface ActiveRun {
  readonly run: SyncRun
  readonly tally: Tally
  readonly stop: AbortController
  recorded: SyncProgress
}

export function createSyncRunner(parts: SyncRunnerParts): SyncRunner {
  const { store, getDirectory, pull, failureOf, clock, newId, schedule, log } = parts
  const holder = newId()
  const slots = createSlots(parts.maxConcurrent ?? defaultConcurrency)
  const active = new Map<string, ActiveRun>()
  const ending = new Set<Promise<SyncRun>>()
  let cancelRenewal: (() => void) | undefined
  let closed = false

  async function start(request: StartRequest): Promise<StartedRun> {
    const { directory, trigger, heldRunId, unlessSince, audit } = request
    if (closed) throw new SyncStopped('The service is stopping.')
    const wanted = { directoryId: directory.id, trigger, holder, ttlMs: silenceMs, startedAt: clock(), unlessSince }
    const begun =
      heldRunId === undefined
        ? await store.beginSyncRun({ ...wanted, id: newId() }, audit)
        : await store.resumeHeldRun({ ...wanted, id: heldRunId }, audit)
    if (begun.outcome !== 'begun') return begun
    const { run } = begun
    const ended = execute(request, { run, tally: createTally(run), stop: new AbortController(), recorded: run })
    ending.add(ended)
    ended.finally(() => ending.delete(ended))
    cancelRenewal ??= schedule(renew, renewMs)
    return { outcome: 'begun', run, ended }
  }

  async function execute(request: StartRequest, one: ActiveRun): Promise<SyncRun> {
    active.set(one.run.id, one)
    if (closed) one.stop.abort(stopping())
    const end = await work(request, one)
    active.delete(one.run.id)
    return finish(one, { ...end, finishedAt: clock() })
  }

  async function work(request: StartRequest, one: ActiveRun): Promise<Omit<SyncRunEnd, 'finishedAt'>> {
    const { directory: before, heldRunId } = request
    try {
      const leave = await slots.take(one.stop.signal)
      try {
        const directory = await refreshed(one)
        const task = { directory, run: one.run, isApproved: heldRunId !== undefined, tally: one.tally }
        const { state, note } = await pull({
          ...task,
          signal: one.stop.signal,
          refreshed: () => refreshed(one),
          onEvents: (changed, events) => told(request, changed, events),
        })
        return { state, error: note }
      } finally {
        leave()
      }
    } catch (error) {
      return { state: 'failed', error: await sentenceOf(error, one, before) }
    }
  }

  async function told({ onEvents }: StartRequest, directory: Directory, events: readonly StoredEvent[]): Promise<void> {
    if (events.length === 0) return
    parts.onEvents(directory)
    await onEvents?.(directory, events)
  }

  /** The record is read before the run is: whoever takes the run over later has changed the record's revision. */
  async function refreshed({ run, tally }: ActiveRun): Promise<Directory> {
    const directory = await getDirectory(run.directoryId)
    if (directory === undefined) throw new SyncStopped('The directory was deleted.')
    if (directory.deactivated) throw new SyncStopped('The directory was deactivated.')
    if ((await store.recordSyncRun(run, holder, tally.progress())) === 'lost') throw lost()
    return directory
  }

  async function sentenceOf(error: unknown, { run }: ActiveRun, directory: Directory): Promise<string> {
    if (error instanceof SyncStopped) return error.message
    const where = { directoryId: run.directoryId, runId: run.id }
    try {
      const sentence = await failureOf(error, directory)
      if (sentence !== undefined) {
        log.warn({ ...where, reason: sentence }, 'a sync run failed')
        return sentence
      }
      log.error({ ...where, err: error }, 'a sync run failed')
    } catch (another) {
      log.error({ ...where, err: error, another }, 'a sync run failed, and that cannot be told')
    }
    return 'Something went wrong here; it is logged with the id of this run.'
  }

  async function finish({ run, tally }: ActiveRun, end: SyncRunEnd): Promise<SyncRun> {
    tally.enter('done')
    const progress = tally.progress()
    const where = { directoryId: run.directoryId, runId: run.id }
    let ended = end
    try {
      const outcome = await store.finishSyncRun(run, holder, progress, end)
      if (outcome === 'lost') {
        log.warn(where, 'a sync run was taken over by another process')
        ended = { ...end, state: 'failed', error: lost().message }
      } else log.info({ ...where, ...progress, state: end.state }, 'a sync run has ended')
    } catch (error) {
      log.error({ ...where, err: error }, 'the end of a sync run cannot be recorded')
    }
    parts.onRunEnd(ended.state)
    return { ...run, ...progress, ...ended }
  }

  async function renew(): Promise<void> {
    cancelRenewal = undefined
    try {
      await renewActive([...active.values()])
    } catch (error) {
      log.error({ err: error }, 'sync runs cannot be renewed; it tries again in three seconds')
    }
    if (active.size > 0) cancelRenewal ??= schedule(renew, renewMs)
  }

  async function renewActive(runs: readonly ActiveRun[]): Promise<void> {
    if (runs.length === 0) return
    const renewed = new Set(await store.renewSyncRuns(holder, silenceMs))
    for (const { run, stop } of runs) if (active.has(run.id) && !renewed.has(run.id)) stop.abort(lost())
    for (const one of runs) await recordChanged(one)
  }

  async function recordChanged(one: ActiveRun): Promise<void> {
    const progress = one.tally.progress()
    if (progress === one.recorded || !active.has(one.run.id)) return
    one.recorded = progress
    await store.recordSyncRun(one.run, holder, progress)
  }

  return {
    start,
    async close() {
      closed = true
      for (const { stop } of active.values()) stop.abort(stopping())
      await Promise.all(ending)
      cancelRenewal?.()
    },
  }
}

function lost(): SyncStopped {
  return new SyncStopped('This run was taken over by another process, as the one that had it was silent for too long.')
}

function stopping(): SyncStopped {
  return new SyncStopped('The process was stopped: the next run does what this one has left.')
}
