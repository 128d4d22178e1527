import { DirectoryError } from '../directory/errors.ts'
import { DefaultPagingInput, defaultPageLimit } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import type { Page } from '../reads/page.ts'
import { isEither, isText, isWhole, pageTokens } from '../reads/page.ts'
import { parseQuery } from '../reads/paging.ts'
import type { PlanEntry } from './match.ts'
import type { PlanParts, PlanSource } from './plan.ts'
import { createPlanVersion, planAccounts, planUsers } from './plan.ts'

export const entryKinds = ['linked', 'link', 'create', 'unmatched', 'conflict'] as const

type EntryKind = (typeof entryKinds)[number]

/** The number of entries of each kind: of accounts, of users to create, and of conflicts. */
export type PlanCounts = Readonly<Record<EntryKind, number>>

/** `GET /:id/adoption` */
export const PlanInput = Type.Object({
  ...DefaultPagingInput.properties,
  kind: Type.Optional(Type.Enum(entryKinds, { description: `kind: one of ${entryKinds.join(', ')}; all if omitted.` })),
})

/** The position after an entry, among the accounts or else among the users, with what the first page has found. */
interface PlanPosition extends PlanCounts {
  readonly list: number
  readonly version: string
  /** Null after the last account. */
  readonly account: string | null
  readonly user: number
}

const isNull = (value: unknown): value is null => value === null
const tokens = pageTokens<PlanPosition>({
  ...{ list: isWhole, version: isText, account: isEither(isText, isNull), user: isWhole },
  ...{ linked: isWhole, link: isWhole, create: isWhole, unmatched: isWhole, conflict: isWhole },
})

/** A page of a plan, with the numbers of the whole plan. */
export interface PlanPage extends Page<PlanEntry> {
  readonly version: string
  readonly counts: PlanCounts
}

/** A page after the first one ends after so many accounts and users, although it is short. */
const maxRead = 5_000

/**
 * A page of the plan of a list. The first one reads the whole plan, for its version and the counts; later ones begin where the previous one
 * ended.
 *
 * @throws DirectoryError `invalid-input`; `plan-changed` when the list was replaced since the first page
 */
export async function readPlanPage(parts: PlanParts, source: PlanSource, query: unknown): Promise<PlanPage> {
  const { kind, pageLimit: limit = defaultPageLimit, pageToken } = parseQuery(PlanInput, query)
  const from = tokens.read(pageToken)
  if (from !== undefined && from.list !== source.list.list) throw replaced()
  const version = createPlanVersion()
  const counts = { linked: 0, link: 0, create: 0, unmatched: 0, conflict: 0 }
  const rows: PlanEntry[] = []
  let read = 0
  let last: Pick<PlanPosition, 'account' | 'user'> = { account: '', user: 0 }
  let next: typeof last | undefined
  for await (const { entries, size, end } of entriesAfter(parts, source, from, kind)) {
    for (const { entry, position } of entries) {
      counts[entry.kind] += 1
      if (entry.kind === 'link') version.add(entry)
      if (kind !== undefined && entry.kind !== kind) continue
      if (rows.length === limit) next ??= last
      else rows.push(entry)
      last = position
    }
    read += size
    if (from === undefined) continue
    if (next === undefined && read >= maxRead) next = end
    if (next !== undefined) break
  }
  const found = from ?? { ...counts, list: source.list.list, version: version.text() }
  const { linked, link, create, unmatched, conflict } = found
  return {
    ...{ rows, version: found.version, counts: { linked, link, create, unmatched, conflict } },
    pageToken: next && tokens.write({ ...found, ...next }),
  }
}

/** The entries from a position on, first those of the accounts; those of a kind can only be among the accounts, or the users. */
async function* entriesAfter(
  parts: PlanParts,
  source: PlanSource,
  from: PlanPosition | undefined,
  kind: EntryKind | undefined,
) {
  const account = from === undefined ? '' : from.account
  const isPart = from !== undefined && kind !== undefined
  if (account !== null && !(isPart && kind === 'create')) {
    for await (const { accounts, entries } of planAccounts(parts, source, account)) {
      const placed = entries.map(({ entry, position }) => ({ entry, position: { account: position, user: 0 } }))
      yield { entries: placed, size: accounts.length, end: { account: accounts.at(-1)?.accountId ?? null, user: 0 } }
    }
  }
  if (isPart && kind !== 'create') return
  for await (const { users, entries } of planUsers(parts, source, from?.user ?? 0)) {
    const placed = entries.map(({ entry, position }) => ({ entry, position: { account: null, user: position } }))
    yield { entries: placed, size: users.length, end: { account: null, user: users.at(-1)?.position ?? 0 } }
  }
}

function replaced(): DirectoryError {
  const message = 'The list of accounts was replaced while its plan was read: read it again, without a pageToken.'
  return new DirectoryError('plan-changed', message)
}
