import type { JsonObject } from '../../src/scim/json.ts'
import type { Person } from './people/person.ts'
import type { Team } from './people/team.ts'
import type { CallKind, ScimRequest, Send } from './scim-call.ts'
import { patchBody, quoted } from './scim-call.ts'

/** A person with the id of their user in the directory. */
export interface LinkedUser {
  readonly id: string
  readonly person: Person
  /** The user id of the person's manager. */
  readonly managerId: string | undefined
}

/** A team with the id of its group in the directory. */
export interface LinkedGroup {
  readonly id: string
  readonly team: Team
}

/** A change to a group's members. */
export interface MemberChange {
  /** The members that are added or removed. */
  readonly members: readonly LinkedUser[]
  /** All members that the provider has pushed, after the change. */
  readonly after: readonly LinkedUser[]
}

/** The SCIM requests of one identity provider; `test/service/traffic/` has recorded examples. */
export interface Dialect {
  readonly label: string
  readonly headers: {
    /** Sent with every request, in addition to `Authorization`. */
    readonly always: Readonly<Record<string, string>>
    /** Sent with requests that have a body. */
    readonly withBody: Readonly<Record<string, string>>
  }
  /** The maximum number of members in the request that creates a group. */
  readonly membersAtCreation: number
  /** The maximum number of members that one call adds or removes. */
  readonly membersPerCall: number
  /** Whether some of the offboarded users are deleted after they were deactivated. */
  readonly deletesUsers: boolean
  /** The test that an administrator runs before provisioning starts. */
  readonly connect: (send: Send, seed: number) => Promise<void>
  readonly lookUpUser: (person: Person) => ScimRequest
  readonly createUser: (person: Person) => ScimRequest
  /** Pushes the current profile. */
  readonly updateUser: (user: LinkedUser) => ScimRequest[]
  readonly setActive: (user: LinkedUser, active: boolean) => ScimRequest[]
  readonly lookUpGroup: (team: Team) => ScimRequest
  readonly createGroup: (team: Team, members: readonly LinkedUser[]) => ScimRequest
  readonly addMembers: (group: LinkedGroup, change: MemberChange) => ScimRequest[]
  readonly removeMembers: (group: LinkedGroup, change: MemberChange) => ScimRequest[]
}

export function patchUser(kind: CallKind, { id }: LinkedUser, ...operations: JsonObject[]): ScimRequest {
  return { kind, method: 'PATCH', path: `/Users/${id}`, body: patchBody(...operations) }
}

export function patchGroup(kind: CallKind, { id }: LinkedGroup, ...operations: JsonObject[]): ScimRequest {
  return { kind, method: 'PATCH', path: `/Groups/${id}`, body: patchBody(...operations) }
}

/** A user as an element of `members`, in the shortest form. */
export function referenceTo({ id }: LinkedUser): JsonObject {
  return { value: id }
}

/** The PATCH operation that removes one member by a value filter. */
export function removalOf({ id }: LinkedUser): JsonObject {
  return { op: 'remove', path: `members[value eq ${quoted(id)}]` }
}

export function activationKind(active: boolean): CallKind {
  return active ? 'reactivate user' : 'deactivate user'
}
