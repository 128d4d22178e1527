import type { JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'

/** A received event with a valid signature. */
export interface ReceivedEvent {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly directoryId: string
  readonly data: JsonObject
  /** Time from the change to the arrival of its event. */
  readonly latencyMs: number
}

/** The received events of one directory. */
export interface EventRecord {
  /** Events received, without duplicates. */
  readonly count: number
  /** Sequence numbers that were skipped and not received later. */
  readonly missing: number
  /** Events received after one with a greater sequence number. */
  readonly inversions: number
  /** Events received more than once. */
  readonly duplicates: number
  /** Time of the first event in Unix milliseconds; undefined before it. */
  readonly firstAt: number | undefined
  readonly lastAt: number | undefined
  /** The newest events, oldest first. */
  readonly recent: readonly ReceivedEvent[]
  /** The newest `user.*` event of each user, by the user's id. */
  readonly lastUserEvents: ReadonlyMap<string, ReceivedEvent>
}

export interface EventRecorder {
  add(event: ReceivedEvent, receivedAt: number): void
  readonly record: EventRecord
}

/** Records events and keeps the newest ones. */
export function createEventRecorder(keep: number): EventRecorder {
  const sequences = new Set<number>()
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
      if (sequences.has(event.sequence)) {
        counts.duplicates += 1
        return
      }
      if (event.sequence < range.last) counts.inversions += 1
      sequences.add(event.sequence)
      range.first = Math.min(range.first, event.sequence)
      range.last = Math.max(range.last, event.sequence)
      times.firstAt ??= receivedAt
      times.lastAt = receivedAt
      remember(event)
    },
    get record() {
      const missing = sequences.size === 0 ? 0 : range.last - range.first + 1 - sequences.size
      return { count: sequences.size, missing, ...counts, ...times, recent, lastUserEvents }
    },
  }
}

/** Parses the payload of one event or, in batch mode, an array of them; undefined when it is neither. */
export function parseEvents(payload: unknown, receivedAt: number): ReceivedEvent[] | undefined {
  const events = (Array.isArray(payload) ? payload : [payload]).map((item) => parseEvent(item, receivedAt))
  return events.every((event) => event !== undefined) ? events : undefined
}

function parseEvent(payload: unknown, receivedAt: number): ReceivedEvent | undefined {
  if (!isObject(payload)) return undefined
  const { id, event, sequence, directory_id, created_at, data } = payload
  if (typeof id !== 'string' || typeof event !== 'string' || typeof sequence !== 'number') return undefined
  if (typeof directory_id !== 'string' || typeof created_at !== 'string' || !isObject(data)) return undefined
  const latencyMs = Math.max(0, receivedAt - Date.parse(created_at))
  return { id, type: event, sequence, directoryId: directory_id, data, latencyMs }
}
