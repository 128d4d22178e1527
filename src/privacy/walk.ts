import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PersonalPlace, PersonalRow, PrivacyStore } from './privacy-store.ts'

/** The rows of a page: few at first, as their size is not known, then as many as have about this many characters. */
const firstPage = 20
const maxPage = 200
const charactersPerPage = 500_000

/** Reads all rows of a place of a directory, page by page, with other work in between. */
export async function* personalPages(
  store: Pick<PrivacyStore, 'personalRows'>,
  place: PersonalPlace,
  directoryId: string,
): AsyncGenerator<readonly PersonalRow[], void, undefined> {
  let after: PersonalRow['key'] | undefined
  for (let limit = firstPage; ; ) {
    const rows = await store.personalRows(place, directoryId, after, limit)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    after = rows.at(-1)?.key
    limit = nextLimit(rows)
    await nextTurn()
  }
}

/**
 * Visits all rows of a place of a directory, page by page, with other work in between.
 *
 * @param visit returns false when a row was changed in the meantime: the page is read, and visited, again
 */
export async function visitPages(
  store: Pick<PrivacyStore, 'personalRows'>,
  place: PersonalPlace,
  directoryId: string,
  visit: (rows: readonly PersonalRow[]) => Promise<boolean>,
): Promise<void> {
  let after: PersonalRow['key'] | undefined
  for (let limit = firstPage; ; await nextTurn()) {
    const rows = await store.personalRows(place, directoryId, after, limit)
    if (!(await visit(rows))) continue
    if (rows.length < limit) return
    after = rows.at(-1)?.key
    limit = nextLimit(rows)
  }
}

function nextLimit(rows: readonly PersonalRow[]): number {
  const average = rows.reduce((sum, row) => sum + sizeOf(row), 0) / rows.length
  return Math.max(1, Math.min(maxPage, Math.floor(charactersPerPage / average)))
}

function sizeOf({ values, requests }: PersonalRow): number {
  const texts = Object.values(values).filter((value) => typeof value === 'string')
  return texts.reduce((sum, { length }) => sum + length, 100 + 300 * requests.length)
}
