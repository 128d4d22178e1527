import type { Unwritten } from './batches.ts'
import { lengthOf } from './batches.ts'

const maxLength = 8_000_000

/** Deliveries that wait to be written, the oldest first. When they become too many, the oldest go. */
export interface UnwrittenQueue {
  /** Puts one behind the others; answers how many were dropped. */
  add(one: Unwritten): number
  /** Puts older ones before the others; answers how many were dropped. */
  putBack(older: readonly Unwritten[]): number
  /** Empties the queue. */
  takeAll(): Unwritten[]
}

/**
 * A queue in memory, of about 8 million characters at most.
 *
 * @param maxCount how many it holds
 */
export function createUnwrittenQueue(maxCount = 5_000): UnwrittenQueue {
  let queue: Unwritten[] = []
  let length = 0

  function dropOldest(): number {
    let count = 0
    while (queue.length - count > maxCount || length > maxLength) {
      const oldest = queue[count]
      if (oldest === undefined) break
      length -= lengthOf(oldest.delivery)
      count += 1
    }
    if (count > 0) queue.splice(0, count)
    return count
  }

  return {
    add(one) {
      queue.push(one)
      length += lengthOf(one.delivery)
      return dropOldest()
    },
    putBack(older) {
      queue.unshift(...older)
      for (const { delivery } of older) length += lengthOf(delivery)
      return dropOldest()
    },
    takeAll() {
      const all = queue
      queue = []
      length = 0
      return all
    },
  }
}
