/** An email address of a user. Aliases are included, and work addresses often have no type. */
export interface GoogleEmail {
  readonly address: string
  readonly type: string | undefined
  readonly isPrimary: boolean
}

/** A phone number, relation or external id. */
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

/**
 * A user of the Directory API, reduced to the mapped fields, without those that change on their own (etags, last
 * login).
 */
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
  /** The value of a relation is an email address. */
  readonly relations: readonly GoogleTypedValue[]
}

export interface GoogleGroup {
  readonly id: string
  readonly email: string
  /** Not unique, and may be empty. */
  readonly name: string
  readonly description: string
}

/** `customer` means everyone in the Workspace. */
export type GoogleMemberKind = 'user' | 'group' | 'customer' | 'other'

/**
 * A direct member of a group. A user of another organization also has the kind `user`, with an id that `listUsers`
 * lacks.
 */
export interface GoogleMember {
  readonly id: string
  readonly kind: GoogleMemberKind
}

/** A page of a list. Only a missing token marks the last page: an empty page with a token does not. */
export interface GooglePage<T> {
  readonly items: readonly T[]
  readonly nextPageToken: string | undefined
}
