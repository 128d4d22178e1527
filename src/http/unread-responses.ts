import { createKeyedCounts } from '../concurrency/keyed-counts.ts'
import type { Schedule } from '../concurrency/schedule.ts'

/** When unread responses are closed. Lengths are in characters. */
export interface UnreadLimits {
  /**
   * Beyond this length of all of them, those are closed that are older than `graceMs`: of the key that has most, the oldest
   * first. Responses that are being read are younger.
   */
  readonly closeOldAbove: number
  readonly graceMs: number
  /** Beyond this length they are closed whatever their age. */
  readonly closeAnyAbove: number
}

/** The responses that clients have not read, by the key of their requests. */
export interface UnreadResponses {
  /** The length of those of a key. */
  of(key: string): number
  /** The length of all. */
  total(): number
  /** Counts a response, and closes some if there are too many. The result takes it out again; it may be called twice. */
  add(key: string, length: number, close: () => void): () => void
}

interface UnreadResponse {
  readonly length: number
  readonly since: number
  readonly close: () => void
}

/** @param now milliseconds of a monotonic clock */
export function createUnreadResponses(limits: UnreadLimits, now: () => number, schedule: Schedule): UnreadResponses {
  const lengths = createKeyedCounts()
  /** The oldest of each key first. */
  const responses = new Map<string, Set<UnreadResponse>>()
  let isChecking = false

  function remove(key: string, response: UnreadResponse): void {
    const ofKey = responses.get(key)
    if (ofKey?.delete(response) !== true) return
    lengths.add(key, -response.length)
    if (ofKey.size === 0) responses.delete(key)
  }

  /** The one to close next, if any is to be closed. */
  function nextToClose(): [key: string, oldest: UnreadResponse] | undefined {
    if (lengths.total() <= limits.closeOldAbove) return undefined
    const key = [...responses.keys()].reduce((most, one) => (lengths.of(one) > lengths.of(most) ? one : most))
    const [oldest] = responses.get(key) ?? []
    if (oldest === undefined) return undefined
    return lengths.total() > limits.closeAnyAbove || now() - oldest.since > limits.graceMs ? [key, oldest] : undefined
  }

  /** Closes what is to be closed now, and looks again when the others are old if there is still too much. */
  function closeOldest(): void {
    for (let next = nextToClose(); next !== undefined; next = nextToClose()) {
      const [key, oldest] = next
      remove(key, oldest)
      oldest.close()
    }
    if (isChecking || lengths.total() <= limits.closeOldAbove) return
    isChecking = true
    schedule(() => {
      isChecking = false
      closeOldest()
    }, limits.graceMs)
  }

  return {
    of: lengths.of,
    total: lengths.total,
    add(key, length, close) {
      const response = { length, since: now(), close }
      const ofKey = responses.get(key) ?? new Set()
      responses.set(key, ofKey.add(response))
      lengths.add(key, length)
      closeOldest()
      return () => remove(key, response)
    },
  }
}
