import { fold } from '../scim/fold.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { emailOf, emailValues, familyNameOf, givenNameOf } from '../scim/resource/user-fields.ts'
import { indexable, resourceText } from './limits.ts'
import type { Linked, Returned, StoredResource, VersionInfo } from './resource.ts'
import type { SearchedTexts } from './search-terms.ts'
import { userTexts } from './search-terms.ts'

/** A user of a directory. */
export interface User extends StoredResource, Returned, Linked {
  readonly userName: string
  readonly externalId: string | undefined
  readonly displayName: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly active: boolean
  /** Its roles and attributes by the mapping of its directory; undefined without a mapping. */
  readonly mapped?: JsonText<MappedFields> | undefined
  /** False if one of its addresses is outside the allowed domains of its directory. */
  readonly domainAllowed?: false | undefined
}

/** The roles, sorted, and the attributes that a mapping gives to a user. */
export type MappedFields = {
  readonly roles: readonly string[]
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** A user with the index entries that are not columns of its row. */
export interface IndexedUser extends User {
  /** All email addresses, folded, without duplicates. */
  readonly emails: readonly string[]
  /** The texts by which searches over directories find it. */
  readonly searched: SearchedTexts
}

/**
 * Makes a version of a user from its resource, which has `schemas` but no `id` or `meta`.
 *
 * @throws ScimError 400 `invalidValue` when an indexed attribute is too long, 413 when the resource is too large
 */
export function userFrom(
  resource: JsonObject,
  { id, version, createdAt, updatedAt, returnedFrom, accountId }: VersionInfo,
): IndexedUser {
  const { schemas = [], active = true, ...rest } = resource
  const userName = indexable('userName', rest['userName']) ?? ''
  return {
    id,
    version,
    createdAt,
    updatedAt,
    ...(returnedFrom === undefined ? {} : { returnedFrom }),
    ...(accountId === undefined ? {} : { accountId }),
    userName,
    externalId: indexable('externalId', rest['externalId']),
    displayName: indexable('displayName', rest['displayName']) ?? userName,
    ...shownFieldsOf(resource),
    raw: resourceText({ schemas, id, ...rest, active }),
    emails: foldedEmails(resource),
    searched: userTexts(resource),
  }
}

/** The fields of a stored user that the store needs to replace it. */
export type ReplacedUser = Pick<IndexedUser, 'id' | 'version' | ChangingField>

type ChangingField = 'userName' | 'externalId' | 'emails' | 'searched' | 'active'

/** The fields of a stored resource that the change of a user depends on. */
export function changingFieldsOf(resource: JsonObject): Pick<IndexedUser, ChangingField> {
  const userName = indexable('userName', resource['userName']) ?? ''
  const externalId = indexable('externalId', resource['externalId'])
  const indexed = { emails: foldedEmails(resource), searched: userTexts(resource) }
  return { userName, externalId, active: resource['active'] !== false, ...indexed }
}

/** Adds the index entries to a stored user. */
export function indexedUser(user: User): IndexedUser {
  const resource = fromJsonText(user.raw)
  return { ...user, emails: foldedEmails(resource), searched: userTexts(resource) }
}

function foldedEmails(resource: JsonObject): string[] {
  return [...new Set(emailValues(resource).map((email) => fold(indexable('emails.value', email) ?? '')))]
}

/** A user as the product's API returns it. */
export type UserView = Pick<
  User,
  | 'id'
  | 'accountId'
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'active'
  | 'returnedFrom'
  | 'mapped'
  | 'domainAllowed'
  | 'raw'
>

/**
 * The fields that the product's API returns beside the resource. A user is active unless its resource says otherwise.
 */
function shownFieldsOf(resource: JsonObject): Omit<UserView, 'id' | 'accountId' | 'returnedFrom' | 'raw'> {
  return {
    email: emailOf(resource),
    firstName: givenNameOf(resource),
    lastName: familyNameOf(resource),
    active: resource['active'] !== false,
  }
}

/**
 * The JSON text of a user as events have it: `id, account_id, first_name, last_name, email, active, raw`, and `returned_from` of a user who
 * was deleted before, `domain_allowed` of one with an address outside the allowed domains, and `roles` and `attributes` in a directory
 * with a mapping.
 *
 * @param more the text of further fields, each with a comma before it
 */
export function userViewText(user: UserView, more = ''): JsonText<JsonObject> {
  return `${beforeRaw(user)}${more},"raw":${user.raw}}` as JsonText<JsonObject>
}

/** Like `userViewText`, with `raw_omitted` instead of `raw`. */
export function userWithoutRawText(user: Omit<UserView, 'raw'>): JsonText<JsonObject> {
  return `${beforeRaw(user)},"raw_omitted":true}` as JsonText<JsonObject>
}

function beforeRaw(user: Omit<UserView, 'raw'>): string {
  const { id, accountId = null, firstName, lastName, email, active, returnedFrom, mapped, domainAllowed } = user
  const first = JSON.stringify(firstName)
  const last = JSON.stringify(lastName)
  const returned = returnedFrom === undefined ? '' : `,"returned_from":${returnedFrom}`
  const ofDomain = domainAllowed === false ? ',"domain_allowed":false' : ''
  const ofMapping = mapped === undefined ? '' : `,${mapped.slice(1, -1)}`
  return `{"id":${JSON.stringify(id)},"account_id":${JSON.stringify(accountId)},"first_name":${first},"last_name":${last},"email":${JSON.stringify(email)},"active":${active}${returned}${ofDomain}${ofMapping}`
}

/** The beginning of a text of `beforeRaw`: the id and the account id of the user. */
const beginning = /^\{"id":("(?:[^"\\]|\\.)*"),"account_id":(?:null|"(?:[^"\\]|\\.)*")/

/** The id of the user that the data of an event begins with; undefined when it is about something else, or erased. */
export function userIdIn(data: string): string | undefined {
  const id = beginning.exec(data)?.[1]
  return id === undefined ? undefined : JSON.parse(id)
}

/** The data of an event about a user, with another account id. */
export function withAccountId<T extends string>(data: T, accountId: string | undefined): T {
  return data.replace(beginning, (_, id) => `{"id":${id},"account_id":${JSON.stringify(accountId ?? null)}`) as T
}
