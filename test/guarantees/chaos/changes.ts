import type { ReceivedEvent } from '../../support/receiver.ts'

/** The text of a change, which can be computed from both the write and its event. It is unique within a run. */
export const changes = {
  userCreated: (id: string) => `user.created ${id}`,
  titleChanged: (id: string, title: string) => `user.updated ${id} ${title}`,
  userDeleted: (id: string) => `user.deleted ${id}`,
  memberAdded: (groupId: string, id: string) => `group.user_added ${groupId} ${id}`,
} as const

/** The change that an event reports. */
export function changeOf({ event, data }: Pick<ReceivedEvent, 'event' | 'data'>): string {
  switch (event) {
    case 'user.updated':
      return changes.titleChanged(data.id, String(data.raw['title']))
    case 'group.user_added':
      return changes.memberAdded(data.group?.id ?? '', data.id)
    default:
      return `${event} ${data.id}`
  }
}
