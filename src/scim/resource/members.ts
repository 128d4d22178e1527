import type { ScimError } from '../errors.ts'
import { invalidValue } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { groupType } from '../schema/resource-type.ts'

const groupUrn = groupType.schema.id.toLowerCase()

/** The `members` in the body of a Group, unchanged; null becomes []. Undefined when the body does not contain them. */
export function membersOf(body: unknown): Json | undefined {
  if (!isObject(body)) return undefined
  const key = Object.keys(body).find(isMembers)
  if (key !== undefined) return body[key] ?? []
  const core = Object.keys(body).find((name) => name.toLowerCase() === groupUrn)
  return core === undefined ? undefined : membersIn(body[core])
}

/** The members in an object under the core schema's URN; null becomes []. */
function membersIn(core: Json | undefined): Json | undefined {
  if (!isObject(core)) return undefined
  const key = Object.keys(core).find((name) => name.toLowerCase() === 'members')
  return key === undefined ? undefined : (core[key] ?? [])
}

function isMembers(key: string): boolean {
  const folded = key.toLowerCase()
  return folded === 'members' || folded === `${groupUrn}:members`
}

/** A member as the identity provider sends it (RFC 7643 §4.2). */
export interface MemberValue {
  /** The id of a user or group. */
  readonly value: string
  readonly display?: string
  readonly type?: 'User' | 'Group'
}

/**
 * Parses a group's `members`: a list of members, or a single one. Duplicates are merged; null means none.
 *
 * @throws ScimError `invalidValue` when a member is not an object, its id is missing or a part is not text
 */
export function parseMemberValues(value: Json): MemberValue[] {
  if (value === null) return []
  const members = new Map<string, MemberValue>()
  for (const element of Array.isArray(value) ? value : [value]) {
    if (!isObject(element)) throw invalidMember('must be an object such as {"value": "<id>"}')
    const member = memberOf(element)
    members.set(member.value, member)
  }
  return [...members.values()]
}

function memberOf(element: JsonObject): MemberValue {
  const { operation, value, display: sentDisplay, type: sentType } = partsOf(element)
  if (operation !== undefined) throw invalidMember('must not have an operation: use a PatchOp request')
  const display = textOf(sentDisplay, 'display')
  const type = typeOf(textOf(sentType, 'type'))
  return {
    value: idOf(value),
    ...(display === undefined ? {} : { display }),
    ...(type === undefined ? {} : { type }),
  }
}

const partNames: ReadonlySet<string> = new Set(['operation', 'display', 'type', 'value'])

/** The known properties of an element by their names in lower case; the exact spelling wins over others. */
function partsOf(element: JsonObject): Readonly<Record<string, Json | undefined>> {
  const parts: Record<string, Json | undefined> = {}
  for (const key of Object.keys(element)) {
    const name = partNames.has(key) ? key : key.toLowerCase()
    if (partNames.has(name) && (name === key || !(name in parts))) parts[name] = element[key]
  }
  return parts
}

function idOf(value: Json | undefined): string {
  if (typeof value === 'string' && value !== '') return value
  throw invalidMember('needs the id of a user or group as its value')
}

function textOf(value: Json | undefined, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw invalidMember(`has a ${name} that is not text`)
}

/** The member's type, in any letter case; undefined for an unknown one. */
function typeOf(text: string | undefined): 'User' | 'Group' | undefined {
  const folded = text?.toLowerCase()
  if (folded === 'user') return 'User'
  return folded === 'group' ? 'Group' : undefined
}

function invalidMember(what: string): ScimError {
  return invalidValue(`An element of members ${what}.`)
}
