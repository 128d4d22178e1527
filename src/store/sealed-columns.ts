import type { DirectoryRow } from './directory-row.ts'
import type { Sealing } from './sealing.ts'

/**
 * The sealed columns of a directory, which are written together, with one key. Beside them the `value` of `settings` and
 * the `sealed` of `pending_authorizations` are sealed.
 */
export const sealedColumns = [
  'scim_secret',
  'previous_scim_secret',
  'endpoint_secret',
  'previous_endpoint_secret',
  'extdir',
] as const satisfies (keyof DirectoryRow)[]

/** The id of the key that sealed a text, in both databases; there are indexes on it. */
export const keyIdOf = (column: string): string => `substr(${column}, 4, 8)`

/** The sealed columns of a directory's row, sealed with the current key. */
export function resealedColumns(row: Readonly<Record<string, unknown>>, { seal, open }: Sealing): (string | null)[] {
  return sealedColumns.map((column) => {
    const sealed = row[column]
    return typeof sealed === 'string' ? seal(open(sealed)) : null
  })
}

/** Selects as `id` a key that sealed a stored secret and is none of these, if there is one. */
export function selectUnknownKey(keyIds: readonly string[]): { readonly text: string; readonly values: string[] } {
  const sorted = keyIds.toSorted()
  const tables = [
    { table: 'directories', id: keyIdOf('scim_secret') },
    { table: 'settings', id: keyIdOf('value') },
  ]
  const texts = tables.map(
    ({ table, id }) =>
      `select * from (select ${id} as id from ${table} where ${between(id, sorted)} limit 1) ${table}_key`,
  )
  return { text: texts.join(' union all '), values: tables.flatMap(() => sorted.flatMap((one) => [one, one])) }
}

/** Before the first, between one and the next, or behind the last: so that an index finds what is none of them. */
function between(id: string, sorted: readonly string[]): string {
  const gaps = sorted.slice(1).map(() => `(${id} > ? and ${id} < ?)`)
  return [`${id} < ?`, ...gaps, `${id} > ?`].join(' or ')
}
