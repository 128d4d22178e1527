import type { DuePage } from '../delivery/event-store.ts'
import type { AuditWrite } from '../directory/audit.ts'
import type { ListedAccount, MatchedUser, MatchKey } from './match.ts'

/** The maximum number of accounts of a list that have a key in common. */
export const maxSharing = 100

/** The list of accounts that a directory adopts. */
export interface Adoption {
  readonly directoryId: string
  /** Distinguishes the lists of a directory. */
  readonly list: number
  readonly state: 'ready' | 'applying'
  readonly accounts: number
  /** Unix milliseconds. */
  readonly sentAt: number
  /** The version of the plan that is being applied, and the number of its links. */
  readonly version: string | undefined
  readonly links: number
}

/** A list of a directory. */
export type AdoptionList = Pick<Adoption, 'directoryId' | 'list'>

/** An account of the list, with the user to whom the last marks link it. */
export interface MarkedAccount extends ListedAccount {
  readonly userId: string | undefined
}

/** A user with the position in the list of users. */
export interface PlacedUser {
  readonly user: MatchedUser
  readonly position: number
}

/** Why accounts were not added: an `account_id` that the list has already, or a value that too many accounts have. */
export type RefusedAccount = { readonly index: number; readonly key: 'account_id' | MatchKey }

/** The storage of lists of accounts, and what their plans are made of. */
export interface AdoptionStore {
  getAdoption(directoryId: string): Promise<Adoption | undefined>
  /** Begins a list that takes the place of the present one at its end; `applying`: the plan of that one is being applied. */
  beginAdoptionList(directoryId: string, now: number): Promise<AdoptionList | 'applying' | 'busy'>
  /** Adds some hundred accounts to a list that was begun; undefined when they were added, `gone` when the list was abandoned. */
  addAdoptionAccounts(
    list: AdoptionList,
    accounts: readonly ListedAccount[],
  ): Promise<RefusedAccount | 'gone' | undefined>
  /** Puts a list that was begun in the place of the present one. */
  finishAdoptionList(list: AdoptionList, accounts: number, now: number): Promise<'stored' | 'applying' | 'gone'>
  /** Gives up a list that was begun. */
  abandonAdoptionList(list: AdoptionList): Promise<void>
  /** Forgets the list of a directory: its accounts are removed in the background. False when there is none. */
  forgetAdoption(directoryId: string): Promise<boolean | 'applying'>
  /** Forgets lists from before a time, and gives up those that were begun before another and never ended; returns the number. */
  pruneAdoptions(sentBefore: number, begunBefore: number, limit: number): Promise<number>

  /** The accounts of a list after one, in the order of their ids. */
  adoptionAccounts(list: AdoptionList, after: string, limit: number): Promise<MarkedAccount[]>
  /** The accounts of a list that have each value of a key: all of them, as at most `maxSharing` share one. */
  accountsByKey(list: AdoptionList, key: MatchKey, values: readonly string[]): Promise<ListedAccount[][]>
  /** The users of a directory after a position, in the order of their list. */
  usersToAdopt(directoryId: string, after: number, limit: number): Promise<PlacedUser[]>
  /** The users who have each value of a key, or are linked to each account: a few of them if there are many. */
  usersByKey(directoryId: string, key: MatchKey | 'account_id', values: readonly string[]): Promise<MatchedUser[][]>

  /** Begins to mark the accounts of a list with the users of a plan: marks of others who do so fail from then on. */
  beginAdoptionMarks(list: AdoptionList, marker: string): Promise<boolean>
  /** Marks accounts; false when somebody else marks them, or the list was replaced. */
  markAdoption(list: AdoptionList, marker: string, marks: readonly AdoptionMark[]): Promise<boolean>
  /** Begins to apply the marks. Its audit entry is committed with it. */
  beginAdoption(
    list: AdoptionList,
    marker: string,
    plan: { readonly version: string; readonly links: number },
    audit: AuditWrite,
  ): Promise<boolean>
  /** The directories whose list is being applied or removed, ordered by id, after `after`. */
  listAdoptionWork(after: string, limit: number): Promise<DuePage>
  /**
   * Links the next users of a plan that is being applied, in one commit. The last one forgets the list and ends the hold that waited for it.
   * Otherwise removes some accounts of a list that was forgotten.
   */
  stepAdoption(directoryId: string): Promise<'linked' | 'removed' | 'idle'>
}

/** The user to whom an account is to be linked; undefined: none. */
export interface AdoptionMark {
  readonly accountId: string
  readonly userId: string | undefined
}
