import type { Json, JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'

import { enterpriseUserSchema, userSchema } from '../../scim/schema/user.ts'
import type { GoogleOrganization, GoogleTypedValue, GoogleUser } from '../client/items.ts'
import { addressesOf, compactObject, emailsOf, exactText, phoneNumbersOf, truncatedText } from './values.ts'

/** Attributes of a Google user that SCIM does not define. */
const googleUserUrn = 'urn:rollcall:params:scim:schemas:extension:google:2.0:User'

/**
 * Maps a Google user to the body of a SCIM request. The result does not depend on the order of the user's values.
 * Values that cannot be stored are dropped or truncated; a body without a userName is invalid.
 *
 * @param manager the enterprise `manager`, resolved by the caller
 */
export function userBody(user: GoogleUser, manager: Json | undefined): JsonObject {
  const organization = organizationOf(user)
  const body = compactObject({
    schemas: [userSchema.id],
    userName: exactText(user.primaryEmail),
    externalId: exactText(user.id),
    name: nameOf(user),
    displayName: displayNameOf(user),
    title: truncatedText(organization?.title),
    active: !user.suspended && !user.archived,
    emails: emailsOf(user),
    phoneNumbers: phoneNumbersOf(user),
    addresses: addressesOf(user),
    [enterpriseUserSchema.id]: enterpriseOf(user, organization, manager),
    [googleUserUrn]: googleExtensionOf(user),
  })
  return body ?? {}
}

/** The email address of the user's manager in Google. */
export function managerEmailOf({ relations }: GoogleUser): string | undefined {
  return exactText(firstOfType(relations, 'manager'))
}

function nameOf({ givenName, familyName, fullName }: GoogleUser): JsonObject | undefined {
  return compactObject({
    givenName: truncatedText(givenName),
    familyName: truncatedText(familyName),
    formatted: truncatedText(fullName),
  })
}

function displayNameOf({ givenName, familyName, fullName, primaryEmail }: GoogleUser): string | undefined {
  return truncatedText(fullName) ?? truncatedText(`${givenName} ${familyName}`.trim()) ?? truncatedText(primaryEmail)
}

function organizationOf({ organizations }: GoogleUser): GoogleOrganization | undefined {
  return organizations.find(({ isPrimary }) => isPrimary) ?? organizations[0]
}

function enterpriseOf(
  { externalIds }: GoogleUser,
  organization: GoogleOrganization | undefined,
  manager: Json | undefined,
): JsonObject | undefined {
  return compactObject({
    employeeNumber: truncatedText(firstOfType(externalIds, 'organization')),
    costCenter: truncatedText(organization?.costCenter),
    organization: truncatedText(organization?.name),
    department: truncatedText(organization?.department),
    manager,
  })
}

function googleExtensionOf(user: GoogleUser): JsonObject | undefined {
  const { isAdmin, suspended, archived } = user
  const orgUnitPath = truncatedText(user.orgUnitPath)
  return compactObject({ orgUnitPath, isAdmin, suspended, archived, managerEmail: managerEmailOf(user) })
}

/** The first value of a type in sort order, so that it does not depend on the order of the values. */
function firstOfType(values: readonly GoogleTypedValue[], wanted: string): string | undefined {
  const [first] = values
    .filter(({ type, value }) => type === wanted && value !== '')
    .map(({ value }) => value)
    .toSorted()
  return first
}

/** The manager attribute of a stored user. */
export function storedManager(raw: JsonObject): Json | undefined {
  return extensionAttribute(raw, enterpriseUserSchema.id, 'manager')
}

/** The id of a stored user's manager. */
export function storedManagerId(raw: JsonObject): string | undefined {
  const manager = storedManager(raw)
  return isObject(manager) ? textOf(own(manager, 'value')) : undefined
}

/** The email address of a stored user's manager. */
export function storedManagerEmail(raw: JsonObject): string | undefined {
  return textOf(extensionAttribute(raw, googleUserUrn, 'managerEmail'))
}

/** Replaces the manager of a stored user; removes it if the id is undefined. */
export function withManager(raw: JsonObject, id: string | undefined): JsonObject {
  const { manager: _, ...others } = objectOf(own(raw, enterpriseUserSchema.id))
  const enterprise = id === undefined ? others : { ...others, manager: { value: id } }
  const { [enterpriseUserSchema.id]: __, ...rest } = raw
  return Object.keys(enterprise).length === 0 ? rest : { ...rest, [enterpriseUserSchema.id]: enterprise }
}

function extensionAttribute(raw: JsonObject, urn: string, name: string): Json | undefined {
  return own(objectOf(own(raw, urn)), name)
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
