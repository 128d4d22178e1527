import type { GoogleGroup, GoogleMember, GoogleUser } from '../../../../../src/google/client/items.ts'

/** A Google user with an address derived from the id: `ann` is `ann@acme.example`. */
export function person(id: string, changes: Partial<GoogleUser> = {}): GoogleUser {
  return {
    id,
    primaryEmail: `${id}@acme.example`,
    givenName: id,
    familyName: 'Smith',
    fullName: `${id} Smith`,
    suspended: false,
    archived: false,
    isAdmin: false,
    orgUnitPath: '/',
    emails: [],
    phones: [],
    addresses: [],
    organizations: [],
    externalIds: [],
    relations: [],
    ...changes,
  }
}

/** A user whose manager has this email address. */
export function reportTo(id: string, managerEmail: string): GoogleUser {
  return person(id, { relations: [{ type: 'manager', value: managerEmail }] })
}

export function team(id: string, changes: Partial<GoogleGroup> = {}): GoogleGroup {
  return { id, email: `${id}@acme.example`, name: id, description: '', ...changes }
}

export function userMember(id: string): GoogleMember {
  return { id, kind: 'user' }
}

export function groupMember(id: string): GoogleMember {
  return { id, kind: 'group' }
}

export const everyone: GoogleMember = { id: 'C0acme', kind: 'customer' }

/** Generates ids. */
export function ids(prefix: string, howMany: number): string[] {
  return Array.from({ length: howMany }, (_, index) => `${prefix}${index + 1}`)
}
