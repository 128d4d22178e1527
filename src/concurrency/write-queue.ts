/** A value that waits to be written. */
export interface Unwritten<T> {
  /** Values with the same key are written together. */
  readonly key: string
  readonly value: T
  /** Its approximate size in memory, in characters. */
  readonly size: number
  /** The number of failed writes of the value. */
  readonly failures: number
}

/** Values of one key that are written together. */
export interface WriteBatch<T> {
  readonly key: string
  readonly entries: Unwritten<T>[]
}

/** The maximum number and size of waiting values. */
export interface QueueLimits {
  readonly maxCount: number
  readonly maxCharacters: number
}

/** The maximum number and size of the values of one write. */
export interface WriteLimits {
  readonly maxRows: number
  readonly maxCharacters: number
}

/** The values that wait to be written, oldest first. If there are too many, the oldest are dropped. */
export interface WriteQueue<T> {
  /** Appends a value. Returns the number of dropped values. */
  add(entry: Unwritten<T>): number
  /** Puts values back at the front. Returns the number of dropped values. */
  putBack(older: readonly Unwritten<T>[]): number
  /** Empties the queue. */
  takeAll(): Unwritten<T>[]
}

export function createWriteQueue<T>({ maxCount, maxCharacters }: QueueLimits): WriteQueue<T> {
  let queue: Unwritten<T>[] = []
  let characters = 0

  function dropOldest(): number {
    let count = 0
    while (queue.length - count > maxCount || characters > maxCharacters) {
      const oldest = queue[count]
      if (oldest === undefined) break
      characters -= oldest.size
      count += 1
    }
    if (count > 0) queue.splice(0, count)
    return count
  }

  return {
    add(entry) {
      queue.push(entry)
      characters += entry.size
      return dropOldest()
    },
    putBack(older) {
      queue.unshift(...older)
      for (const { size } of older) characters += size
      return dropOldest()
    },
    takeAll() {
      const all = queue
      queue = []
      characters = 0
      return all
    },
  }
}

/** Groups values by key and splits the groups, so that no transaction blocks other work for long. */
export function writeBatchesOf<T>(entries: readonly Unwritten<T>[], limits: WriteLimits): WriteBatch<T>[] {
  const byKey = Map.groupBy(entries, ({ key }) => key)
  return [...byKey].flatMap(([key, ofKey]) => split(ofKey, limits).map((part) => ({ key, entries: part })))
}

function split<T>(entries: readonly Unwritten<T>[], { maxRows, maxCharacters }: WriteLimits): Unwritten<T>[][] {
  const parts: Unwritten<T>[][] = []
  let [part, characters]: [Unwritten<T>[], number] = [[], 0]
  for (const entry of entries) {
    characters += entry.size
    if (part.length === 0 || part.length === maxRows || characters > maxCharacters) {
      part = []
      characters = entry.size
      parts.push(part)
    }
    part.push(entry)
  }
  return parts
}
