/** An address of a user: aliases are among them, and work addresses often have no type. */
export interface GoogleEmail {
  readonly address: string
  readonly type: string | undefined
  readonly isPrimary: boolean
}

/** A value with a type, as Google gives phone numbers, relations and external ids. */
export interface GoogleTypedValue {
  readonly value: string
  readonly type: string | undefined
}

export interface GoogleAddress {
  readonly type: string | undefined
  readonly formatted: string | undefined
  readonly streetAddress: string | undefined
  readonly locality: string | undefined
  readonly region: string | undefined
  readonly postalCode: string | undefined
  readonly country: string | undefined
}

export interface GoogleOrganization {
  readonly isPrimary: boolean
  readonly name: string | undefined
  readonly title: string | undefined
  readonly department: string | undefined
  readonly costCenter: string | undefined
}

/** A user as the Directory API gives it: what is mapped, nothing that changes by itself (etags, last login). */
export interface GoogleUser {
  readonly id: string
  readonly primaryEmail: string
  readonly givenName: string
  readonly familyName: string
  readonly fullName: string
  readonly suspended: boolean
  readonly archived: boolean
  readonly isAdmin: boolean
  readonly orgUnitPath: string | undefined
  readonly emails: readonly GoogleEmail[]
  readonly phones: readonly GoogleTypedValue[]
  readonly addresses: readonly GoogleAddress[]
  readonly organizations: readonly GoogleOrganization[]
  readonly externalIds: readonly GoogleTypedValue[]
  /** The value of a relation is an e-mail address. */
  readonly relations: readonly GoogleTypedValue[]
}

export interface GoogleGroup {
  readonly id: string
  readonly email: string
  /** Not unique, and may be empty. */
  readonly name: string
  readonly description: string
}

/** What a member is: `customer` is everyone in the Workspace. */
export type GoogleMemberKind = 'user' | 'group' | 'customer' | 'other'

/** A direct member of a group. A user of another organisation is of the kind `user` too, with an id that no list has. */
export interface GoogleMember {
  readonly id: string
  readonly kind: GoogleMemberKind
}

/** A part of a list. An empty one with a token is not the end: the end is the missing token. */
export interface GooglePage<T> {
  readonly items: readonly T[]
  readonly nextPageToken: string | undefined
}
