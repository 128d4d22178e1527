import type { Json, JsonObject } from '../../../src/scim/json.ts'
import type { DeletedFakeUser, FakeUser } from '../model/items.ts'
import type { ApiContext } from './context.ts'
import { etagOf } from './listing.ts'

/** A user as the Directory API shows it. Etags, the last login and the photo are others every time. */
export function showUser(context: ApiContext, user: FakeUser | DeletedFakeUser): JsonObject {
  const { suspended, archived, isAdmin, orgUnitPath } = user
  return {
    kind: 'admin#directory#user',
    id: user.id,
    etag: etagOf(context),
    primaryEmail: user.primaryEmail,
    name: nameOf(user),
    isAdmin,
    isDelegatedAdmin: false,
    creationTime: new Date(user.createdAt).toISOString(),
    agreedToTerms: user.hasLoggedIn,
    suspended,
    ...(suspended && { suspensionReason: 'ADMIN' }),
    archived,
    changePasswordAtNextLogin: false,
    ipWhitelisted: false,
    emails: emailsOf(user),
    ...listsOf(user),
    customerId: context.state.customerId,
    orgUnitPath,
    isMailboxSetup: true,
    isEnrolledIn2Sv: false,
    isEnforcedIn2Sv: false,
    includeInGlobalAddressList: true,
    ...volatileOf(context, user),
    ...('deletedAt' in user && { deletionTime: new Date(user.deletedAt).toISOString() }),
  }
}

function nameOf({ givenName, familyName }: FakeUser): JsonObject {
  return { givenName, familyName, fullName: `${givenName} ${familyName}`.trim() }
}

function emailsOf({ primaryEmail, aliases, otherEmails }: FakeUser): Json[] {
  return [{ address: primaryEmail, primary: true }, ...aliases.map((address) => ({ address })), ...otherEmails]
}

/** The blocks that are left out when they are empty. */
function listsOf(user: FakeUser): JsonObject {
  const { aliases, organizations, externalIds, relations, phones, addresses, languages } = user
  const lists = { aliases, organizations, externalIds, relations, phones, addresses, languages }
  const shown: JsonObject = {}
  for (const [name, list] of Object.entries(lists)) if (list !== undefined && list.length > 0) shown[name] = [...list]
  return shown
}

function volatileOf(context: ApiContext, { hasLoggedIn }: FakeUser): JsonObject {
  const mark = context.nextMark()
  return {
    lastLoginTime: new Date(hasLoggedIn ? context.now() + mark : 0).toISOString(),
    thumbnailPhotoUrl: `https://photos.example.com/${mark.toString(36)}`,
    thumbnailPhotoEtag: etagOf(context),
  }
}
