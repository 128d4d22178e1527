import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'

/** A user's email: the primary address, else the one of type `work`, else the first, else userName. */
export function emailOf(user: JsonObject): string {
  return preferredEmail(user) ?? textOf(own(user, 'userName')) ?? ''
}

/** A user's preferred email address (RFC 7643 §2.4, `primary`); undefined when there is none. */
export function preferredEmail(user: JsonObject): string | undefined {
  const emails = emailsOf(user)
  const preferred = emails.find(isPrimary) ?? emails.find(isForWork) ?? emails[0]
  return preferred === undefined ? undefined : textOf(own(preferred, 'value'))
}

/** Every email address of a user, as stored. */
export function emailValues(user: JsonObject): string[] {
  return emailsOf(user).map(({ value }) => String(value))
}

/** `name.givenName`, or '' when there is none. */
export function givenNameOf(user: JsonObject): string {
  return namePart(user, 'givenName')
}

/** `name.familyName`, or '' when there is none. */
export function familyNameOf(user: JsonObject): string {
  return namePart(user, 'familyName')
}

/** The elements of `emails` that have an address. */
function emailsOf(user: JsonObject): JsonObject[] {
  const emails = own(user, 'emails')
  if (!Array.isArray(emails)) return []
  return emails.filter((email): email is JsonObject => isObject(email) && textOf(own(email, 'value')) !== undefined)
}

function isPrimary(email: JsonObject): boolean {
  return own(email, 'primary') === true
}

function isForWork(email: JsonObject): boolean {
  return textOf(own(email, 'type'))?.toLowerCase() === 'work'
}

function namePart(user: JsonObject, part: string): string {
  const name = own(user, 'name')
  return isObject(name) ? (textOf(own(name, part)) ?? '') : ''
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
