import { fold } from '../scim/fold.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { emailOf, emailValues, familyNameOf, givenNameOf } from '../scim/resource/user-fields.ts'
import { indexable, resourceText } from './limits.ts'

/** A user of a directory. Times are Unix milliseconds. */
export interface User {
  readonly id: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly userName: string
  readonly externalId: string | undefined
  readonly displayName: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly active: boolean
  /** The resource as provisioned, with `id`, without password, `meta` and `groups`. */
  readonly raw: JsonText<JsonObject>
}

/** What a SCIM answer shows of a user. */
export type ScimUser = Pick<User, 'id' | 'version' | 'createdAt' | 'updatedAt' | 'raw'>

/** A user with what its row is found by and that is not in the row itself. */
export interface IndexedUser extends User {
  /** Every e-mail address, folded, each once. */
  readonly emails: readonly string[]
}

/**
 * The user that a resource describes (design §4.3). `resource` has its `schemas` and no `id` or `meta`.
 *
 * @throws ScimError 400 `invalidValue` when an attribute that is looked up is too long, 413 when all of it is
 */
export function userFrom(
  resource: JsonObject,
  { id, version, createdAt, updatedAt }: Pick<User, 'id' | 'version' | 'createdAt' | 'updatedAt'>,
): IndexedUser {
  const { schemas = [], active = true, ...rest } = resource
  const userName = indexable('userName', rest['userName']) ?? ''
  return {
    id,
    version,
    createdAt,
    updatedAt,
    userName,
    externalId: indexable('externalId', rest['externalId']),
    displayName: indexable('displayName', rest['displayName']) ?? userName,
    email: emailOf(resource),
    firstName: givenNameOf(resource),
    lastName: familyNameOf(resource),
    active: active !== false,
    raw: resourceText({ schemas, id, ...rest, active }),
    emails: foldedEmails(resource),
  }
}

/** A stored user with what its row is found by. */
export function indexedUser(user: User): IndexedUser {
  return { ...user, emails: foldedEmails(fromJsonText(user.raw)) }
}

function foldedEmails(resource: JsonObject): string[] {
  return [...new Set(emailValues(resource).map((email) => fold(indexable('emails.value', email) ?? '')))]
}

/** The resource behind a stored user, without its `id`, ready to be changed. */
export function resourceOf(raw: JsonObject): JsonObject {
  const { id: _, ...resource } = raw
  return resource
}

/** What the product reads of a user. */
export type UserView = Pick<User, 'id' | 'firstName' | 'lastName' | 'email' | 'active' | 'raw'>

/** A user as the product reads it, as JSON text: `id, first_name, last_name, email, active, raw`. */
export function userViewText({ id, firstName, lastName, email, active, raw }: UserView): JsonText<JsonObject> {
  const first = JSON.stringify(firstName)
  const last = JSON.stringify(lastName)
  return `{"id":${JSON.stringify(id)},"first_name":${first},"last_name":${last},"email":${JSON.stringify(email)},"active":${active},"raw":${raw}}` as JsonText<JsonObject>
}
