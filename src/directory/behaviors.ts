import { fromJsonText } from '../scim/json-text.ts'
import type { EventDraft } from './event.ts'

/** The behaviors of an identity provider that change a directory. */
export const changeBehaviors = [
  'user_created',
  'user_updated',
  'user_deactivated',
  'user_reactivated',
  'user_deleted',
  'group_pushed',
  'member_added',
  'member_removed',
] as const

export type ChangeBehavior = (typeof changeBehaviors)[number]

type ChangeEvent = Pick<EventDraft, 'eventType' | 'changes'>

const nothing: readonly ChangeBehavior[] = []

/** The behaviors that do not depend on the content of the event. */
const shownBy: Partial<Record<EventDraft['eventType'], readonly ChangeBehavior[]>> = {
  'user.created': ['user_created'],
  'user.deleted': ['user_deleted'],
  'group.created': ['group_pushed'],
  'group.updated': ['group_pushed'],
  'group.user_added': ['member_added'],
  'group.user_removed': ['member_removed'],
}

/** The behaviors that the events of one change show; the events of a resync show none. */
export function behaviorsIn(events: readonly ChangeEvent[]): readonly ChangeBehavior[] {
  const [first] = events
  if (first === undefined) return nothing
  if (events.length === 1) return behaviorsOf(first)
  return [...new Set(events.flatMap(behaviorsOf))]
}

/** An update that only sets `active` does not count as `user_updated`. */
function behaviorsOf(event: ChangeEvent): readonly ChangeBehavior[] {
  if (event.eventType !== 'user.updated') return shownBy[event.eventType] ?? nothing
  const { active, others } = activeChange(event)
  return [...(others ? (['user_updated'] as const) : []), ...(active === undefined ? [] : ([active] as const))]
}

const unchanged = { active: undefined, others: true } as const

/** Whether an update deactivated or activated a user, and whether it changed anything else. */
function activeChange({ changes }: ChangeEvent) {
  // Hardly any update changes `active`, and parsing every one would be slow.
  if (changes === undefined || !changes.includes('"active":{"from":')) return unchanged
  const { active, ...others } = fromJsonText(changes)
  if (active === undefined || active.from === active.to) return unchanged
  const turned = active.to === false ? 'user_deactivated' : 'user_reactivated'
  return { active: turned, others: Object.keys(others).length > 0 } as const
}

/** Returns whether an event reports that a user lost access: it was deleted, or `active` became false. */
export function isDeprovisioning(event: ChangeEvent): boolean {
  if (event.eventType === 'user.deleted') return true
  return event.eventType === 'user.updated' && activeChange(event).active === 'user_deactivated'
}

/** Returns whether an event reports a change of the directory, as opposed to a snapshot, an erasure or a test. */
export function isChange({ eventType }: ChangeEvent): boolean {
  return /^(user|group)\.(?!snapshot|erased)/.test(eventType)
}
