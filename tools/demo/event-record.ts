import type { JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'

/** An event as it came in, its signature verified. */
export interface ReceivedEvent {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly directoryId: string
  readonly data: JsonObject
  /** From the change being made to its event's arrival. */
  readonly latencyMs: number
}

/** What has arrived for one directory. */
export interface EventRecord {
  /** Events taken, without the repeated ones. */
  readonly count: number
  /** Sequence numbers that were jumped over and have not come since. */
  readonly missing: number
  /** Events that came after one with a greater sequence number. */
  readonly inversions: number
  /** Events that came again. */
  readonly duplicates: number
  /** Unix milliseconds; undefined before the first. */
  readonly firstAt: number | undefined
  readonly lastAt: number | undefined
  /** The newest ones, oldest first. */
  readonly recent: readonly ReceivedEvent[]
  /** The newest event about each user itself, by the user's id. */
  readonly lastUserEvents: ReadonlyMap<string, ReceivedEvent>
}

/** A record that is being kept. */
export interface EventRecorder {
  add(event: ReceivedEvent, receivedAt: number): void
  readonly record: EventRecord
}

/** An empty record that remembers so many of the newest events. */
export function createEventRecorder(keep: number): EventRecorder {
  const seen = new Set<number>()
  const recent: ReceivedEvent[] = []
  const lastUserEvents = new Map<string, ReceivedEvent>()
  const range = { first: Number.POSITIVE_INFINITY, last: 0 }
  const counts = { inversions: 0, duplicates: 0 }
  const times: { firstAt: number | undefined; lastAt: number | undefined } = { firstAt: undefined, lastAt: undefined }

  const remember = (event: ReceivedEvent) => {
    if (recent.push(event) > keep) recent.shift()
    const userId = own(event.data, 'id')
    if (event.type.startsWith('user.') && typeof userId === 'string') lastUserEvents.set(userId, event)
  }
  return {
    add(event, receivedAt) {
      if (seen.has(event.sequence)) {
        counts.duplicates += 1
        return
      }
      if (event.sequence < range.last) counts.inversions += 1
      seen.add(event.sequence)
      range.first = Math.min(range.first, event.sequence)
      range.last = Math.max(range.last, event.sequence)
      times.firstAt ??= receivedAt
      times.lastAt = receivedAt
      remember(event)
    },
    get record() {
      const missing = seen.size === 0 ? 0 : range.last - range.first + 1 - seen.size
      return { count: seen.size, missing, ...counts, ...times, recent, lastUserEvents }
    },
  }
}

/** Reads a payload (design §7.1), or an array of them as batch mode sends it; undefined when it is neither. */
export function readEvents(payload: unknown, receivedAt: number): ReceivedEvent[] | undefined {
  const events = (Array.isArray(payload) ? payload : [payload]).map((item) => readEvent(item, receivedAt))
  return events.every((event) => event !== undefined) ? events : undefined
}

function readEvent(payload: unknown, receivedAt: number): ReceivedEvent | undefined {
  if (!isObject(payload)) return undefined
  const { id, event, sequence, directory_id, created_at, data } = payload
  if (typeof id !== 'string' || typeof event !== 'string' || typeof sequence !== 'number') return undefined
  if (typeof directory_id !== 'string' || typeof created_at !== 'string' || !isObject(data)) return undefined
  const latencyMs = Math.max(0, receivedAt - Date.parse(created_at))
  return { id, type: event, sequence, directoryId: directory_id, data, latencyMs }
}
