import { eventObject } from '../../../../src/delivery/payload.ts'
import type { Directory } from '../../../../src/directory/directory.ts'
import { groupViewText } from '../../../../src/directory/group.ts'
import { membersOfGroup } from '../../../../src/directory/group-members.ts'
import { listStart } from '../../../../src/directory/list.ts'
import { userViewText } from '../../../../src/directory/user.ts'
import { fromJsonText } from '../../../../src/scim/json-text.ts'
import type { Store } from '../../../../src/store/store.ts'
import type { ReceivedEvent } from '../../../support/receiver.ts'
import type { Replica } from '../../../support/replica.ts'
import { whole } from '../../../support/whole.ts'

const everything = { from: listStart, limit: 10_000 }
const eventsPerRead = 1000

/** The content of a directory, read from the store. */
export async function replicaOf(store: Store, directoryId: string): Promise<Replica> {
  const users = await store.listUsers(directoryId, { ...everything, withGroups: true })
  const groups = await store.listGroups(directoryId, everything)
  const members: Record<string, string[]> = {}
  for (const { item } of groups) {
    const found = await Array.fromAsync(membersOfGroup(store, directoryId, item.id))
    members[item.id] = found
      .flat()
      .map(({ id }) => id)
      .sort()
  }
  return {
    users: users.map(({ item }) => fromJsonText(userViewText(whole(item)))),
    groups: groups.map(({ item }) => fromJsonText(groupViewText(whole(item)))),
    members,
  }
}

/** The events of a directory after a sequence, as in the feed. */
export async function eventsOf(store: Store, directory: Directory, after: number): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = []
  for (;;) {
    const part = await store.eventsAfter(directory.id, events.at(-1)?.sequence ?? after, eventsPerRead)
    if (part.length === 0) return events
    events.push(...part.map((event) => eventObject(event, directory) as unknown as ReceivedEvent))
  }
}
