import type { JsonObject } from '../scim/json.ts'
import { isObject, own } from '../scim/json.ts'
import type { About } from './about.ts'
import { changed, numberIn, objectIn, parsed, textIn } from './about.ts'
import type { Sources } from './mapped-attributes.ts'
import { withoutPerson } from './mentions.ts'
import { idInEvent } from './person.ts'
import type { PersonalRow, RowChange } from './privacy-store.ts'

/** The attributes that are a resource's own: another one may have the same value, which is then not about the person. */
const ownAttributes = {
  user: new Set([
    ...['schemas', 'id', 'userName', 'externalId', 'displayName', 'name', 'nickName', 'emails', 'phoneNumbers', 'ims'],
    ...['profileUrl', 'photos', 'x509Certificates', 'addresses', 'active'],
  ]),
  group: new Set(['schemas', 'id', 'displayName', 'externalId']),
} as const

type Kind = keyof typeof ownAttributes

/** A group without references to the person, such as the display name of a member. */
export function eraseGroup(row: PersonalRow, about: About): RowChange | undefined {
  const raw = textIn(row, 'raw')
  const group = mayMention(raw, about) ? objectIn(raw) : {}
  const without = JSON.stringify(attributesWithoutPerson(group, about, 'group'))
  return without === JSON.stringify(group) ? undefined : changed(row, { raw: without })
}

/** Another user without references to the person, such as `manager`, and without what a mapping has made of them. */
export function eraseOtherUser(row: PersonalRow, about: About): RowChange | undefined {
  const [raw, mapped] = [textIn(row, 'raw'), row.values['mapped'] ?? null]
  if (!mayMention(raw, about) && !(typeof mapped === 'string' && mayMention(mapped, about))) return undefined
  const before = objectIn(raw)
  const after = attributesWithoutPerson(before, about, 'user')
  const fields = typeof mapped === 'string' ? objectIn(mapped) : {}
  const fieldsAfter = mappedWithoutPerson(textIn(row, 'id'), fields, about, { before, after })
  const values = {
    ...(JSON.stringify(after) === JSON.stringify(before) ? {} : { raw: JSON.stringify(after) }),
    ...(fieldsAfter === fields ? {} : { mapped: JSON.stringify(fieldsAfter) }),
  }
  return Object.keys(values).length === 0 ? undefined : changed(row, values)
}

/** The roles and attributes of another user; the same object when none is about the person. */
function mappedWithoutPerson(userId: string, fields: JsonObject, { mapped }: About, sources: Sources): JsonObject {
  const attributes = own(fields, 'attributes')
  if (!isObject(attributes)) return fields
  const after = Object.entries(attributes).map(
    ([name, value]) => [name, mapped.without(userId, name, value, sources)] as const,
  )
  const isSame = after.every(([name, value]) => attributes[name] === value)
  return isSame ? fields : { ...fields, attributes: Object.fromEntries(after) }
}

function mayMention(text: string, { identifying, ids }: About): boolean {
  return identifying.isIn(text) || [...ids].some((id) => text.includes(id))
}

function attributesWithoutPerson(resource: JsonObject, { identifying, ids }: About, kind: Kind): JsonObject {
  const isOwn = (name: string) => (ownAttributes[kind] as ReadonlySet<string>).has(name)
  return Object.fromEntries(
    Object.entries(resource).map(([name, value]) => [
      name,
      isOwn(name) ? value : withoutPerson(value, identifying, ids),
    ]),
  )
}

/** Returns whether an event is about a user who is the person: its data begins with the id. */
export function isAboutUser({ values }: PersonalRow, { ids }: About): boolean {
  return ids.has(idInEvent(values['data']))
}

/** An event about the person without its data, or one about somebody else without references to the person. */
export function eraseEvent(row: PersonalRow, about: About): RowChange | undefined {
  const isOwn = isAboutUser(row, about)
  const change = isOwn ? eraseOwnEvent(row, about) : withoutMention(row, about)
  if (change !== undefined || isOwn) about.sequences.add(numberIn(row, 'sequence'))
  if (isOwn) about.ownSequences.add(numberIn(row, 'sequence'))
  return change
}

function eraseOwnEvent(row: PersonalRow, about: About): RowChange | undefined {
  const [data, changes] = [textIn(row, 'data'), row.values['changes'] ?? null]
  const without = erasedData(data, about)
  return without === data && changes === null ? undefined : changed(row, { data: without, changes: null })
}

/** The data of an event about the person: the id that Rollcall gave, and the group and resync that it belongs to. */
function erasedData(text: string, about: About): string {
  const data = parsed(text)
  if (!isObject(data)) return text
  const [group, syncId] = [own(data, 'group'), own(data, 'sync_id')]
  return JSON.stringify({
    id: own(data, 'id') ?? null,
    erased: true,
    ...(isObject(group) ? { group: viewWithoutPerson(group, about, 'group') } : {}),
    ...(syncId === undefined ? {} : { sync_id: syncId }),
  })
}

/** An event about somebody else, or a group, without references to the person. */
function withoutMention(row: PersonalRow, about: About): RowChange | undefined {
  const [data, changes] = [textIn(row, 'data'), row.values['changes'] ?? null]
  const userId = idInEvent(data)
  const isMentioned = (text: string) => mayMention(text, about) || about.mapped.isIn(text, userId)
  if (!isMentioned(data) && !(typeof changes === 'string' && isMentioned(changes))) return undefined
  const parsedData = parsed(data)
  if (!isObject(parsedData)) return undefined
  const kind: Kind =
    textIn(row, 'event_type').startsWith('group.') && row.values['group_id'] === null ? 'group' : 'user'
  const before = { view: parsedData, changes: typeof changes === 'string' ? objectIn(changes) : {} }
  const without = {
    view: viewWithoutPerson(parsedData, about, kind),
    changes: attributesWithoutPerson(before.changes, about, kind),
  }
  const sources = { before: sourcesIn(before), after: sourcesIn(without) }
  const mappedChanges = Object.entries(before.changes).flatMap(([name, change]) => {
    if (!name.startsWith(mappedChange) || !isObject(change)) return []
    const attribute = name.slice(mappedChange.length)
    const sides = Object.entries(change).map(
      ([side, value]) => [side, about.mapped.without(userId, attribute, value, sources)] as const,
    )
    return [[name, Object.fromEntries(sides)] as const]
  })
  const after = {
    data: JSON.stringify(mappedWithoutPerson(userId, without.view, about, sources)),
    changes:
      typeof changes === 'string'
        ? JSON.stringify({ ...without.changes, ...Object.fromEntries(mappedChanges) })
        : changes,
  }
  return after.data === data && after.changes === changes ? undefined : changed(row, after)
}

/** The beginning of the names of changed attributes that a mapping has made. */
const mappedChange = 'attributes.'

/** All that an event has, except what a mapping has made of it. */
function sourcesIn({ view, changes }: { readonly view: JsonObject; readonly changes: JsonObject }): JsonObject {
  const { attributes: _attributes, group: _group, ...fields } = view
  const unmapped = Object.entries(changes).filter(([name]) => !name.startsWith(mappedChange))
  return { fields, changes: Object.fromEntries(unmapped) }
}

/** A user or group as events show it, without references to the person. */
function viewWithoutPerson(view: JsonObject, about: About, kind: Kind): JsonObject {
  const [raw, group] = [own(view, 'raw'), own(view, 'group')]
  return {
    ...view,
    ...(isObject(raw) ? { raw: attributesWithoutPerson(raw, about, kind) } : {}),
    ...(isObject(group) ? { group: viewWithoutPerson(group, about, 'group') } : {}),
  }
}
