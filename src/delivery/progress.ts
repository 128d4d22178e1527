import type { Schedule } from '../concurrency/schedule.ts'
import type { DeliveredAt, EventStore, LeasedStream, StreamEffects, StreamState } from './event-store.ts'
import type { Leases } from './lease.ts'

/** While events are being sent, progress is written at least this often. */
const maxUnwrittenMs = 250

export interface ProgressOptions {
  readonly write: () => Promise<unknown>
  readonly schedule: Schedule
  readonly onError: (error: unknown) => void
}

/**
 * Delays the write of a stream's progress, so that not every event costs one. After a crash, unwritten events are sent
 * again.
 */
export interface Progress {
  /** Marks new progress; it is written within 250 ms. */
  advance(): void
  /** Writes unwritten progress. Returns false when the store failed; the progress stays unwritten then. */
  flush(): Promise<boolean>
  /** Drops unwritten progress. */
  discard(): void
}

export function createProgress({ write, schedule, onError }: ProgressOptions): Progress {
  let steps = 0
  let writtenSteps = 0
  let writing: Promise<boolean> | undefined
  let cancelTimer: (() => void) | undefined

  function advance(): void {
    steps += 1
    cancelTimer ??= schedule(flush, maxUnwrittenMs)
  }

  async function flush(): Promise<boolean> {
    stopTimer()
    while (writtenSteps < steps) {
      writing ??= writeUpTo(steps)
      if (!(await writing)) return false
    }
    return true
  }

  async function writeUpTo(step: number): Promise<boolean> {
    try {
      await write()
      writtenSteps = Math.max(writtenSteps, step)
      return true
    } catch (error) {
      onError(error)
      return false
    } finally {
      writing = undefined
    }
  }

  function discard(): void {
    stopTimer()
    writtenSteps = steps
  }

  function stopTimer(): void {
    cancelTimer?.()
    cancelTimer = undefined
  }

  return { advance, flush, discard }
}

export interface StreamRecordOptions {
  readonly store: Pick<EventStore, 'recordStream'>
  readonly leases: Pick<Leases, 'update' | 'forget'>
  readonly directoryId: string
  readonly schedule: Schedule
  readonly onError: (error: unknown) => void
  /** Called after the write with the durations of deprovisionings, in milliseconds. */
  readonly onDeprovisioned?: ((ms: readonly number[]) => void) | undefined
}

/** The state of a leased stream in this process, and its copy in the store. */
export interface StreamRecord extends Pick<Progress, 'flush' | 'discard'> {
  /** Undefined while this process has no lease. */
  current(): LeasedStream | undefined
  load(stream: LeasedStream): void
  /** Changes the state in memory. No effect without a lease. */
  update(state: StreamState): void
  /**
   * Changes the state in memory and writes it within 250 ms.
   *
   * @param deprovisioned delivered events that may report a deprovisioning; written with the state
   */
  advance(state: StreamState, deprovisioned?: readonly DeliveredAt[]): void
  /** Writes the current state. Returns false when the lease has ended, and nothing was written. */
  write(effects?: StreamEffects): Promise<boolean>
  /** Returns whether a write has failed since the last call because the lease had ended. */
  takeLeaseLost(): boolean
}

export function createStreamRecord(options: StreamRecordOptions): StreamRecord {
  const { store, leases, directoryId, schedule, onError, onDeprovisioned } = options
  const progress = createProgress({ write: () => write(), schedule, onError })
  let stream: LeasedStream | undefined
  /** The state in the store; undefined after a write that failed, until the next one. */
  let stored: StreamState | undefined
  let lastWrite: Promise<unknown> = Promise.resolve()
  let leaseLost = false
  let unwritten: readonly DeliveredAt[] = []

  function update(state: StreamState): void {
    if (stream === undefined) return
    stream = { lease: stream.lease, state }
    leases.update(stream)
  }

  /** Serializes the writes: an older state must not overwrite a newer one. */
  function write(effects?: StreamEffects): Promise<boolean> {
    const written = lastWrite.then(() => writeNow(effects))
    lastWrite = written.catch(() => {})
    return written
  }

  async function writeNow(effects: StreamEffects | undefined): Promise<boolean> {
    if (stream === undefined) return false
    const { lease, state } = stream
    const deprovisioned = [...unwritten, ...(effects?.deprovisioned ?? [])]
    const before = stored
    stored = undefined
    const outcome = await store.recordStream(lease, state, { ...effects, before, deprovisioned })
    if (outcome === 'lost') {
      leases.forget(directoryId)
      unwritten = []
      stream = undefined
      leaseLost = true
      return false
    }
    stored = state
    // More events may have been delivered during the write.
    unwritten = unwritten.slice(deprovisioned.length - (effects?.deprovisioned?.length ?? 0))
    if (outcome !== 'recorded') onDeprovisioned?.(outcome.deprovisionMs)
    return true
  }

  return {
    flush: progress.flush,
    discard: progress.discard,
    current: () => stream,
    load(loaded) {
      if (stream === undefined || stored !== undefined) stored = loaded.state
      stream = loaded
    },
    update,
    advance(state, deprovisioned = []) {
      if (deprovisioned.length > 0) unwritten = [...unwritten, ...deprovisioned]
      update(state)
      progress.advance()
    },
    write,
    takeLeaseLost() {
      const wasLost = leaseLost
      leaseLost = false
      return wasLost
    },
  }
}
