import type { Changes, StoredEvent } from '../../directory/event.ts'
import type { JsonObject } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'
import { fromJsonText } from '../../scim/json-text.ts'

/** The change that an event reports: a user or group before and after. */
export interface ResourceChange {
  readonly resource: { readonly type: 'User' | 'Group'; readonly id: string }
  /**
   * The SCIM resource; for a membership, only the `members` that the event added or removed; null before a creation.
   */
  readonly before: JsonObject | null
  /** Null after a deletion. */
  readonly after: JsonObject | null
}

/** The change that an event reports; undefined for an event of a resync, which changes nothing. */
export function changeOf(event: StoredEvent): ResourceChange | undefined {
  const [kind, action] = event.eventType.split('.')
  if (kind !== 'user' && kind !== 'group') return undefined
  const data = fromJsonText(event.data)
  if (action === 'user_added' || action === 'user_removed') return membershipChange(data, action)
  const raw = isObject(data['raw']) ? data['raw'] : {}
  const resource = { type: kind === 'user' ? 'User' : 'Group', id: textOf(data['id']) } as const
  if (action === 'created') return { resource, before: null, after: raw }
  if (action === 'deleted') return { resource, before: raw, after: null }
  if (action !== 'updated') return undefined
  return updateOf(resource, raw, event.changes === undefined ? {} : fromJsonText(event.changes))
}

/** Takes the nested groups that were added and removed from `changes`, because `raw` has no members. */
function updateOf(resource: ResourceChange['resource'], raw: JsonObject, changes: Changes): ResourceChange {
  const [before, after] = [{ ...raw }, { ...raw }]
  for (const [name, { from = null, to = null }] of Object.entries(changes)) {
    if (from === null) delete before[name]
    else before[name] = from
    if (to === null) delete after[name]
    else after[name] = to
  }
  return { resource, before, after }
}

function membershipChange(data: JsonObject, action: 'user_added' | 'user_removed'): ResourceChange {
  const group = isObject(data['group']) ? data['group'] : {}
  const [without, withMember] = [{ members: [] }, { members: [{ value: textOf(data['id']) }] }]
  const resource = { type: 'Group', id: textOf(group['id']) } as const
  return action === 'user_added'
    ? { resource, before: without, after: withMember }
    : { resource, before: withMember, after: without }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
