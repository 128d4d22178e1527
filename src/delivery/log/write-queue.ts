import type { LoggedDelivery } from './store.ts'

const maxQueuedCharacters = 8_000_000
const maxBatchRows = 100
const maxBatchCharacters = 1_000_000

/** A log entry that is not written yet. */
export interface UnwrittenEntry {
  readonly delivery: LoggedDelivery
  /** How many writes of it have failed. */
  readonly failures: number
}

/** Entries that are written in one transaction: all of one directory. */
export interface WriteBatch {
  readonly directoryId: string
  readonly entries: UnwrittenEntry[]
}

/** The entries that wait to be written, oldest first. When there are too many, the oldest are dropped. */
export interface WriteQueue {
  /** Appends an entry. Returns how many were dropped. */
  add(entry: UnwrittenEntry): number
  /** Puts entries back at the front. Returns how many were dropped. */
  putBack(older: readonly UnwrittenEntry[]): number
  /** Empties the queue. */
  takeAll(): UnwrittenEntry[]
}

/** A queue of up to `maxCount` entries and about 8 million characters. */
export function createWriteQueue(maxCount = 5_000): WriteQueue {
  let queue: UnwrittenEntry[] = []
  let characters = 0

  function dropOldest(): number {
    let count = 0
    while (queue.length - count > maxCount || characters > maxQueuedCharacters) {
      const oldest = queue[count]
      if (oldest === undefined) break
      characters -= sizeOf(oldest.delivery)
      count += 1
    }
    if (count > 0) queue.splice(0, count)
    return count
  }

  return {
    add(entry) {
      queue.push(entry)
      characters += sizeOf(entry.delivery)
      return dropOldest()
    },
    putBack(older) {
      queue.unshift(...older)
      for (const { delivery } of older) characters += sizeOf(delivery)
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

/** Groups entries by directory and splits the groups, so that no transaction blocks other work for long. */
export function writeBatchesOf(entries: readonly UnwrittenEntry[]): WriteBatch[] {
  const byDirectory = Map.groupBy(entries, ({ delivery }) => delivery.directoryId)
  return [...byDirectory].flatMap(([directoryId, ofDirectory]) =>
    split(ofDirectory).map((part) => ({ directoryId, entries: part })),
  )
}

function split(entries: readonly UnwrittenEntry[]): UnwrittenEntry[][] {
  const parts: UnwrittenEntry[][] = []
  let [part, characters]: [UnwrittenEntry[], number] = [[], 0]
  for (const entry of entries) {
    characters += sizeOf(entry.delivery)
    if (part.length === 0 || part.length === maxBatchRows || characters > maxBatchCharacters) {
      part = []
      characters = sizeOf(entry.delivery)
      parts.push(part)
    }
    part.push(entry)
  }
  return parts
}

/** The approximate size of an entry in memory, in characters. */
function sizeOf({ payload, responseBody }: LoggedDelivery): number {
  return 500 + (payload?.length ?? 0) + responseBody.length
}
