import type { Sealing, SecretLocation } from './sealing.ts'
import { directoryLocation, sealedColumns, sealedPrefix } from './sealing.ts'

/** The beginning of a sealed text, which names its form and its key, in both databases; there are indexes on it. */
export const beginningOf = (column: string): string => `substr(${column}, 1, 11)`

/** How the texts begin that are to be sealed anew. */
export function olderBeginnings({ keyIds: [, ...older] }: Sealing): string[] {
  return older.map(sealedPrefix)
}

/** A text sealed with the current key, for the place where it stands. */
export function resealedText(sealed: string, place: SecretLocation, { seal, open }: Sealing): string {
  return seal(open(sealed, place), place)
}

/** The sealed columns of a directory's row, sealed with the current key. */
export function resealedColumns(row: Readonly<Record<string, unknown>>, sealing: Sealing): (string | null)[] {
  return sealedColumns.map((column) => {
    const sealed = row[column]
    const place = directoryLocation(column, String(row['id']))
    return typeof sealed === 'string' ? resealedText(sealed, place, sealing) : null
  })
}

/** Selects as `beginning` that of a stored secret which none of these keys opens, if there is one. */
export function selectUnreadable(keyIds: readonly string[]): { readonly text: string; readonly values: string[] } {
  const sorted = keyIds.map(sealedPrefix).sort()
  const tables = [
    { table: 'directories', beginning: beginningOf('scim_secret') },
    { table: 'settings', beginning: beginningOf('value') },
  ]
  const texts = tables.map(
    ({ table, beginning }) =>
      `select * from (select ${beginning} as beginning from ${table} where ${between(beginning, sorted)} limit 1) ${table}_text`,
  )
  return { text: texts.join(' union all '), values: tables.flatMap(() => sorted.flatMap((one) => [one, one])) }
}

/** Before the first, between one and the next, or behind the last: so that an index finds what is none of them. */
function between(beginning: string, sorted: readonly string[]): string {
  const gaps = sorted.slice(1).map(() => `(${beginning} > ? and ${beginning} < ?)`)
  return [`${beginning} < ?`, ...gaps, `${beginning} > ?`].join(' or ')
}
