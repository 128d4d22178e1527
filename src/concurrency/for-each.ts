/**
 * Calls `work` for every item, at most `maxConcurrent` at a time. After an error, no further items are started; the
 * first error is thrown when all calls in progress have ended.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  maxConcurrent: number,
  signal: AbortSignal,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  const iterator = items[Symbol.iterator]()

  async function workOff(): Promise<void> {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      if (failures.length > 0) return
      try {
        signal.throwIfAborted()
        await work(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }

  await Promise.all(Array.from({ length: maxConcurrent }, workOff))
  if (failures.length > 0) throw failures[0]
}

/** Splits items into arrays of at most `size`. */
export function* chunks<T>(items: Iterable<T>, size: number): Generator<T[], void, undefined> {
  let chunk: T[] = []
  for (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
