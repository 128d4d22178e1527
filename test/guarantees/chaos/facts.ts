import type { ReceivedEvent } from '../../support/receiver.ts'

/** What an event tells, in words that a write can foresee: no two writes of a run are foreseen in the same words. */
export const facts = {
  userCreated: (id: string) => `user.created ${id}`,
  titleChanged: (id: string, title: string) => `user.updated ${id} ${title}`,
  userDeleted: (id: string) => `user.deleted ${id}`,
  memberAdded: (groupId: string, id: string) => `group.user_added ${groupId} ${id}`,
} as const

/** What an event tells. */
export function factOf({ event, data }: Pick<ReceivedEvent, 'event' | 'data'>): string {
  switch (event) {
    case 'user.updated':
      return facts.titleChanged(data.id, String(data.raw['title']))
    case 'group.user_added':
      return facts.memberAdded(data.group?.id ?? '', data.id)
    default:
      return `${event} ${data.id}`
  }
}
