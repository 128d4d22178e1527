import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import type {
  GoogleAddress,
  GoogleEmail,
  GoogleGroup,
  GoogleMember,
  GoogleMemberKind,
  GoogleOrganization,
  GooglePage,
  GoogleTypedValue,
  GoogleUser,
} from './items.ts'

/** Maximum lengths in characters. Values that are looked up later fit the indexes of both databases. */
const maxShortLength = 512
const maxLongLength = 4_096
const maxIdLength = 256
const maxTokenLength = 16_384
/** The maximum number of values per repeated attribute; the rest is dropped. */
const maxValues = 100

/** The value of the `fields` parameter for users; repeated attributes are requested whole. */
export const userFields =
  'id,primaryEmail,name,suspended,archived,isAdmin,orgUnitPath,emails,phones,addresses,organizations,externalIds,relations'
export const groupFields = 'id,email,name,description'
export const memberFields = 'id,type'

/** Parses a user of the Directory API; undefined if it lacks an id or a primary email address. */
export function parseUser(item: JsonObject): GoogleUser | undefined {
  const id = idText(own(item, 'id'))
  const primaryEmail = emailText(own(item, 'primaryEmail'))
  if (id === undefined || primaryEmail === undefined) return undefined
  return {
    id,
    primaryEmail,
    ...parseName(own(item, 'name')),
    suspended: own(item, 'suspended') === true,
    archived: own(item, 'archived') === true,
    isAdmin: own(item, 'isAdmin') === true,
    orgUnitPath: shortText(own(item, 'orgUnitPath')),
    emails: parseValues(item, 'emails', parseEmail),
    phones: parseValues(item, 'phones', parseTypedValue),
    addresses: parseValues(item, 'addresses', parseAddress),
    organizations: parseValues(item, 'organizations', parseOrganization),
    externalIds: parseValues(item, 'externalIds', parseTypedValue),
    relations: parseValues(item, 'relations', parseTypedValue),
  }
}

/** Google's id of the customer that a user belongs to; undefined if it is missing. */
export function parseCustomerId(user: JsonObject): string | undefined {
  const id = own(user, 'customerId')
  return typeof id === 'string' && /^[\w-]{1,100}$/.test(id) ? id : undefined
}

/** Parses a group of the Directory API; undefined if it lacks an id. */
export function parseGroup(item: JsonObject): GoogleGroup | undefined {
  const id = idText(own(item, 'id'))
  if (id === undefined) return undefined
  return {
    id,
    email: emailText(own(item, 'email')) ?? '',
    name: shortText(own(item, 'name')) ?? '',
    description: longText(own(item, 'description')) ?? '',
  }
}

const memberKinds: ReadonlyMap<unknown, GoogleMemberKind> = new Map([
  ['USER', 'user'],
  ['GROUP', 'group'],
  ['CUSTOMER', 'customer'],
])

/** Parses a member of a group; undefined if it lacks an id. */
export function parseMember(item: JsonObject): GoogleMember | undefined {
  const id = idText(own(item, 'id'))
  return id === undefined ? undefined : { id, kind: memberKinds.get(own(item, 'type')) ?? 'other' }
}

/** Parses the response of members.hasMember; undefined if it is neither true nor false. */
export function parseIsMember(body: JsonObject): boolean | undefined {
  const isMember = own(body, 'isMember')
  return typeof isMember === 'boolean' ? isMember : undefined
}

/** A list of the Directory API. */
export interface ListForm<T> {
  /** The property of a page that contains its items. */
  readonly name: 'users' | 'groups' | 'members'
  readonly parse: (item: JsonObject) => T | undefined
}

/**
 * Parses a page of a list; undefined if any item is invalid, because a dropped item would look deleted. For the same
 * reason, a page without items must state its `kind`.
 */
export function parsePage<T>(body: JsonObject, { name, parse }: ListForm<T>): GooglePage<T> | undefined {
  const list = own(body, name) ?? (own(body, 'kind') === `admin#directory#${name}` ? [] : undefined)
  const nextPageToken = own(body, 'nextPageToken') ?? ''
  if (!Array.isArray(list) || typeof nextPageToken !== 'string' || nextPageToken.length > maxTokenLength)
    return undefined
  const items: T[] = []
  for (const item of list) {
    const parsed = isObject(item) ? parse(item) : undefined
    if (parsed === undefined) return undefined
    items.push(parsed)
  }
  return { items, nextPageToken: nextPageToken === '' ? undefined : nextPageToken }
}

/** The valid values of a repeated attribute; none if it is absent or not a list. */
function parseValues<T>(object: JsonObject, name: string, parse: (item: JsonObject) => T | undefined): T[] {
  const list = own(object, name)
  if (!Array.isArray(list)) return []
  return list.slice(0, maxValues).flatMap((item) => {
    const parsed = isObject(item) ? parse(item) : undefined
    return parsed === undefined ? [] : [parsed]
  })
}

function parseName(name: unknown): Pick<GoogleUser, 'givenName' | 'familyName' | 'fullName'> {
  const text = (part: string) => (isObject(name) ? (shortText(own(name, part)) ?? '') : '')
  return { givenName: text('givenName'), familyName: text('familyName'), fullName: text('fullName') }
}

function parseEmail(item: JsonObject): GoogleEmail | undefined {
  const address = emailText(own(item, 'address'))
  if (address === undefined) return undefined
  return { address, type: typeOf(item), isPrimary: own(item, 'primary') === true }
}

function parseTypedValue(item: JsonObject): GoogleTypedValue | undefined {
  const value = shortText(own(item, 'value'))
  return value === undefined ? undefined : { value, type: typeOf(item) }
}

function parseAddress(item: JsonObject): GoogleAddress {
  return {
    type: typeOf(item),
    formatted: longText(own(item, 'formatted')),
    streetAddress: longText(own(item, 'streetAddress')),
    locality: shortText(own(item, 'locality')),
    region: shortText(own(item, 'region')),
    postalCode: shortText(own(item, 'postalCode')),
    country: shortText(own(item, 'country')),
  }
}

function parseOrganization(item: JsonObject): GoogleOrganization {
  return {
    isPrimary: own(item, 'primary') === true,
    name: shortText(own(item, 'name')),
    title: shortText(own(item, 'title')),
    department: shortText(own(item, 'department')),
    costCenter: shortText(own(item, 'costCenter')),
  }
}

/** `customType` names a type that the customer defined. */
function typeOf(item: JsonObject): string | undefined {
  const type = shortText(own(item, 'type'))
  return type === 'custom' ? (shortText(own(item, 'customType')) ?? type) : type
}

/** All control characters except tabs and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** A text that can be stored, truncated to its limit; undefined if it is absent, empty or not a string. */
export function shortText(value: unknown): string | undefined {
  return cleanText(value, maxShortLength)
}

/** Like `shortText`, for attributes that may have several lines. */
export function longText(value: unknown): string | undefined {
  return cleanText(value, maxLongLength)
}

function cleanText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = truncate(value.replace(controls, '').toWellFormed(), maxLength)
  return text === '' ? undefined : text
}

/** Does not split a surrogate pair. */
function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength)
}

/** An id, unchanged; undefined if it is invalid. */
export function idText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxIdLength && /^[\x21-\x7e]+$/.test(value) ? value : undefined
}

/** An email address, never truncated; undefined if it is invalid or too long. */
export function emailText(value: unknown): string | undefined {
  const isFit = typeof value === 'string' && value.length <= maxShortLength && value.isWellFormed()
  return isFit && /^[^\s\p{Cc}]+$/u.test(value) && value.slice(1, -1).includes('@') ? value : undefined
}
