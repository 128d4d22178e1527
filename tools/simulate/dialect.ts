import type { JsonObject } from '../../src/scim/json.ts'
import type { Person } from './people/person.ts'
import type { Team } from './people/team.ts'
import type { CallKind, ScimRequest, Send } from './scim-call.ts'
import { patchBody, quoted } from './scim-call.ts'

/** A person whom the directory knows by an id. */
export interface LinkedUser {
  readonly id: string
  readonly person: Person
  /** The id of the person's manager, where there is one. */
  readonly managerId: string | undefined
}

/** A team that the directory knows by an id. */
export interface LinkedGroup {
  readonly id: string
  readonly team: Team
}

/** A change of a group's members. */
export interface MemberChange {
  /** Those who are added, or removed. */
  readonly members: readonly LinkedUser[]
  /** Everyone who is in the group afterwards, as far as the provider pushed them. */
  readonly after: readonly LinkedUser[]
}

/** How one provider speaks SCIM (the conversations in `test/service/traffic/` show each habit). */
export interface Dialect {
  readonly label: string
  readonly headers: {
    /** Sent with every request, beside `Authorization`. */
    readonly always: Readonly<Record<string, string>>
    /** Sent with requests that have a body. */
    readonly withBody: Readonly<Record<string, string>>
  }
  /** How many members go into the body that creates a group. */
  readonly membersAtCreation: number
  /** The most members that one call adds or removes. */
  readonly membersPerCall: number
  /** Whether some of the people who leave are deleted after they were deactivated. */
  readonly deletesUsers: boolean
  /** The test that an administrator runs before provisioning starts. */
  readonly connect: (send: Send, seed: number) => Promise<void>
  readonly lookUpUser: (person: Person) => ScimRequest
  readonly createUser: (person: Person) => ScimRequest
  /** Pushes the profile as it is now. */
  readonly updateUser: (user: LinkedUser) => ScimRequest[]
  readonly setActive: (user: LinkedUser, active: boolean) => ScimRequest[]
  readonly lookUpGroup: (team: Team) => ScimRequest
  readonly createGroup: (team: Team, members: readonly LinkedUser[]) => ScimRequest
  readonly addMembers: (group: LinkedGroup, change: MemberChange) => ScimRequest[]
  readonly removeMembers: (group: LinkedGroup, change: MemberChange) => ScimRequest[]
}

/** A PATCH of a user with these operations. */
export function patchUser(kind: CallKind, { id }: LinkedUser, ...operations: JsonObject[]): ScimRequest {
  return { kind, method: 'PATCH', path: `/Users/${id}`, body: patchBody(...operations) }
}

/** A PATCH of a group with these operations. */
export function patchGroup(kind: CallKind, { id }: LinkedGroup, ...operations: JsonObject[]): ScimRequest {
  return { kind, method: 'PATCH', path: `/Groups/${id}`, body: patchBody(...operations) }
}

/** A user as a member of a group, in the shortest form. */
export function referenceTo({ id }: LinkedUser): JsonObject {
  return { value: id }
}

/** The operation that removes one member by a value filter. */
export function removalOf({ id }: LinkedUser): JsonObject {
  return { op: 'remove', path: `members[value eq ${quoted(id)}]` }
}

/** What setting `active` counts as. */
export function activationKind(active: boolean): CallKind {
  return active ? 'reactivate user' : 'deactivate user'
}
