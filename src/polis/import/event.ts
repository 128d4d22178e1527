import type { EventType } from '../../directory/event.ts'
import { groupViewText } from '../../directory/group.ts'
import { membershipDataOf } from '../../directory/membership-event.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import { userViewText } from '../../directory/user.ts'
import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import { importedGroup } from './group.ts'
import type { ImportedEvent } from './import-store.ts'
import { storedForm } from './resource.ts'
import type { PolisQueuedEvent } from './source.ts'
import { importedUser } from './user.ts'

const queuedTypes = [
  'user.created',
  'user.updated',
  'user.deleted',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.user_added',
  'group.user_removed',
] as const satisfies EventType[]

/** The directory that a queued event belongs to; undefined if it names none. */
export function directoryOf({ payload }: PolisQueuedEvent): string | undefined {
  const id = payload['directory_id']
  return typeof id === 'string' ? id : undefined
}

/** Makes an event of one that waits in Polis’ queue, in our form; undefined if its type or data is unknown. */
export function importedEvent(
  queued: PolisQueuedEvent,
  type: DirectoryType,
  newId: () => string,
): ImportedEvent | undefined {
  const { id, createdAt, payload } = queued
  const eventType = queuedTypes.find((known) => known === payload['event'])
  const data = payload['data']
  if (eventType === undefined || !isObject(data) || typeof own(data, 'id') !== 'string') return undefined
  const made = dataOf(eventType, data, type, createdAt)
  if (made === undefined) return undefined
  const eventId = uuidForm.test(id) ? id : newId()
  return { position: { createdAt, id }, event: { id: eventId, eventType, createdAt, requestId: 'import', ...made } }
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function dataOf(eventType: EventType, data: JsonObject, type: DirectoryType, at: number) {
  if (eventType.startsWith('user.')) return { data: userViewText(userOf(data, type, at)) }
  if (!eventType.startsWith('group.user_')) return { data: groupViewText(groupOf(data, type, at)) }
  const group = own(data, 'group')
  if (!isObject(group) || typeof own(group, 'id') !== 'string') return undefined
  const made = groupOf(group, type, at)
  return { data: membershipDataOf(made)(userOf(data, type, at)), groupId: made.id }
}

function userOf(data: JsonObject, type: DirectoryType, at: number) {
  const user = {
    ...{ id: textOf(data, 'id'), email: textOf(data, 'email') },
    ...{ first_name: textOf(data, 'first_name'), last_name: textOf(data, 'last_name') },
    ...{ active: own(data, 'active') !== false, raw: rawOf(data), createdAt: at },
  }
  return storedForm(importedUser(user, type), undefined, at)
}

function groupOf(data: JsonObject, type: DirectoryType, at: number) {
  const group = { id: textOf(data, 'id'), name: textOf(data, 'name'), raw: rawOf(data), createdAt: at }
  return storedForm(importedGroup(group, type), undefined, at)
}

function textOf(data: JsonObject, field: string): string {
  const value = own(data, field)
  return typeof value === 'string' ? value : ''
}

function rawOf(data: JsonObject): JsonObject {
  const raw = own(data, 'raw')
  return isObject(raw) ? raw : {}
}
