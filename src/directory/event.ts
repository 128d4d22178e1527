import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'

/**
 * Every event type: changes in the order of a resource's life, those of the directory itself, the test event, then the
 * events of a resync in their order.
 */
export const eventTypes = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.erased',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.user_added',
  'group.user_removed',
  'directory.created',
  'directory.deactivated',
  'directory.activated',
  'directory.deleted',
  'endpoint.test',
  'sync.started',
  'user.snapshot',
  'group.snapshot',
  'member.snapshot',
  'sync.completed',
] as const

export type EventType = (typeof eventTypes)[number]

/** An event before the store assigns its id and sequence. */
export interface EventDraft {
  readonly eventType: EventType
  /**
   * The user, the group, or the user with its `group`, after the change (before it, for a deletion). In a resync: the
   * present state with the `sync_id`; the first and last event have counts and the `sync_id`.
   */
  readonly data: JsonText<JsonObject>
  /** The top-level attributes that an update changed. */
  readonly changes?: JsonText<Changes> | undefined
  /** The group of a membership event, whose data begins with the user. Stored only for lookups. */
  readonly groupId?: string | undefined
}

/** `{path: {from, to}}`; null means an absent attribute. */
export type Changes = Record<string, { from: JsonObject[string]; to: JsonObject[string] }>

/** An event that is committed together with a change of the directory itself, and what caused it. */
export interface EventWrite {
  readonly event: EventDraft
  readonly cause: Cause
}

/** A committed event. */
export interface StoredEvent extends EventDraft {
  readonly id: string
  /** 1, 2, 3 … per directory, without gaps. */
  readonly sequence: number
  /** Unix milliseconds. */
  readonly createdAt: number
  /** The id of the request, or sync run, that caused it. */
  readonly requestId: string
  readonly traceContext?: TraceContext | undefined
}

/**
 * The span of a commit in the forms of W3C Trace Context: `traceparent`, and `tracestate` after a space if there is
 * one.
 */
export type TraceContext = string

/** The number of characters of the data and changes of events. */
export function charactersOf(events: readonly Pick<StoredEvent, 'data' | 'changes'>[]): number {
  return events.reduce((sum, { data, changes }) => sum + data.length + (changes?.length ?? 0), 0)
}

/** The request, or sync run, behind a change. Times are Unix milliseconds. */
export interface Cause {
  readonly requestId: string
  /** The span of the commit; undefined unless an SDK of OpenTelemetry is loaded. */
  readonly traceContext?: TraceContext | undefined
  /** The time of the change. */
  readonly at: number
  /** Time at which the request arrived, before it was authorized and read; by default the time of the change. */
  readonly receivedAt?: number | undefined
}

/** Time at which the request, or sync run, behind a change began, in Unix milliseconds. */
export function arrivalOf({ receivedAt, at }: Cause): number {
  return receivedAt ?? at
}
