import { DirectoryError } from '../directory/errors.ts'
import { DefaultPagingInput, defaultPageLimit } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import type { Page } from '../reads/page.ts'
import { isEither, isText, isWhole, pageTokens } from '../reads/page.ts'
import { parseQuery } from '../reads/paging.ts'
import type { PlanEntry } from './match.ts'
import type { PlanParts, PlanSource } from './plan.ts'
import { createPlanVersion, planAccounts, planUsers } from './plan.ts'

const entryKinds = ['linked', 'link', 'create', 'unmatched', 'conflict'] as const

/** The number of entries of each kind. */
export type PlanCounts = Readonly<Record<PlanEntry['kind'], number>>

/** `GET /:id/adoption` */
export const PlanInput = Type.Object({
  ...DefaultPagingInput.properties,
  kind: Type.Optional(Type.Enum(entryKinds, { description: `kind: one of ${entryKinds.join(', ')}; all if omitted.` })),
})

/** The position after an entry: after an account, null after the last one; then after a user. */
interface Position {
  readonly account: string | null
  readonly user: number
}

/** The counts and the version of the first page are in the tokens of the others. */
const tokens = pageTokens<Position & PlanCounts & { readonly list: number; readonly version: string }>({
  ...{ list: isWhole, version: isText, user: isWhole },
  account: isEither(isText, (value) => value === null),
  ...{ linked: isWhole, link: isWhole, create: isWhole, unmatched: isWhole, conflict: isWhole },
})

/** The accounts and users after which a page ends, although it is short; the first page reads all of them. */
const maxRows = 5_000

/**
 * A page of the plan of a list, with the version and the counts of the whole plan.
 *
 * @throws DirectoryError `invalid-input`; `plan-changed` when the list was replaced since the first page
 */
export async function readPlanPage(
  parts: PlanParts,
  source: PlanSource,
  query: unknown,
): Promise<Page<PlanEntry> & { readonly version: string; readonly counts: PlanCounts }> {
  const { kind, pageLimit: limit = defaultPageLimit, pageToken } = parseQuery(PlanInput, query)
  const { list } = source.list
  const from = tokens.read(pageToken)
  if (from !== undefined && from.list !== list)
    throw new DirectoryError('plan-changed', 'The list of accounts was replaced: read its plan without a pageToken.')
  const version = createPlanVersion()
  const seen = { linked: 0, link: 0, create: 0, unmatched: 0, conflict: 0 }
  const rows: PlanEntry[] = []
  let read = 0
  let last: Position = { account: '', user: 0 }
  let next: Position | undefined
  for await (const { entries, size, end } of partsAfter(parts, source, from, from && kind)) {
    for (const { entry, position } of entries) {
      seen[entry.kind] += 1
      if (entry.kind === 'link') version.add(entry.account_id, entry.user.id)
      if (kind !== undefined && entry.kind !== kind) continue
      if (rows.length < limit) rows.push(entry)
      else next ??= last
      last = position
    }
    read += size
    if (from !== undefined && read >= maxRows) next ??= end
    if (from !== undefined && next !== undefined) break
  }
  const found = from ?? { ...seen, list, version: version.text() }
  const { linked, link, create, unmatched, conflict } = found
  const counts = { linked, link, create, unmatched, conflict }
  return { rows, version: found.version, counts, pageToken: next && tokens.write({ ...found, ...next }) }
}

/** The parts of a plan from a position on; those without entries of the kind are left out. */
async function* partsAfter(
  parts: PlanParts,
  source: PlanSource,
  { account, user }: Position = { account: '', user: 0 },
  kind: PlanEntry['kind'] | undefined,
) {
  const after = kind === 'create' ? null : account
  for await (const { rows, entries } of after === null ? [] : planAccounts(parts, source, after)) {
    const placed = entries.map(({ entry, position }) => ({ entry, position: { account: position, user } }))
    yield { entries: placed, size: rows.length, end: { account: rows.at(-1)?.id ?? null, user } }
  }
  for await (const { rows, entries } of kind === undefined || kind === 'create' ? planUsers(parts, source, user) : []) {
    const placed = entries.map(({ entry, position }) => ({ entry, position: { account: null, user: position } }))
    yield { entries: placed, size: rows.length, end: { account: null, user: rows.at(-1)?.position ?? user } }
  }
}
