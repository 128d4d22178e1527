/**
 * Does the work for every item, a few at a time. After a failure no more are begun; it is thrown once nothing is under way
 * any more.
 */
export async function each<T>(
  items: Iterable<T>,
  atOnce: number,
  signal: AbortSignal,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  const waiting = items[Symbol.iterator]()

  async function takeTurns(): Promise<void> {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      if (failures.length > 0) return
      try {
        signal.throwIfAborted()
        await work(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }

  await Promise.all(Array.from({ length: atOnce }, takeTurns))
  if (failures.length > 0) throw failures[0]
}

/** The items in parts of at most that size. */
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
