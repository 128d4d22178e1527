import type { StoredEvent } from '../../directory/event.ts'
import type { LoggedRequest } from '../requests/store.ts'
import type { RequestView } from '../requests/view.ts'
import { requestView } from '../requests/view.ts'
import type { ExplainFacts } from './facts.ts'

const maxEntries = 50

/** An entry of the timeline that shows why a verdict is right. */
export type Evidence = RequestEvidence | EventEvidence

/** A SCIM request about the subject, also one that was refused. */
export interface RequestEvidence extends RequestView {
  readonly kind: 'request'
}

export interface EventEvidence {
  readonly kind: 'event'
  /** ISO 8601, in UTC: when it was committed. */
  readonly at: string
  readonly id: string
  readonly sequence: number
  /** The event type. */
  readonly event: string
  readonly request_id: string
  readonly state: 'delivered' | 'undelivered' | 'held' | 'dead'
}

/** The requests and events of a subject, newest first; an event is after the request that caused it. */
export function evidenceOf(
  requests: readonly LoggedRequest[],
  events: readonly StoredEvent[],
  facts: ExplainFacts,
): Evidence[] {
  const ofRequests = requests.map((request) => [{ kind: 'request', ...requestView(request) }] as Evidence[])
  const indexes = new Map(requests.map(({ id }, index) => [id, index]))
  const ofOthers: EventEvidence[] = []
  for (const event of events.map((one) => eventEvidence(one, facts))) {
    const entries = ofRequests[indexes.get(event.request_id) ?? -1]
    if (entries === undefined) ofOthers.push(event)
    else entries.splice(-1, 0, event)
  }
  const blocks = [...ofOthers.map((event) => [event]), ...ofRequests]
  return blocks
    .toSorted((a, b) => startOf(b) - startOf(a))
    .flat()
    .slice(0, maxEntries)
}

/** When the request of a block arrived, or its event was committed. */
function startOf(block: readonly Evidence[]): number {
  return Date.parse(block.at(-1)?.at ?? '')
}

function eventEvidence(event: StoredEvent, facts: ExplainFacts): EventEvidence {
  const { id, sequence, eventType, createdAt, requestId } = event
  return {
    ...{ kind: 'event', at: new Date(createdAt).toISOString(), id, sequence, event: eventType, request_id: requestId },
    state: stateOf(sequence, facts),
  }
}

function stateOf(sequence: number, { events, hold, delivery }: ExplainFacts): EventEvidence['state'] {
  if (events.some((event) => event.sequence === sequence && event.dead !== undefined)) return 'dead'
  if (hold !== undefined && sequence >= hold.firstSequence) return 'held'
  return sequence <= delivery.deliveredSequence ? 'delivered' : 'undelivered'
}
