import type { JsonObject } from '../../scim/json.ts'
import { own } from '../../scim/json.ts'
import type { GoogleMember, GoogleMemberKind } from './items.ts'
import { idText } from './text.ts'

/** The fields to ask for. */
export const memberFields = 'id,type'

const kinds: ReadonlyMap<unknown, GoogleMemberKind> = new Map([
  ['USER', 'user'],
  ['GROUP', 'group'],
  ['CUSTOMER', 'customer'],
])

/** A member of a group; undefined when it lacks an id. */
export function parseMember(item: JsonObject): GoogleMember | undefined {
  const id = idText(own(item, 'id'))
  return id === undefined ? undefined : { id, kind: kinds.get(own(item, 'type')) ?? 'other' }
}

/** What members.hasMember answers; undefined when it is neither yes nor no. */
export function parseIsMember(body: JsonObject): boolean | undefined {
  const isMember = own(body, 'isMember')
  return typeof isMember === 'boolean' ? isMember : undefined
}
