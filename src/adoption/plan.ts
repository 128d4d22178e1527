import { hash } from 'node:crypto'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Directory } from '../directory/directory.ts'
import type { AccountList, AdoptionMark, AdoptionStore } from './adoption-store.ts'
import type { Candidate, ListedAccount, MatchedUser, PlanEntry } from './match.ts'
import { entryOf, fits, freeUser, keyValue, matchKeys } from './match.ts'

/** The accounts, or users, whose entries are decided together. */
const chunkSize = 200

export interface PlanParts {
  readonly store: Pick<AdoptionStore, 'accountsAfter' | 'accountsByKey' | 'usersAfter' | 'usersByKey'>
  /** The time slices of the process: each chunk takes one. */
  readonly slices: TimeSlices
}

/** The list whose plan is made, and its directory. */
export interface PlanSource {
  readonly directory: Pick<Directory, 'id' | 'tenant' | 'domains'>
  readonly list: AccountList
  /** Aborts when nobody waits for the plan any more. */
  readonly signal?: AbortSignal | undefined
}

/** A part of a plan: the entries of some accounts, or users, each with the position after it. */
export interface PlanPart<P, Row> {
  readonly rows: readonly Row[]
  readonly entries: readonly { readonly entry: PlanEntry; readonly position: P }[]
}

/** The entries of the accounts after one, by their ids. */
export function planAccounts(parts: PlanParts, source: PlanSource, after: string) {
  const { store } = parts
  const read = (last: string) => store.accountsAfter(source.list, last, chunkSize)
  const positionOf = ({ id }: ListedAccount) => id
  return inChunks(
    parts,
    source,
    after,
    read,
    positionOf,
    async (accounts: readonly (ListedAccount & AdoptionMark)[]) => {
      const candidates = await candidatesOf(store, source, accounts)
      const free = [...candidates.values()].flatMap((candidate) => freeUser(candidate) ?? [])
      const rivals = await candidatesFor(store, source, free, candidates)
      return [...candidates.values()].flatMap((candidate) => {
        const entry = entryOf(candidate, rivals.get(freeUser(candidate)?.shown.id ?? '') ?? [])
        return entry === undefined ? [] : [{ entry, position: candidate.account.id }]
      })
    },
  )
}

/** The entries of the users after a position who are nobody's account. */
export function planUsers(parts: PlanParts, source: PlanSource, after: number) {
  const { store } = parts
  const read = (last: number) => store.usersAfter(source.directory.id, last, chunkSize)
  type Placed = MatchedUser & { readonly position: number }
  return inChunks(
    parts,
    source,
    after,
    read,
    ({ position }: Placed) => position,
    async (users: readonly Placed[]) => {
      const free = users.filter(({ accountId }) => accountId === undefined)
      const fitting = await candidatesFor(store, source, free, new Map())
      const nobodys = free.filter(({ shown }) => !fitting.has(shown.id))
      return nobodys.map(({ shown: user, position }) => ({ entry: { kind: 'create' as const, user }, position }))
    },
  )
}

async function* inChunks<P, Row>(
  { slices }: PlanParts,
  { directory, signal }: PlanSource,
  after: P,
  read: (after: P) => Promise<Row[]>,
  positionOf: (row: Row) => P,
  decide: (rows: readonly Row[]) => Promise<PlanPart<P, Row>['entries']>,
): AsyncGenerator<PlanPart<P, Row>, void, undefined> {
  for (let last: P | undefined = after; last !== undefined; ) {
    signal?.throwIfAborted()
    await slices.next(directory.tenant)
    const rows: Row[] = await read(last)
    yield { rows, entries: await decide(rows) }
    const end = rows.length < chunkSize ? undefined : rows.at(-1)
    last = end && positionOf(end)
  }
}

/** What is known about accounts, by their ids. Users are looked up by one key after the other, as long as nobody has one. */
async function candidatesOf(
  store: PlanParts['store'],
  { directory: { id, domains } }: PlanSource,
  accounts: readonly ListedAccount[],
): Promise<ReadonlyMap<string, Candidate>> {
  const found = new Map<ListedAccount, NonNullable<Candidate['fit']>>()
  for (const by of matchKeys) {
    const values = new Map(
      accounts.flatMap((account) => {
        const value = found.has(account) ? undefined : keyValue(account, by, domains)
        return value === undefined ? [] : [[account, value] as const]
      }),
    )
    const users = await lookUp(values.values(), (some) => store.usersByKey(id, by, some))
    for (const [account, value] of values) {
      const having = users.get(value) ?? []
      if (having.length > 0) found.set(account, { by, users: having })
    }
  }
  const holders = await lookUp(
    accounts.map((account) => account.id),
    (some) => store.usersByKey(id, 'account_id', some),
  )
  return new Map(
    accounts.map((account) => [account.id, { account, fit: found.get(account), holder: holders.get(account.id)?.[0] }]),
  )
}

/** The candidates that fit each of some users, by the ids of the users, in the order of the list; none for users whom no account fits. */
async function candidatesFor(
  store: PlanParts['store'],
  source: PlanSource,
  users: readonly MatchedUser[],
  known: ReadonlyMap<string, Candidate>,
): Promise<ReadonlyMap<string, readonly Candidate[]>> {
  const named = new Map<string, Map<string, ListedAccount>>(users.map(({ shown }) => [shown.id, new Map()]))
  for (const key of matchKeys) {
    const values = users.flatMap(({ keys }) => keys[key])
    const accounts = await lookUp(values, (some) => store.accountsByKey(source.list, key, some))
    for (const { shown, keys } of users)
      for (const account of keys[key].flatMap((value) => accounts.get(value) ?? []))
        named.get(shown.id)?.set(account.id, account)
  }
  const candidates = new Map(known)
  const unknown = new Map([...named.values()].flatMap((accounts) => [...accounts]))
  for (const id of known.keys()) unknown.delete(id)
  for (const some of chunksOf([...unknown.values()]))
    for (const [id, candidate] of await candidatesOf(store, source, some)) candidates.set(id, candidate)
  const fitting = users.map((user) => {
    const ids = [...(named.get(user.shown.id)?.keys() ?? [])].sort(byBytes)
    const those = ids.flatMap((id) => candidates.get(id) ?? []).filter((candidate) => fits(candidate, user))
    return [user.shown.id, those] as const
  })
  return new Map(fitting.filter(([, those]) => those.length > 0))
}

/** Looks values up, some hundred at a time. */
async function lookUp<T>(
  values: Iterable<string>,
  read: (values: readonly string[]) => Promise<readonly T[]>,
): Promise<ReadonlyMap<string, T>> {
  const found = new Map<string, T>()
  for (const some of chunksOf([...new Set(values)]))
    for (const [index, one] of (await read(some)).entries()) found.set(some[index] ?? '', one)
  return found
}

function chunksOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / chunkSize) }, (_, n) =>
    all.slice(n * chunkSize, (n + 1) * chunkSize),
  )
}

/** The order of both databases. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Computes the version of a plan: a digest of its links, in whatever order they are added. */
export function createPlanVersion() {
  const sum = Buffer.alloc(32)
  return {
    add(accountId: string, userId: string): void {
      // Neither id has a NUL character.
      const digest = hash('sha256', `${accountId}\0${userId}`, 'buffer')
      for (const [index, byte] of digest.entries()) sum[index] = (sum[index] ?? 0) ^ byte
    },
    text: () => sum.toString('hex'),
  }
}
