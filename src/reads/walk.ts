import type { JsonBody, JsonItems } from '../scim/json-list.ts'
import { concatItems } from '../scim/json-list.ts'
import type { Listing, PageTokens } from './page.ts'
import { pageOf } from './page.ts'
import type { Paging } from './paging.ts'
import { refuseOffset } from './paging.ts'
import type { RowsOwner } from './shown-fields.ts'

/** A row that a walk has read, and the position after it. */
export interface WalkedRow<T, P> {
  readonly owner: RowsOwner
  readonly item: T
  readonly position: P
}

/** A part of a walk. It may have no rows although more follow. */
export interface WalkSlice<T, P> {
  readonly rows: readonly WalkedRow<T, P>[]
  /** The position after this part; undefined at the end. */
  readonly next: P | undefined
}

/** Reads the rows that one index finds, in its order, in parts of bounded work. */
export interface Walk<T, P> {
  readonly tokens: PageTokens<P>
  /** Whether it can begin at an offset other than 0. */
  readonly hasOffsets: boolean
  /** @param from the position after which the part begins, or the number of rows before it */
  read(from: P | number, limit: number): Promise<WalkSlice<T, P>>
}

/** How the rows of a walk are chosen and shown. */
export interface WalkedList<T> {
  /** The rows of a part that meet the conditions that the index does not answer; without it, all rows are shown. */
  readonly keep?: (<P>(rows: readonly WalkedRow<T, P>[]) => Promise<readonly WalkedRow<T, P>[]>) | undefined
  jsonOf(owner: RowsOwner, items: readonly T[]): JsonItems
}

/** How many parts a page reads at most; it is then short, and has a token. */
const maxParts = 20

/** The rows of a part of which not all may be shown. */
const rowsPerPart = 100

/**
 * A page of the rows that a walk finds, or all of them.
 *
 * @throws DirectoryError `invalid-input` for a token of another list, or an offset where rows are not counted
 */
export async function listWalk<T, P>(walk: Walk<T, P>, list: WalkedList<T>, paging: Paging): Promise<Listing> {
  if (paging === undefined) return { rows: everyRow(walk, list) }
  const { keep } = list
  const { limit, offset, token } = paging
  if (keep !== undefined || !walk.hasOffsets)
    refuseOffset(paging, 'with this query, continue with the pageToken of the previous page.')
  const wanted = keep === undefined ? limit + 1 : limit
  const found: WalkedRow<T, P>[] = []
  let next: P | undefined = walk.tokens.read(token)
  for (let parts = 0; parts < maxParts && found.length < wanted && (parts === 0 || next !== undefined); parts += 1) {
    const part = await walk.read(next ?? offset, keep === undefined ? wanted - found.length : rowsPerPart)
    found.push(...((await keep?.(part.rows)) ?? part.rows))
    next = part.next
  }
  const page = pageOf(found, limit, ({ position }) => walk.tokens.write(position))
  return {
    rows: concatItems(runsOf(page.rows).map(([owner, items]) => list.jsonOf(owner, items))),
    count: page.rows.length,
    pageToken: page.pageToken ?? (next && walk.tokens.write(next)),
  }
}

async function* everyRow<T, P>(
  walk: Walk<T, P>,
  { keep, jsonOf }: WalkedList<T>,
): AsyncGenerator<readonly JsonBody[], void, undefined> {
  let from: P | number | undefined = 0
  do {
    const { rows, next }: WalkSlice<T, P> = await walk.read(from, rowsPerPart)
    for (const [owner, items] of runsOf((await keep?.(rows)) ?? rows)) {
      const json = jsonOf(owner, items)
      if ('length' in json) yield json
      else yield* json
    }
    from = next
  } while (from !== undefined)
}

/** The rows that follow each other in one directory. */
function runsOf<T, P>(rows: readonly WalkedRow<T, P>[]): (readonly [RowsOwner, readonly T[]])[] {
  const runs: [RowsOwner, T[]][] = []
  for (const { owner, item } of rows) {
    const last = runs.at(-1)
    if (last?.[0].directoryId === owner.directoryId) last[1].push(item)
    else runs.push([owner, [item]])
  }
  return runs
}
