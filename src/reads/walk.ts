import { DirectoryError } from '../directory/errors.ts'
import type { JsonBody, JsonItems } from '../scim/json-list.ts'
import { concatItems } from '../scim/json-list.ts'
import type { Listing } from './listing.ts'
import { readPageToken, writePageToken } from './page-token.ts'
import type { Paging } from './paging.ts'
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
  isPosition(value: unknown): value is P
  /** @param after the position after the last part; undefined for the first one */
  read(after: P | undefined, limit: number): Promise<WalkSlice<T, P>>
}

/** How the rows of a walk are chosen and shown. */
export interface WalkedList<T> {
  /** The rows of a part that are shown: those that meet the conditions that the index does not answer. */
  keep<P>(rows: readonly WalkedRow<T, P>[]): Promise<readonly WalkedRow<T, P>[]>
  jsonOf(owner: RowsOwner, items: readonly T[]): JsonItems
}

/** How many parts a page reads at most; it is then short, and has a token. */
const maxParts = 20

/** The most rows of a part. */
const rowsPerPart = 100

/**
 * A page of the rows that a walk finds, or all of them.
 *
 * @throws DirectoryError `invalid-input` for an offset, or a token of another list
 */
export async function listWalk<T, P>(walk: Walk<T, P>, list: WalkedList<T>, paging: Paging): Promise<Listing> {
  if (paging === undefined) return { rows: everyRow(walk, list) }
  if ('offset' in paging && paging.offset > 0) throw offsetRefused()
  const { limit } = paging
  let after = 'token' in paging ? readPageToken(paging.token, walk.isPosition) : undefined
  const shown: WalkedRow<T, P>[] = []
  for (let parts = 0; parts < maxParts && shown.length < limit; parts += 1) {
    const { rows, next } = await walk.read(after, rowsPerPart)
    shown.push(...(await list.keep(rows)))
    after = next
    if (next === undefined) break
  }
  const isCut = shown.length > limit
  const page = shown.slice(0, limit)
  const end = isCut ? page.at(-1)?.position : after
  return {
    rows: concatItems(runsOf(page).map(([owner, items]) => list.jsonOf(owner, items))),
    count: page.length,
    pageToken: end === undefined ? undefined : writePageToken(end),
  }
}

async function* everyRow<T, P>(
  walk: Walk<T, P>,
  list: WalkedList<T>,
): AsyncGenerator<readonly JsonBody[], void, undefined> {
  let after: P | undefined
  do {
    const { rows, next } = await walk.read(after, rowsPerPart)
    for (const [owner, items] of runsOf(await list.keep(rows))) {
      const json = list.jsonOf(owner, items)
      if ('length' in json) yield json
      else yield* json
    }
    after = next
  } while (after !== undefined)
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

function offsetRefused(): DirectoryError {
  const message = 'pageOffset: with this query, continue with the pageToken of the previous page.'
  return new DirectoryError('invalid-input', message, [{ field: 'pageOffset', message }])
}
