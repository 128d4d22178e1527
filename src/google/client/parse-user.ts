import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import type { GoogleAddress, GoogleEmail, GoogleOrganization, GoogleTypedValue, GoogleUser } from './items.ts'
import { parseList } from './parse-list.ts'
import { emailText, idText, longText, shortText } from './text.ts'

/** The fields to ask for; what is a list is asked for whole. */
export const userFields =
  'id,primaryEmail,name,suspended,archived,isAdmin,orgUnitPath,emails,phones,addresses,organizations,externalIds,relations'

/** A user of the Directory API; undefined when it lacks an id or an address, without which nothing can be done with it. */
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
    emails: parseList(item, 'emails', parseEmail),
    phones: parseList(item, 'phones', parseTypedValue),
    addresses: parseList(item, 'addresses', parseAddress),
    organizations: parseList(item, 'organizations', parseOrganization),
    externalIds: parseList(item, 'externalIds', parseTypedValue),
    relations: parseList(item, 'relations', parseTypedValue),
  }
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

/** A type of the customer's own is named in `customType`. */
function typeOf(item: JsonObject): string | undefined {
  const type = shortText(own(item, 'type'))
  return type === 'custom' ? (shortText(own(item, 'customType')) ?? type) : type
}
