import type { ResourceKey } from './consumer-store.ts'
import type { RollcallEvent } from './event.ts'

/** The resource that an event is about, and whether it no longer exists afterwards. */
export interface Mention {
  readonly resource: ResourceKey
  readonly isRemoved: boolean
}

const removals: ReadonlySet<string> = new Set(['user.deleted', 'user.erased'])

/** Undefined for events that are not about one resource. */
export function mentionOf(event: RollcallEvent): Mention | undefined {
  switch (event.event) {
    case 'user.created':
    case 'user.updated':
    case 'user.deleted':
    case 'user.erased':
    case 'user.snapshot':
      return { resource: { kind: 'user', id: event.data.id }, isRemoved: removals.has(event.event) }
    case 'group.created':
    case 'group.updated':
    case 'group.deleted':
    case 'group.snapshot':
      return { resource: { kind: 'group', id: event.data.id }, isRemoved: event.event === 'group.deleted' }
    case 'group.user_added':
    case 'group.user_removed':
    case 'member.snapshot':
      return {
        resource: { kind: 'member', userId: event.data.id, groupId: event.data.group.id },
        isRemoved: event.event === 'group.user_removed',
      }
    default:
      return undefined
  }
}
