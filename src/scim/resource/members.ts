import type { ScimError } from '../errors.ts'
import { invalidValue } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import { groupType } from '../schema/resource-type.ts'

const groupUrn = groupType.schema.id.toLowerCase()

/** The `members` of a Group's body as they were sent, null as []; undefined when the body does not mention them. */
export function membersOf(body: unknown): Json | undefined {
  if (!isObject(body)) return undefined
  const key = Object.keys(body).find(isMembers)
  if (key !== undefined) return body[key] ?? []
  const core = Object.keys(body).find((name) => name.toLowerCase() === groupUrn)
  return core === undefined ? undefined : membersIn(body[core])
}

/** The members in an object under the core schema's URN; null as []. */
function membersIn(core: Json | undefined): Json | undefined {
  if (!isObject(core)) return undefined
  const key = Object.keys(core).find((name) => name.toLowerCase() === 'members')
  return key === undefined ? undefined : (core[key] ?? [])
}

function isMembers(key: string): boolean {
  const folded = key.toLowerCase()
  return folded === 'members' || folded === `${groupUrn}:members`
}

/** A member as an identity provider names it (RFC 7643 §4.2). */
export interface MemberValue {
  /** The id of the user or group. */
  readonly value: string
  readonly display?: string
  readonly type?: 'User' | 'Group'
}

/**
 * Reads a group's `members`: a list, a single member, or bare ids. A member named twice is one; null is nobody.
 *
 * @throws ScimError `invalidValue` when there is no id where one must be, or a part is not text
 */
export function parseMemberValues(value: Json): MemberValue[] {
  if (value === null) return []
  const members = new Map<string, MemberValue>()
  for (const element of Array.isArray(value) ? value : [value]) {
    const member = isObject(element) ? memberOf(element) : { value: idOf(element) }
    members.set(member.value, member)
  }
  return [...members.values()]
}

function memberOf(element: JsonObject): MemberValue {
  if (part(element, 'operation') !== undefined)
    throw invalidMember('has an operation of its own: use a PatchOp request')
  const display = textOf(part(element, 'display'), 'display')
  const type = typeOf(textOf(part(element, 'type'), 'type'))
  return {
    value: idOf(part(element, 'value')),
    ...(display === undefined ? {} : { display }),
    ...(type === undefined ? {} : { type }),
  }
}

/** A part of an element; names are case-insensitive, but hardly anyone makes use of it. */
function part(element: JsonObject, name: string): Json | undefined {
  const exact = own(element, name)
  if (exact !== undefined) return exact
  const key = Object.keys(element).find((one) => one.toLowerCase() === name)
  return key === undefined ? undefined : element[key]
}

function idOf(value: Json | undefined): string {
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number') return String(value)
  throw invalidMember('needs the id of a user or group as its value')
}

function textOf(value: Json | undefined, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw invalidMember(`has a ${name} that is not text`)
}

/** What a member is, in any letter case; other words say nothing. */
function typeOf(text: string | undefined): 'User' | 'Group' | undefined {
  const folded = text?.toLowerCase()
  if (folded === 'user') return 'User'
  return folded === 'group' ? 'Group' : undefined
}

function invalidMember(what: string): ScimError {
  return invalidValue(`An element of members ${what}.`)
}
