import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'

/** Every type of event: those of changes in the order of a resource's life, then those of a resync in their order. */
export const eventTypes = [
  'user.created',
  'user.updated',
  'user.deleted',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.user_added',
  'group.user_removed',
  'endpoint.test',
  'sync.started',
  'user.snapshot',
  'group.snapshot',
  'member.snapshot',
  'sync.completed',
] as const

export type EventType = (typeof eventTypes)[number]

/** A change to tell of, before the store has given it its id and its place in the directory's sequence. */
export interface EventDraft {
  readonly eventType: EventType
  /**
   * The user, the group, or the user with its `group`, as it is after the change (the last state for a deletion). Of a
   * resync: the present state and its `sync_id`, or at its ends the counts and the `sync_id`.
   */
  readonly data: JsonText<JsonObject>
  /** The top-level attributes that an update changed. */
  readonly changes?: JsonText<Changes> | undefined
}

/** `{path: {from, to}}`; an attribute that was or became absent has null there. */
export type Changes = Record<string, { from: JsonObject[string]; to: JsonObject[string] }>

/** An event as it is kept. */
export interface StoredEvent extends EventDraft {
  readonly id: string
  /** 1, 2, 3 … per directory, without gaps. */
  readonly sequence: number
  /** Unix milliseconds. */
  readonly createdAt: number
  /** The request, or sync run, that caused it. */
  readonly requestId: string
}

/** What a change is recorded with: the request behind it and the time it counts as, in Unix milliseconds. */
export interface Cause {
  readonly requestId: string
  readonly at: number
}
