import { hash } from 'node:crypto'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Directory } from '../directory/directory.ts'
import type { AdoptionList, AdoptionStore, MarkedAccount, PlacedUser } from './adoption-store.ts'
import type { Candidate, Fit, ListedAccount, MatchedUser, PlanEntry } from './match.ts'
import { entryOf, fits, freeUser, keyValue, matchKeys, valuesOf } from './match.ts'

/** The accounts, or users, whose entries are decided together. */
const chunkSize = 200

export interface PlanParts {
  readonly store: Pick<AdoptionStore, 'adoptionAccounts' | 'accountsByKey' | 'usersToAdopt' | 'usersByKey'>
  /** The time slices of the process: each chunk takes one. */
  readonly slices: TimeSlices
}

/** The list whose plan is made, and its directory. */
export interface PlanSource {
  readonly directory: Pick<Directory, 'id' | 'tenant' | 'domains'>
  readonly list: AdoptionList
  /** Aborts when nobody waits for the plan any more. */
  readonly signal?: AbortSignal | undefined
}

/** An entry of a plan, and the position after it. */
export interface PlacedEntry<P> {
  readonly entry: PlanEntry
  readonly position: P
}

/** The entries of some accounts, with these accounts. */
export interface PlannedAccounts {
  readonly accounts: readonly MarkedAccount[]
  readonly entries: readonly PlacedEntry<string>[]
}

/** The entries of the accounts after one, some hundred accounts at a time: each is decided on facts that were read together. */
export async function* planAccounts(
  { store, slices }: PlanParts,
  source: PlanSource,
  after: string,
): AsyncGenerator<PlannedAccounts, void, undefined> {
  const { directory, list, signal } = source
  for (let last: string | undefined = after; last !== undefined; ) {
    signal?.throwIfAborted()
    await slices.next(directory.tenant)
    const accounts: MarkedAccount[] = await store.adoptionAccounts(list, last, chunkSize)
    const candidates = await candidatesOf(store, source, accounts)
    const free = [...candidates.values()].flatMap((candidate) => freeUser(candidate) ?? [])
    const rivals = await candidatesFor(store, source, free, candidates)
    const entries = [...candidates.values()].flatMap((candidate) => {
      const entry = entryOf(candidate, rivals.get(freeUser(candidate)?.id ?? '') ?? [])
      return entry === undefined ? [] : [{ entry, position: candidate.account.accountId }]
    })
    yield { accounts, entries }
    last = accounts.length < chunkSize ? undefined : accounts.at(-1)?.accountId
  }
}

/** The entries of some users, with these users. */
export interface PlannedUsers {
  readonly users: readonly PlacedUser[]
  readonly entries: readonly PlacedEntry<number>[]
}

/** The entries of the users after a position who are nobody's account. */
export async function* planUsers(
  { store, slices }: PlanParts,
  source: PlanSource,
  after: number,
): AsyncGenerator<PlannedUsers, void, undefined> {
  const { directory, signal } = source
  for (let last: number | undefined = after; last !== undefined; ) {
    signal?.throwIfAborted()
    await slices.next(directory.tenant)
    const users: PlacedUser[] = await store.usersToAdopt(directory.id, last, chunkSize)
    const free = users.filter(({ user }) => user.accountId === undefined)
    const wanted = free.map(({ user }) => user)
    const fitting = await candidatesFor(store, source, wanted, new Map())
    const nobodys = free.filter(({ user }) => !fitting.has(user.id))
    const entries = nobodys.map(({ user, position }) => ({ entry: { kind: 'create' as const, user }, position }))
    yield { users, entries }
    last = users.length < chunkSize ? undefined : users.at(-1)?.position
  }
}

type Candidates = Map<string, Candidate>

/** What is known about accounts: they are asked for by one key after the other, as long as nobody has one. */
async function candidatesOf(
  store: PlanParts['store'],
  { directory: { id, domains } }: PlanSource,
  accounts: readonly ListedAccount[],
): Promise<Candidates> {
  const found = new Map<string, Fit>()
  for (const by of matchKeys) {
    const asked = accounts.flatMap((account) => {
      const value = found.has(account.accountId) ? undefined : keyValue(account, by, domains)
      return value === undefined ? [] : [{ account, value }]
    })
    const values = [...new Set(asked.map(({ value }) => value))]
    const users = await lookUp(values, (some) => store.usersByKey(id, by, some))
    for (const { account, value } of asked) {
      const having = users.get(value) ?? []
      if (having.length > 0) found.set(account.accountId, { by, users: having })
    }
  }
  const ids = accounts.map(({ accountId }) => accountId)
  const holders = await lookUp(ids, (some) => store.usersByKey(id, 'account_id', some))
  return new Map(
    accounts.map((account) => {
      const { accountId } = account
      return [accountId, { account, fit: found.get(accountId), holder: holders.get(accountId)?.[0] }]
    }),
  )
}

/** The candidates that fit each of these users, by the ids of the users; none for a user whom no account fits. */
async function candidatesFor(
  store: PlanParts['store'],
  source: PlanSource,
  users: readonly MatchedUser[],
  known: ReadonlyMap<string, Candidate>,
): Promise<ReadonlyMap<string, readonly Candidate[]>> {
  const having = new Map<string, Map<string, ListedAccount>>()
  for (const key of matchKeys) {
    const values = [...new Set(users.flatMap((user) => valuesOf(user, key)))]
    const accounts = await lookUp(values, (some) => store.accountsByKey(source.list, key, some))
    for (const user of users) {
      const ofUser = having.get(user.id) ?? new Map<string, ListedAccount>()
      having.set(user.id, ofUser)
      for (const value of valuesOf(user, key))
        for (const account of accounts.get(value) ?? []) ofUser.set(account.accountId, account)
    }
  }
  const named = new Map([...having.values()].flatMap((ofUser) => [...ofUser]))
  const candidates: Candidates = new Map(known)
  const unknown = [...named.values()].filter(({ accountId }) => !known.has(accountId))
  for (let from = 0; from < unknown.length; from += chunkSize)
    for (const [id, candidate] of await candidatesOf(store, source, unknown.slice(from, from + chunkSize)))
      candidates.set(id, candidate)
  const fitting = users.flatMap((user): [string, Candidate[]][] => {
    const ofUser = [...(having.get(user.id)?.keys() ?? [])].flatMap((id) => candidates.get(id) ?? [])
    const those = ofUser.filter((candidate) => fits(candidate, user))
    return those.length === 0 ? [] : [[user.id, those]]
  })
  return new Map(fitting)
}

/** Looks values up, some hundred at a time. */
async function lookUp<T>(
  values: readonly string[],
  read: (values: readonly string[]) => Promise<readonly T[]>,
): Promise<ReadonlyMap<string, T>> {
  const found = new Map<string, T>()
  for (let from = 0; from < values.length; from += chunkSize) {
    const some = values.slice(from, from + chunkSize)
    for (const [index, one] of (await read(some)).entries()) found.set(some[index] ?? '', one)
  }
  return found
}

/** Computes the version of a plan: a digest of its links, in whatever order they are added. */
export function createPlanVersion() {
  const sum = Buffer.alloc(32)
  return {
    add({ accountId, user }: Extract<PlanEntry, { kind: 'link' }>): void {
      // Neither id has a NUL character.
      const digest = hash('sha256', `${accountId}\0${user.id}`, 'buffer')
      for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) ^ (digest[index] ?? 0)
    },
    text: () => sum.toString('hex'),
  }
}
