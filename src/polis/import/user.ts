import type { DirectoryType } from '../../directory/provider.ts'
import type { IndexedUser } from '../../directory/user.ts'
import { userFrom } from '../../directory/user.ts'
import { parseUser } from '../../google/client/parse.ts'
import { userBody } from '../../google/mapping/user.ts'
import type { JsonObject } from '../../scim/json.ts'
import { own } from '../../scim/json.ts'
import { userType } from '../../scim/schema/resource-type.ts'
import { droppedPaths, importedResource, usableText } from './resource.ts'
import type { PolisUser } from './source.ts'

/** A user of Polis as a resource of ours. */
export interface ImportedUser {
  readonly id: string
  readonly resource: JsonObject
  /** The stored form, whose version and times follow. */
  readonly made: IndexedUser
  /** Attributes that are left out because a limit refuses them. */
  readonly refused: readonly string[]
  /** Attributes that Polis has kept and that are not stored here. */
  readonly dropped: readonly string[]
  /** Whether the product sees another `active` than it has seen from Polis. */
  readonly isActiveChanged: boolean
  readonly createdAt: number | undefined
}

const firstVersion = { version: 1, createdAt: 0, updatedAt: 0 }

/** Makes the resource of a user. That of a Google user is made as a sync from Google would make it. */
export function importedUser(user: PolisUser, type: DirectoryType): ImportedUser {
  const { id, email, createdAt } = user
  const raw = type === 'extdir' ? googleBody(user) : (user.raw as JsonObject)
  const { resource, made, refused } = importedResource(raw, {
    resourceType: userType,
    required: { name: 'userName', value: usableText(email, id) },
    store: (acceptable) => userFrom(acceptable, { id, ...firstVersion }),
  })
  const isActive = own(resource, 'active') !== false
  const active = own(raw, 'active') === undefined ? user.active : isActive
  return {
    id,
    ...(active === isActive ? { resource, made } : remade(id, { ...resource, active })),
    refused,
    dropped: type === 'extdir' ? [] : droppedPaths(raw, resource).filter((path) => !refused.includes(path)),
    isActiveChanged: active !== user.active,
    createdAt,
  }
}

function remade(id: string, resource: JsonObject): Pick<ImportedUser, 'resource' | 'made'> {
  return { resource, made: userFrom(resource, { id, ...firstVersion }) }
}

/** The user with another userName. */
export function withUserName(user: ImportedUser, userName: string): ImportedUser {
  return { ...user, ...remade(user.id, { ...user.resource, userName }) }
}

/** The SCIM form of a Google user, whose raw record is that of Google. */
function googleBody({ id, email, first_name, last_name, active, raw }: PolisUser): JsonObject {
  const found = raw as JsonObject
  const google = parseUser(found)
  if (google !== undefined) return userBody(google, undefined)
  if (own(found, 'userName') !== undefined) return found
  const name = { givenName: first_name, familyName: last_name }
  return { userName: email, externalId: id, name, active, emails: [{ value: email, primary: true, type: 'work' }] }
}
