import { DirectoryError } from '../directory/errors.ts'
import type { UserListingInput } from '../directory/inputs.ts'
import type { Linked } from '../directory/resource.ts'
import { searchText, termsOf, userTexts } from '../directory/search-terms.ts'
import type { Static } from '../inputs/json-schema.ts'
import { fold } from '../scim/fold.ts'
import type { JsonObject } from '../scim/json.ts'
import { own } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { emailOf, emailValues } from '../scim/resource/user-fields.ts'

/** The conditions of a list of users; those that are undefined hold for every user. */
export interface UserConditions {
  readonly userName: string | undefined
  readonly email: string | undefined
  readonly externalId: string | undefined
  readonly accountId: string | undefined
  readonly active: boolean | undefined
  /** The id of a group. */
  readonly group: string | undefined
  /** Unix milliseconds. */
  readonly updatedSince: number | undefined
  readonly search: string | undefined
}

/** The conditions in the query of a list of users. */
export function userConditionsOf(fields: Static<typeof UserListingInput>): UserConditions {
  const { user_name, userName = user_name, email, externalId, active, group } = fields
  const { account_id: accountId, updated_since, search } = fields
  return {
    ...{ userName, email, externalId, accountId, group, search },
    active: active === undefined ? undefined : active === true || active === 'true',
    updatedSince: updated_since === undefined ? undefined : timeOf(updated_since),
  }
}

/**
 * Reads a time of RFC 3339, in Unix milliseconds.
 *
 * @throws DirectoryError `invalid-input` for a day that does not exist
 */
export function timeOf(text: string): number {
  const time = Date.parse(text.toUpperCase())
  if (Number.isSafeInteger(time)) return time
  const message = 'updated_since: this day does not exist.'
  throw new DirectoryError('invalid-input', message, [{ field: 'updated_since', message }])
}

/** The fields of a user that the conditions compare. */
export interface ComparedUser extends Linked {
  readonly active: boolean
  readonly updatedAt: number
  readonly raw: JsonText<JsonObject>
}

/** Returns whether a user meets all conditions except the one on its group. Texts are compared as the indexes do. */
export function meets(conditions: UserConditions, user: ComparedUser): boolean {
  const { accountId, active, updatedSince } = conditions
  if (accountId !== undefined && user.accountId !== accountId) return false
  if (active !== undefined && user.active !== active) return false
  if (updatedSince !== undefined && user.updatedAt < updatedSince) return false
  return !readsResource(conditions) || resourceMeets(conditions, fromJsonText(user.raw))
}

/** Returns whether a condition concerns the resource, and not only the columns beside it. */
export function readsResource({ userName, email, externalId, search }: UserConditions): boolean {
  return [userName, email, externalId, search].some((value) => value !== undefined)
}

function resourceMeets({ userName, email, externalId, search }: UserConditions, resource: JsonObject): boolean {
  if (externalId !== undefined && own(resource, 'externalId') !== externalId) return false
  if (userName !== undefined && !isSame(own(resource, 'userName'), userName)) return false
  const emails = emailValues(resource)
  // A user without an address is found by its userName, which stands for it.
  if (email !== undefined && ![...emails, emailOf(resource)].some((one) => isSame(one, email))) return false
  return search === undefined || isFoundBy(resource, search)
}

const isSame = (value: unknown, wanted: string) => typeof value === 'string' && fold(value) === fold(wanted)

/** Returns whether the userName, a word of a name or an address begins with a text. */
function isFoundBy(resource: JsonObject, search: string): boolean {
  const wanted = searchText(search)
  return termsOf(userTexts(resource)).some(({ term }) => term.startsWith(wanted))
}
