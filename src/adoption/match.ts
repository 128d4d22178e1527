import { isAddressAllowed, mayBeAddress } from '../directory/allowed-domains.ts'
import type { DomainRules } from '../directory/directory.ts'
import { fold } from '../scim/fold.ts'

/** The keys by which accounts match users, in their order: the first one that any user has decides. */
export const matchKeys = ['external_id', 'user_name', 'email'] as const

export type MatchKey = (typeof matchKeys)[number]

/** An account of the product in a list. The userName and the address are folded. */
export interface ListedAccount {
  readonly accountId: string
  readonly keys: Readonly<Record<MatchKey, string | undefined>>
}

/** What a plan shows and compares of a user. */
export interface MatchedUser {
  readonly id: string
  readonly userName: string
  readonly externalId: string | undefined
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly active: boolean
  /** The account that the user is linked to. */
  readonly accountId: string | undefined
  /** All addresses, and the one that the API shows, folded. */
  readonly emails: ReadonlySet<string>
}

/** Why nothing is linked for accounts and users that match. */
export type ConflictReason = 'several-users' | 'several-accounts' | 'user-linked' | 'account-linked'

export type PlanEntry =
  | { readonly kind: 'linked'; readonly accountId: string; readonly user: MatchedUser }
  | { readonly kind: 'link'; readonly accountId: string; readonly user: MatchedUser; readonly by: MatchKey }
  | { readonly kind: 'create'; readonly user: MatchedUser }
  | { readonly kind: 'unmatched'; readonly accountId: string }
  | Conflict

interface Conflict {
  readonly kind: 'conflict'
  readonly reason: ConflictReason
  readonly by: MatchKey
  readonly accountIds: readonly string[]
  readonly users: readonly MatchedUser[]
}

/** The users whom an account fits: those who have the first of its keys that any user has. */
export interface Fit {
  readonly by: MatchKey
  readonly users: readonly MatchedUser[]
}

/** An account with what is known about it. */
export interface Candidate {
  readonly account: ListedAccount
  readonly fit: Fit | undefined
  /** The user who is linked to the account. */
  readonly holder: MatchedUser | undefined
}

/**
 * The value by which an account may match; undefined if it has none. Where the domains are limited, an address of another domain matches
 * nobody, and a userName that is one neither.
 */
export function keyValue({ keys }: ListedAccount, key: MatchKey, rules: DomainRules | undefined): string | undefined {
  const value = keys[key]
  if (value === undefined || key === 'external_id' || rules === undefined || rules.allowed.length === 0) return value
  const isAddress = key === 'email' || mayBeAddress(value)
  return isAddress && !isAddressAllowed(value, rules.allowed) ? undefined : value
}

/** The values of a key that a user has. */
export function valuesOf(user: MatchedUser, key: MatchKey): readonly string[] {
  if (key === 'external_id') return user.externalId === undefined ? [] : [user.externalId]
  return key === 'user_name' ? [fold(user.userName)] : [...user.emails]
}

/** Returns whether a candidate fits a user, also if it fits more users than were read. */
export function fits({ account, fit }: Candidate, user: MatchedUser): boolean {
  return fit !== undefined && valuesOf(user, fit.by).includes(account.keys[fit.by] ?? '')
}

/** The only user whom an account fits, if both are not linked: then it depends on the other accounts that fit the user. */
export function freeUser({ fit, holder }: Candidate): MatchedUser | undefined {
  const [user, ...others] = fit?.users ?? []
  return holder === undefined && others.length === 0 && user?.accountId === undefined ? user : undefined
}

/**
 * The entry of an account in the plan; undefined if another account has it: that of a user whom several accounts fit belongs to the first
 * of those that fit nobody else.
 *
 * @param rivals all candidates that fit the free user of this one, which is among them
 */
export function entryOf(candidate: Candidate, rivals: readonly Candidate[]): PlanEntry | undefined {
  const { account, fit, holder } = candidate
  const { accountId } = account
  if (holder !== undefined) {
    if (fit === undefined || fits(candidate, holder)) return { kind: 'linked', accountId, user: holder }
    return conflict('account-linked', fit, [accountId], [holder, ...fit.users])
  }
  if (fit === undefined) return { kind: 'unmatched', accountId }
  const [user, ...others] = fit.users
  if (user === undefined || others.length > 0) return conflict('several-users', fit, [accountId], fit.users)
  if (user.accountId !== undefined) return conflict('user-linked', fit, [accountId, user.accountId], [user])
  if (rivals.length <= 1) return { kind: 'link', accountId, user, by: fit.by }
  const ids = rivals.map((rival) => rival.account.accountId).sort(byBytes)
  const shown = rivals.filter((rival) => freeUser(rival) !== undefined).map((rival) => rival.account.accountId)
  if (shown.sort(byBytes)[0] !== accountId) return undefined
  return conflict('several-accounts', fit, ids, [user])
}

function conflict(
  reason: ConflictReason,
  { by }: Fit,
  accountIds: readonly string[],
  users: readonly MatchedUser[],
): Conflict {
  return { kind: 'conflict', reason, by, accountIds, users }
}

/** The order of both databases. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
