import { isAddressAllowed, mayBeAddress } from '../directory/allowed-domains.ts'
import type { DomainRules } from '../directory/directory.ts'

/** The keys by which accounts match users, in their order: the first one that any user has decides. */
export const matchKeys = ['external_id', 'user_name', 'email'] as const

export type MatchKey = (typeof matchKeys)[number]

/** An account of the product in a list. The userName and the address are folded. */
export interface ListedAccount {
  readonly id: string
  readonly keys: Readonly<Record<MatchKey, string | undefined>>
}

/** A user in a plan, as the API returns it. */
export interface UserInPlan {
  readonly id: string
  readonly user_name: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly active: boolean
}

/** A user who may be the holder of an account. */
export interface MatchedUser {
  readonly shown: UserInPlan
  /** The account that the user is linked to. */
  readonly accountId: string | undefined
  /** The addresses are all of the user's, and the one that the API shows. */
  readonly keys: Readonly<Record<MatchKey, readonly string[]>>
}

/** Why nothing is linked. */
export const conflictReasons = ['several-users', 'several-accounts', 'user-linked', 'account-linked'] as const

/** An entry of a plan, as the API returns it. */
export type PlanEntry =
  | { readonly kind: 'linked'; readonly account_id: string; readonly user: UserInPlan }
  | { readonly kind: 'link'; readonly account_id: string; readonly user: UserInPlan; readonly by: MatchKey }
  | { readonly kind: 'create'; readonly user: UserInPlan }
  | { readonly kind: 'unmatched'; readonly account_id: string }
  | {
      readonly kind: 'conflict'
      readonly reason: (typeof conflictReasons)[number]
      readonly account_ids: readonly string[]
      readonly users: readonly UserInPlan[]
      readonly message: string
    }

/** An account with what is known about it. */
export interface Candidate {
  readonly account: ListedAccount
  /** The users whom it fits: those who have the first of its keys that any user has. */
  readonly fit: { readonly by: MatchKey; readonly users: readonly MatchedUser[] } | undefined
  /** The user who is linked to it. */
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

/** Returns whether an account fits a user, also if it fits more users than were read. */
export function fits({ account, fit }: Candidate, { keys }: MatchedUser): boolean {
  return fit !== undefined && keys[fit.by].includes(account.keys[fit.by] ?? '')
}

/** The only user whom an account fits, if neither is linked: then it depends on the other accounts that fit the user. */
export function freeUser({ fit, holder }: Candidate): MatchedUser | undefined {
  const [user, ...others] = fit?.users ?? []
  return holder === undefined && others.length === 0 && user?.accountId === undefined ? user : undefined
}

/**
 * The entry of an account; undefined if another account has it: that of a user whom several accounts fit belongs to the first of them, in
 * the order of the list, which fits nobody else.
 *
 * @param rivals the candidates that fit the free user of this one, which is among them, in the order of the list
 */
export function entryOf(candidate: Candidate, rivals: readonly Candidate[]): PlanEntry | undefined {
  const { account, fit, holder } = candidate
  const { id: account_id } = account
  if (holder !== undefined && (fit === undefined || fits(candidate, holder)))
    return { kind: 'linked', account_id, user: holder.shown }
  if (fit === undefined) return { kind: 'unmatched', account_id }
  const { by, users } = fit
  const conflict = (
    reason: (typeof conflictReasons)[number],
    account_ids: readonly string[],
    those: readonly MatchedUser[],
  ) => {
    const shown = those.map((user) => user.shown)
    return { kind: 'conflict' as const, reason, account_ids, users: shown, message: messages[reason](names[by]) }
  }
  if (holder !== undefined) return conflict('account-linked', [account_id], [holder, ...users])
  const [user, ...others] = users
  if (user === undefined || others.length > 0) return conflict('several-users', [account_id], users)
  if (user.accountId !== undefined) return conflict('user-linked', [account_id, user.accountId], [user])
  if (rivals.length === 1) return { kind: 'link', account_id, user: user.shown, by }
  if (rivals.find(freeUser)?.account !== account) return undefined
  return conflict(
    'several-accounts',
    rivals.map((rival) => rival.account.id),
    [user],
  )
}

const names = { external_id: 'external id', user_name: 'userName', email: 'e-mail address' }

const messages = {
  'several-users': (key: string) =>
    `Several users have the ${key} of this account: link the right one, or correct the others.`,
  'several-accounts': (key: string) =>
    `Several accounts match this user, the first one by ${key}: link the right one, or correct the others.`,
  'user-linked': (key: string) =>
    `The user with the ${key} of this account is linked to another account: end that link if it is wrong.`,
  'account-linked': (key: string) =>
    `The account is linked to another user than the one with its ${key}: end that link if it is wrong.`,
}
