import type { AttemptStore } from '../../delivery/log/attempt-store.ts'
import { eventObject } from '../../delivery/payload.ts'
import type { Directory } from '../../directory/directory.ts'
import type { DirectoryReads } from '../../directory/directory-store.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { isObject } from '../../scim/json.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import type { LoggedRequest, RequestLogStore } from '../requests/request-log-store.ts'
import { foldedSubject, newestRequest } from '../requests/request-log-store.ts'
import type { RequestView } from '../requests/view.ts'
import { requestView } from '../requests/view.ts'
import type { ResourceChange } from './change.ts'
import { changeOf } from './change.ts'
import type { DeliveryAttemptView } from './deliveries.ts'
import { deliveriesOf } from './deliveries.ts'
import type { TraceStore } from './trace-store.ts'

/** An entry in the history of a user or group. `request_id` links the entries of one request. */
export type TimelineEntry =
  | ({ readonly kind: 'request' } & RequestView)
  | ({ readonly kind: 'change'; readonly at: string; readonly request_id: string } & ResourceChange)
  | ({ readonly kind: 'event'; readonly at: string } & ReturnType<typeof eventObject>)
  | ({ readonly kind: 'delivery' } & DeliveryAttemptView & {
        readonly event_id: string
        readonly event: string
        readonly sequence: number
        readonly request_id: string
      })

/** The start of the next part of a timeline: before a request, and before an event. */
export interface TimelinePosition {
  readonly request: number
  readonly sequence: number
}

export const timelineStart: TimelinePosition = { request: newestRequest, sequence: Number.MAX_SAFE_INTEGER }

export interface TimelinePart {
  /** Newest first. */
  readonly entries: readonly TimelineEntry[]
  /** Undefined at the end. */
  readonly next: TimelinePosition | undefined
}

export type TimelineStore = Pick<RequestLogStore, 'listRequests'> &
  Pick<TraceStore, 'eventsOfResource'> &
  Pick<AttemptStore, 'attemptsOf'> &
  Pick<DirectoryReads, 'getUser' | 'getGroup'>

/** The user or group that a timeline is about. */
export interface TimelineOf {
  readonly directory: Directory
  readonly type: 'User' | 'Group'
  readonly id: string
}

/**
 * Reads a part of a timeline: at most `limit` requests and events, each event with its change and its deliveries.
 * Requests that only name the user or group, without its id, are included: a lookup, or a refused creation.
 *
 * @throws DirectoryError `resource-not-found` when there is no record of the user or group
 */
export async function timelinePart(
  store: TimelineStore,
  of: TimelineOf,
  position: TimelinePosition,
  limit: number,
): Promise<TimelinePart> {
  const { directory, id } = of
  const [newest, events] = await Promise.all([
    store.eventsOfResource(directory.id, id, timelineStart.sequence, 1),
    store.eventsOfResource(directory.id, id, position.sequence, limit + 1),
  ])
  const name = nameIn(newest[0]) ?? (await storedName(store, of))
  const { requests, covered } = await requestsOf(store, of, name, position.request, limit)
  if (name === undefined && requests.length === 0 && position.request === newestRequest) throw notFound(of.type)
  const merged = [
    ...requests.map((request) => ({ at: request.at, request, event: undefined })),
    ...events.map((event) => ({ at: event.createdAt, request: undefined, event })),
  ].sort((a, b) => b.at - a.at)
  const items = merged.slice(0, limit)
  const lastRequest = items.findLast(({ request }) => request !== undefined)?.request?.position ?? position.request
  const lastEvent = items.findLast(({ event }) => event !== undefined)?.event?.sequence ?? position.sequence
  return {
    entries: await entriesOf(store, directory, items),
    next: nextPosition(merged.length > limit, { request: lastRequest, sequence: lastEvent }, covered),
  }
}

/** @param covered 0 when no request before it is left */
function nextPosition(hasMore: boolean, last: TimelinePosition, covered: number): TimelinePosition | undefined {
  if (hasMore) return last
  return covered === 0 ? undefined : { ...last, request: covered }
}

interface TimelineItem {
  readonly request: LoggedRequest | undefined
  readonly event: StoredEvent | undefined
}

async function entriesOf(
  store: TimelineStore,
  directory: Directory,
  items: readonly TimelineItem[],
): Promise<TimelineEntry[]> {
  const events = items.flatMap(({ event }) => (event === undefined ? [] : [event]))
  const sequences = events.map(({ sequence }) => sequence)
  const deliveries = await deliveriesOf(store, directory.id, sequences)
  const entries = items.flatMap(({ request, event }): TimelineEntry[] => {
    if (request !== undefined) return [{ kind: 'request', ...requestView(request) }]
    return event === undefined ? [] : entriesOfEvent(directory, event, deliveries.get(event.sequence) ?? [])
  })
  return entries.sort((a, b) => (a.at === b.at ? order[b.kind] - order[a.kind] : a.at < b.at ? 1 : -1))
}

/** The order within the same millisecond: a request comes before its effects. */
const order = { request: 0, change: 1, event: 2, delivery: 3 } as const satisfies Record<TimelineEntry['kind'], number>

/** The entries in reverse order: the request, which came first, is last. */
function entriesOfEvent(
  directory: Directory,
  event: StoredEvent,
  deliveries: readonly DeliveryAttemptView[],
): TimelineEntry[] {
  const at = new Date(event.createdAt).toISOString()
  const { id, sequence, eventType, requestId: request_id } = event
  const change = changeOf(event)
  return [
    ...deliveries.toReversed().map(
      (delivery): TimelineEntry => ({
        ...{ kind: 'delivery', ...delivery, event_id: id, event: eventType, sequence, request_id },
      }),
    ),
    { kind: 'event', at, ...eventObject(event, directory) },
    ...(change === undefined ? [] : [{ kind: 'change' as const, at, request_id, ...change }]),
  ]
}

/**
 * The requests that named the resource by its id or its name, newest first, down to the position `covered`; 0 means all
 * of them.
 */
async function requestsOf(
  store: TimelineStore,
  { directory, id, type }: TimelineOf,
  name: string | undefined,
  before: number,
  limit: number,
): Promise<{ readonly requests: LoggedRequest[]; readonly covered: number }> {
  const about = { resourceId: id, subject: name === undefined ? undefined : foldedSubject(name) }
  const { requests, next: covered = 0 } = await store.listRequests(
    directory.id,
    { about },
    { before, limit: limit + 1 },
  )
  const isOf = ({ resourceId, resourceType }: LoggedRequest) =>
    resourceId === id || (resourceId === null && resourceType === type)
  return { requests: requests.filter(isOf), covered }
}

/** The userName or displayName in the data of an event, which has none when the person was erased. */
function nameIn(event: StoredEvent | undefined): string | undefined {
  if (event === undefined) return undefined
  const { raw } = fromJsonText(event.data)
  if (!isObject(raw)) return undefined
  const name = raw['userName'] ?? raw['displayName']
  return typeof name === 'string' ? name : undefined
}

async function storedName(store: TimelineStore, { directory, type, id }: TimelineOf): Promise<string | undefined> {
  if (type === 'User') return (await store.getUser(directory.id, id))?.userName
  return (await store.getGroup(directory.id, id))?.name
}

function notFound(type: TimelineOf['type']): DirectoryError {
  return new DirectoryError(
    'resource-not-found',
    `There is no ${type.toLowerCase()} with this id, or it is no longer recorded.`,
  )
}
