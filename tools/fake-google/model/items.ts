import type { JsonObject } from '../../../src/scim/json.ts'

/** What of a user an administrator writes; lists are in the form of the Directory API. */
export interface FakeProfile {
  readonly givenName: string
  readonly familyName: string
  readonly isAdmin: boolean
  readonly orgUnitPath: string
  /** Beside the primary address and the aliases. */
  readonly otherEmails: readonly JsonObject[]
  readonly organizations?: readonly JsonObject[]
  readonly externalIds?: readonly JsonObject[]
  readonly relations?: readonly JsonObject[]
  readonly phones?: readonly JsonObject[]
  readonly addresses?: readonly JsonObject[]
  readonly languages?: readonly JsonObject[]
}

/** A user of the customer. */
export interface FakeUser extends FakeProfile {
  /** 21 digits. */
  readonly id: string
  readonly primaryEmail: string
  readonly aliases: readonly string[]
  readonly suspended: boolean
  readonly archived: boolean
  readonly hasLoggedIn: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A user that was deleted; times are Unix milliseconds. */
export interface DeletedFakeUser extends FakeUser {
  readonly deletedAt: number
}

export interface FakeGroup {
  readonly id: string
  readonly email: string
  readonly aliases: readonly string[]
  readonly name: string
  readonly description: string
  readonly adminCreated: boolean
}

export type MemberRole = 'OWNER' | 'MANAGER' | 'MEMBER'

/** A direct member of a group: a user or group of the customer or of somebody else, or everyone of the customer. */
export interface FakeMember {
  readonly id: string
  readonly type: 'USER' | 'GROUP' | 'CUSTOMER'
  readonly role: MemberRole
  /** Of a member from elsewhere; those of the customer have the address that they have now. */
  readonly externalEmail?: string
}

/** How the members of a group are refused, whoever asks. */
export type GroupRefusal = 'forbidden' | 'not-found'

/** Neither suspended nor archived. */
export function isActive({ suspended, archived }: FakeUser): boolean {
  return !suspended && !archived
}

/** The part behind the `@`, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
