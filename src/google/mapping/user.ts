import type { Json, JsonObject } from '../../scim/json.ts'
import { enterpriseUserSchema, userSchema } from '../../scim/schema/user.ts'
import type { GoogleOrganization, GoogleTypedValue, GoogleUser } from '../client/items.ts'
import { given } from './given.ts'
import { keptText, wholeText } from './kept-text.ts'
import { googleUserUrn } from './urns.ts'
import { addressesOf, emailsOf, phoneNumbersOf } from './values.ts'

/**
 * A user of Google as the body of a SCIM request. The same user always gives the same body, whatever the order of its
 * values. Values that we cannot keep are left out, or cut; without a userName, that is a body which is refused.
 *
 * @param manager the enterprise `manager`, which is looked up elsewhere
 */
export function userBody(user: GoogleUser, manager: Json | undefined): JsonObject {
  const organization = organizationOf(user)
  const body = given({
    schemas: [userSchema.id],
    userName: wholeText(user.primaryEmail),
    externalId: wholeText(user.id),
    name: nameOf(user),
    displayName: displayNameOf(user),
    title: keptText(organization?.title),
    active: !user.suspended && !user.archived,
    emails: emailsOf(user),
    phoneNumbers: phoneNumbersOf(user),
    addresses: addressesOf(user),
    [enterpriseUserSchema.id]: enterpriseOf(user, organization, manager),
    [googleUserUrn]: googleOf(user),
  })
  return body ?? {}
}

/** The e-mail address of the user's manager, as Google has it. */
export function managerEmailOf({ relations }: GoogleUser): string | undefined {
  return wholeText(ofType(relations, 'manager'))
}

function nameOf({ givenName, familyName, fullName }: GoogleUser): JsonObject | undefined {
  return given({
    givenName: keptText(givenName),
    familyName: keptText(familyName),
    formatted: keptText(fullName),
  })
}

function displayNameOf({ givenName, familyName, fullName, primaryEmail }: GoogleUser): string | undefined {
  return keptText(fullName) ?? keptText(`${givenName} ${familyName}`.trim()) ?? keptText(primaryEmail)
}

function organizationOf({ organizations }: GoogleUser): GoogleOrganization | undefined {
  return organizations.find(({ isPrimary }) => isPrimary) ?? organizations[0]
}

function enterpriseOf(
  { externalIds }: GoogleUser,
  organization: GoogleOrganization | undefined,
  manager: Json | undefined,
): JsonObject | undefined {
  return given({
    employeeNumber: keptText(ofType(externalIds, 'organization')),
    costCenter: keptText(organization?.costCenter),
    organization: keptText(organization?.name),
    department: keptText(organization?.department),
    manager,
  })
}

function googleOf(user: GoogleUser): JsonObject | undefined {
  const { isAdmin, suspended, archived } = user
  const orgUnitPath = keptText(user.orgUnitPath)
  return given({ orgUnitPath, isAdmin, suspended, archived, managerEmail: managerEmailOf(user) })
}

/** The first value of that type, in the order of the values. */
function ofType(values: readonly GoogleTypedValue[], wanted: string): string | undefined {
  const [first] = values
    .filter(({ type, value }) => type === wanted && value !== '')
    .map(({ value }) => value)
    .toSorted()
  return first
}
