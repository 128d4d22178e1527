import type { ScimError } from '../errors.ts'
import { invalidValue, quote } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import { groupSchema, membersAttribute } from '../schema/group.ts'
import type { Attribute } from '../schema/schema.ts'
import { unwrapSingle } from './attribute-value.ts'
import { coerceAttribute } from './coerce.ts'
import { digitsOf } from './coerce-simple.ts'
import { readShape } from './value-shape.ts'

const groupUrn = groupSchema.id.toLowerCase()

/** The `members` in the body of a Group, unchanged; null becomes []. Undefined when the body does not contain them. */
export function membersOf(body: unknown): Json | undefined {
  if (!isObject(body)) return undefined
  const key = Object.keys(body).find(isMembers)
  if (key !== undefined) return body[key] ?? []
  const core = Object.keys(body).find((name) => name.length === groupUrn.length && name.toLowerCase() === groupUrn)
  return core === undefined ? undefined : membersIn(body[core])
}

/** The members in an object under the core schema's URN; null becomes []. */
function membersIn(core: Json | undefined): Json | undefined {
  if (!isObject(core)) return undefined
  const key = Object.keys(core).find((name) => name.toLowerCase() === 'members')
  return key === undefined ? undefined : (core[key] ?? [])
}

function isMembers(key: string): boolean {
  if (key.length > `${groupUrn}:members`.length) return false
  const folded = key.toLowerCase()
  return folded === 'members' || folded === `${groupUrn}:members` || folded === `${groupUrn}.members`
}

/**
 * The text that stands for all `members`, alone or in a list of one. It must be the id of a user or group: with an unknown id,
 * as when several are joined by commas, the group would lose its members or keep those to remove.
 */
export function memberText(value: Json): string | undefined {
  const one = unwrapSingle(readShape(membersAttribute, value))
  if (typeof one === 'number') return digitsOf(one)
  return typeof one === 'string' ? one : undefined
}

/** The error for a text in `members` that is not the id of a user or group of the directory. */
export function notAMember(text: string): ScimError {
  return invalidValue(
    `${quote(text)} is not the id of a user or group of this directory: send members as a list such as [{"value": "<id>"}].`,
  )
}

/**
 * Parses a group's `members`, a list of members or a single one, into the ids of users and groups; null means none. A
 * member may be only its id. Its other parts are not kept: the directory knows its type and name. In the strict profile, it is a
 * list of objects.
 *
 * @param attribute `members`, as the profile of the directory defines it
 * @throws ScimError `invalidValue` when a member is neither an object nor an id, its id is missing or a part is not
 * text
 */
export function parseMemberIds(input: Json, attribute: Attribute = membersAttribute): Set<string> {
  const ids = new Set<string>()
  const value = attribute.isStrict ? (coerceAttribute(attribute, input) ?? null) : readShape(attribute, input)
  if (value === null) return ids
  for (const element of Array.isArray(value) ? value : [value]) {
    ids.add(isObject(element) ? memberId(element) : idOf(element))
  }
  return ids
}

function memberId(element: JsonObject): string {
  const names = Object.keys(element)
  // Most members of large groups have this form: looking for other spellings would take most of the time.
  if (names.length === 1 && names[0] === 'value') return idOf(element['value'])
  if (partOf(element, 'operation') !== undefined) {
    throw invalidMember('must not have an operation: use a PatchOp request')
  }
  requireText(partOf(element, 'display'), 'display')
  requireText(partOf(element, 'type'), 'type')
  return idOf(partOf(element, 'value'))
}

/** The property with that name in lower case, else the first one with the name in another letter case. */
function partOf(element: JsonObject, name: string): Json | undefined {
  const exact = own(element, name)
  if (exact !== undefined) return exact
  for (const key of Object.keys(element)) {
    if (key.length === name.length && key.toLowerCase() === name) return element[key]
  }
  return undefined
}

function idOf(value: Json | undefined): string {
  const id = typeof value === 'number' ? digitsOf(value) : value
  if (typeof id === 'string' && id !== '') return id
  throw invalidMember('needs the id of a user or group as its value, such as {"value": "<id>"}')
}

function requireText(value: Json | undefined, name: string): void {
  if (value === undefined || value === null || typeof value === 'string') return
  throw invalidMember(`has a ${name} that is not text`)
}

function invalidMember(what: string): ScimError {
  return invalidValue(`An element of members ${what}.`)
}
