import type { Schedule } from './schedule.ts'
import type { QueueLimits, Unwritten, WriteBatch, WriteLimits } from './write-queue.ts'
import { createWriteQueue, writeBatchesOf } from './write-queue.ts'

const retryDelayMs = 1_000
const maxFailures = 30

export interface BufferedWriterOptions<T> {
  /** Writes values of one key in one transaction. */
  readonly write: (key: string, values: readonly T[]) => Promise<void>
  readonly schedule: Schedule
  /** Time that a value may wait to be written together with others, in milliseconds. */
  readonly delayMs: number
  readonly queue: QueueLimits
  readonly batch: WriteLimits
  readonly onError: (key: string, error: unknown) => void
  /** Called with the number of values that are lost. */
  readonly onDropped: (count: number) => void
}

/**
 * Writes values in the background, in batches: adding a value never waits, and no value is written twice. A full batch
 * is written immediately.
 */
export interface BufferedWriter<T> {
  /** Returns immediately. Does nothing after `close`. */
  add(key: string, value: T, size: number): void
  /** Writes the buffered values now. Resolves after the attempt to write, and never rejects. */
  flush(): Promise<void>
  /** Flushes for the last time. */
  close(): Promise<void>
}

/** Failed writes are retried for about half a minute; when too many values wait, the oldest are dropped. */
export function createBufferedWriter<T>(options: BufferedWriterOptions<T>): BufferedWriter<T> {
  const { schedule, delayMs } = options
  const queue = createWriteQueue<T>(options.queue)
  let writing = Promise.resolve()
  let cancelTimer: (() => void) | undefined
  let dropped = 0
  let isClosed = false
  let added = 0
  let hasFailed = false

  function flush(): Promise<void> {
    stopTimer()
    added = 0
    writing = writing.then(writeQueued)
    return writing
  }

  async function writeQueued(): Promise<void> {
    const unwritten = await writeAll(options, writeBatchesOf(queue.takeAll(), options.batch))
    hasFailed = unwritten !== undefined
    if (unwritten !== undefined) putBack(unwritten)
    if (dropped > 0) options.onDropped(dropped)
    dropped = 0
  }

  /** Puts failed values behind those that were not tried: the problem may be in the values themselves. */
  function putBack({ untried, failed }: LeftOver<T>): void {
    const retried = failed.map((entry) => ({ ...entry, failures: entry.failures + 1 }))
    const kept = isClosed ? [] : [...untried, ...retried.filter(({ failures }) => failures < maxFailures)]
    dropped += untried.length + failed.length - kept.length + queue.putBack(kept)
    stopTimer()
    if (kept.length > 0) cancelTimer = schedule(flush, retryDelayMs)
  }

  function stopTimer(): void {
    cancelTimer?.()
    cancelTimer = undefined
  }

  return {
    add(key, value, size) {
      if (isClosed) return
      dropped += queue.add({ key, value, size, failures: 0 })
      added += 1
      // Values that wait longer than necessary cost memory and time for garbage collection.
      if (added >= options.batch.maxRows && !hasFailed) void flush()
      else cancelTimer ??= schedule(flush, delayMs)
    },
    flush,
    close() {
      isClosed = true
      return flush()
    },
  }
}

interface LeftOver<T> {
  readonly untried: readonly Unwritten<T>[]
  readonly failed: readonly Unwritten<T>[]
}

/** Writes batches until the first failure, which usually means that the store is unavailable. Returns the rest. */
async function writeAll<T>(
  { write, onError }: Pick<BufferedWriterOptions<T>, 'write' | 'onError'>,
  batches: readonly WriteBatch<T>[],
): Promise<LeftOver<T> | undefined> {
  for (const [index, { key, entries }] of batches.entries()) {
    try {
      await write(
        key,
        entries.map(({ value }) => value),
      )
    } catch (error) {
      onError(key, error)
      return { untried: batches.slice(index + 1).flatMap((batch) => batch.entries), failed: entries }
    }
  }
  return undefined
}
