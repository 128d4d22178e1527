import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import type { Abridged } from './abridged.ts'
import { isComplete } from './abridged.ts'
import type { GroupView } from './group.ts'
import { groupViewText, groupWithoutRawText } from './group.ts'
import type { UserView } from './user.ts'
import { userViewText, userWithoutRawText } from './user.ts'

/**
 * The maximum size of the data of a `group.user_*` or `member.snapshot` event, in bytes: with the other fields, the
 * event has at most 16 KB, also if its user is linked to an account later. A short request can change a thousand members, and each of their events would repeat the
 * group.
 */
export const maxMembershipBytes = 13_312

/**
 * The length to which names are cut when a user's data is too long otherwise, in characters. JSON may need six bytes
 * for each.
 */
const maxNameLength = 512

/**
 * Makes the data of the events about members of a group: the user's own fields, and `group`. If they are too long
 * together, the `raw` of the group, of the user, or of both is replaced by `raw_omitted`; if that is not enough, names
 * are cut, and what a mapping made of the user is left out. A `raw` that was not read is left out as well.
 */
export function membershipDataOf(group: Abridged<GroupView>): (user: Abridged<UserView>) => JsonText<JsonObject> {
  const wholeGroup = isComplete(group) ? measured(groupViewText(group)) : undefined
  const shortGroup = measured(groupWithoutRawText(group))
  return (user) => {
    const wholeUser = isComplete(user) ? measured(userViewText(user)) : undefined
    const withUser = joined(wholeUser, wholeGroup) ?? joined(wholeUser, shortGroup)
    if (withUser !== undefined) return withUser
    const shortUser = measured(userWithoutRawText(user))
    const withoutUser = joined(shortUser, wholeGroup) ?? joined(shortUser, shortGroup)
    return withoutUser ?? textOf(userWithoutRawText(withShortNames(user)), shortGroup.text)
  }
}

interface Measured {
  readonly text: JsonText<JsonObject>
  readonly bytes: number
}

function measured(text: JsonText<JsonObject>): Measured {
  return { text, bytes: Buffer.byteLength(text) }
}

const groupName = ',"group":'

/** The data with both; undefined when it is too long, or one of the two is not known. */
function joined(user: Measured | undefined, group: Measured | undefined): JsonText<JsonObject> | undefined {
  if (user === undefined || group === undefined) return undefined
  if (user.bytes + groupName.length + group.bytes > maxMembershipBytes) return undefined
  return textOf(user.text, group.text)
}

function textOf(user: JsonText<JsonObject>, group: JsonText<JsonObject>): JsonText<JsonObject> {
  return `${user.slice(0, -1)}${groupName}${group}}` as JsonText<JsonObject>
}

function withShortNames(user: Abridged<UserView>): Abridged<UserView> {
  return { ...user, firstName: cut(user.firstName), lastName: cut(user.lastName), mapped: undefined }
}

/** The beginning of a text. A surrogate pair at its end is not split. */
function cut(text: string): string {
  return text.slice(0, maxNameLength).replace(/[\ud800-\udbff]$/, '')
}
