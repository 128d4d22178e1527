import type { EventStore } from '../../delivery/store.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { isObject, own } from '../../scim/json.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import { parseRanges } from '../requests/sequences.ts'
import type { Subject } from './subjects.ts'

/** How many events of a subject, and how many of the same moment, are looked at. */
const maxEvents = 20
const maxOfOneMoment = 50

export type HistoryStore = Pick<EventStore, 'eventsAfter' | 'sequenceAt'>

/** The newest events of a user or group, newest first: those that its requests caused, and its last change. */
export async function readEvents(store: HistoryStore, directoryId: string, subject: Subject): Promise<StoredEvent[]> {
  const { id, resource } = subject
  if (id === undefined) return []
  const [ofRequests, last] = await Promise.all([
    eventsOfRequests(store, directoryId, subject),
    resource === undefined ? [] : eventsAt(store, directoryId, resource.updatedAt),
  ])
  const own = [...ofRequests, ...last].filter((event) => isAbout(event, id))
  const bySequence = new Map(own.map((event) => [event.sequence, event]))
  return [...bySequence.values()].toSorted((a, b) => b.sequence - a.sequence).slice(0, maxEvents)
}

/** The first and the last event of each request: others are about members of a group. */
async function eventsOfRequests(
  store: HistoryStore,
  directoryId: string,
  { requests }: Subject,
): Promise<StoredEvent[]> {
  const sequences = requests.flatMap(({ eventSequences }) => parseRanges(eventSequences).flat())
  const newest = [...new Set(sequences)].toSorted((a, b) => b - a).slice(0, maxEvents)
  const events = await Promise.all(newest.map((sequence) => store.eventsAfter(directoryId, sequence - 1, 1)))
  return events.flat().filter(({ sequence }) => newest.includes(sequence))
}

/** The events that were committed at a time, as that of the last change of a resource. */
async function eventsAt(store: HistoryStore, directoryId: string, time: number): Promise<StoredEvent[]> {
  const sequence = await store.sequenceAt(directoryId, time)
  if (sequence === undefined) return []
  const events = await store.eventsAfter(directoryId, sequence - 1, maxOfOneMoment)
  return events.filter(({ createdAt }) => createdAt === time)
}

function isAbout({ data }: StoredEvent, id: string): boolean {
  const fields = fromJsonText(data)
  const group = own(fields, 'group')
  return own(fields, 'id') === id || (isObject(group) && own(group, 'id') === id)
}
