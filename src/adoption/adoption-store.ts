import type { DuePage } from '../delivery/event-store.ts'
import type { AuditWrite } from '../directory/audit.ts'
import type { ListedAccount, MatchedUser, MatchKey } from './match.ts'

/** The maximum number of accounts of a list that share a value. */
export const maxSharing = 100

/** A list of a directory. */
export interface AccountList {
  readonly directoryId: string
  readonly list: number
}

/** The list of accounts that a directory adopts. */
export interface Adoption extends AccountList {
  readonly state: 'ready' | 'applying'
  readonly accounts: number
  /** Unix milliseconds. */
  readonly sentAt: number
  /** The version of the plan that is being applied, and the number of its links. */
  readonly version: string | undefined
  readonly links: number
}

/** An account that the list has before, or that has a value which too many others have. */
export type RefusedAccount = { readonly account: ListedAccount; readonly key: 'account_id' | MatchKey }

/** A user to whom a plan links an account; undefined: none. */
export interface AdoptionMark {
  readonly id: string
  readonly userId: string | undefined
}

/** The storage of lists of accounts, and of what their plans are made of. Times are Unix milliseconds. */
export interface AdoptionStore {
  getAdoption(directoryId: string): Promise<Adoption | undefined>
  /** Begins a list. It is forgotten at the time unless it is complete by then. */
  beginAccountList(directoryId: string, now: number, forgetAt: number): Promise<AccountList>
  /** Adds some hundred accounts to a list that was begun, at once; `gone` when it was forgotten. */
  addAccounts(list: AccountList, accounts: readonly ListedAccount[]): Promise<RefusedAccount | 'gone' | undefined>
  /** Puts a list in the place of the former one, which is forgotten. False when the plan of that one is being applied. */
  finishAccountList(list: AccountList, accounts: number, now: number, forgetAt: number): Promise<boolean>
  /** Forgets a list: its accounts are removed in the background. No effect while its plan is being applied. */
  forgetAccountList(list: AccountList): Promise<void>

  /** The accounts of a list after one, in the order of their ids, with their marks. */
  accountsAfter(list: AccountList, after: string, limit: number): Promise<(ListedAccount & AdoptionMark)[]>
  /** The accounts of a list with each value of a key. */
  accountsByKey(list: AccountList, key: MatchKey, values: readonly string[]): Promise<ListedAccount[][]>
  /** The users of a directory after a position, in the order of their list. */
  usersAfter(
    directoryId: string,
    after: number,
    limit: number,
  ): Promise<(MatchedUser & { readonly position: number })[]>
  /** The users with each value of a key, or of each account: the first of them if there are many. */
  usersByKey(directoryId: string, key: MatchKey | 'account_id', values: readonly string[]): Promise<MatchedUser[][]>

  /** Begins to mark accounts with the users of a plan: those who did so before are done. */
  beginMarks(list: AccountList, marker: string): Promise<void>
  /** Marks accounts; false when somebody else marks them since, or the list is no longer ready. */
  markAccounts(list: AccountList, marker: string, marks: readonly AdoptionMark[]): Promise<boolean>
  /** Begins to apply the marks, on the same condition. */
  beginAdoption(
    list: AccountList,
    marker: string,
    plan: Pick<Adoption, 'links'> & { readonly version: string },
    audit: AuditWrite,
  ): Promise<boolean>
  /** The directories with a list that is being applied or removed, or is to be forgotten, by their ids. */
  listAdoptionWork(after: string, limit: number, now: number): Promise<DuePage>
  /**
   * Makes a step: links the next users, in one commit, the last of which forgets the list and ends the hold that waited for it; or removes
   * some accounts of a list that was forgotten.
   */
  stepAdoption(directoryId: string, now: number): Promise<'linked' | 'removed' | 'idle'>
}
