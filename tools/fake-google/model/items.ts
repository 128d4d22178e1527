import type { JsonObject } from '../../../src/scim/json.ts'

/** The editable fields of a user; lists have the form of the Directory API. */
export interface FakeProfile {
  readonly givenName: string
  readonly familyName: string
  readonly isAdmin: boolean
  readonly orgUnitPath: string
  /** Addresses besides the primary one and the aliases. */
  readonly otherEmails: readonly JsonObject[]
  readonly organizations?: readonly JsonObject[]
  readonly externalIds?: readonly JsonObject[]
  readonly relations?: readonly JsonObject[]
  readonly phones?: readonly JsonObject[]
  readonly addresses?: readonly JsonObject[]
  readonly languages?: readonly JsonObject[]
}

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

/** A deleted user; times are Unix milliseconds. */
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

/** A direct member of a group: a user or group, possibly of another customer, or everyone of the customer. */
export interface FakeMember {
  readonly id: string
  readonly type: 'USER' | 'GROUP' | 'CUSTOMER'
  readonly role: MemberRole
  /** The address of a member outside the customer; others have their current address. */
  readonly externalEmail?: string
}

/** The error of reading a group and its members. */
export type GroupRefusal = 'forbidden' | 'not-found'

/** Whether a user is neither suspended nor archived. */
export function isActive({ suspended, archived }: FakeUser): boolean {
  return !suspended && !archived
}

/** The part after the `@`, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
