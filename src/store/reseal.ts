import type { Row } from './row.ts'
import { optionalText, text } from './row.ts'
import type { Sealing, SecretLocation } from './sealing.ts'
import { directoryLocation, sealedColumns, sealedPrefix, sealedTexts, unknownKey } from './sealing.ts'
import type { Statement } from './sql-database.ts'

/**
 * A table that stores sealed texts. The columns of a row are sealed together, with one key. Where the first is null, so are the
 * others.
 */
export interface SealedTable {
  readonly table: string
  readonly key: string
  readonly columns: readonly [string, ...string[]]
  /** The locations of the columns of a row, in their order. */
  locationsOf(key: string): readonly SecretLocation[]
}

export const sealedTables: readonly SealedTable[] = [
  {
    table: 'directories',
    key: 'id',
    columns: sealedColumns,
    locationsOf: (id) => sealedColumns.map((column) => directoryLocation(column, id)),
  },
  ...sealedTexts.map(({ table, key, column, locationOf }) => ({
    table,
    key,
    columns: [column] as const,
    locationsOf: (name: string) => [locationOf(name)],
  })),
]

/** The part of a sealed text that names its format and its key. It is indexed. */
export const prefixOf = (column: string): string => `substr(${column}, 1, 11)`

/** The prefixes of the texts to reseal. */
export function olderPrefixes({ keyIds: [, ...older] }: Sealing): string[] {
  return older.map(sealedPrefix)
}

/** The columns of a row, sealed with the current key. Their key is in the row as `key`. */
export function resealedValues(
  row: Row,
  { columns, locationsOf }: SealedTable,
  { seal, open }: Sealing,
): (string | null)[] {
  return locationsOf(text(row, 'key')).map((location, index) => {
    const sealed = optionalText(row, columns[index] ?? '')
    return sealed === undefined ? null : seal(open(sealed, location), location)
  })
}

/** Selects the `prefix` of stored secrets that none of the keys can open. */
export function selectUnreadable(keyIds: readonly string[]): Statement {
  const sorted = keyIds.map(sealedPrefix).sort()
  const tables = [
    { table: 'directories', prefix: prefixOf('scim_secret') },
    { table: 'settings', prefix: prefixOf('value') },
  ]
  const texts = tables.map(
    ({ table, prefix }) =>
      `select * from (select ${prefix} as prefix from ${table} where ${isNoneOf(prefix, sorted.length)} limit 1) ${table}_text`,
  )
  return { text: texts.join(' union all '), values: sorted, isRare: true }
}

/** @throws Error when `selectUnreadable` has found a row */
export function refuseUnreadable([row]: readonly Row[]): void {
  if (row !== undefined) throw unknownKey(text(row, 'prefix'))
}

/** Ranges before, between and after the sorted prefixes, which are the parameters: unlike `not in`, they use the index. */
function isNoneOf(prefix: string, count: number): string {
  const gaps = Array.from({ length: count - 1 }, (_, n) => `(${prefix} > $${n + 1} and ${prefix} < $${n + 2})`)
  return [`${prefix} < $1`, ...gaps, `${prefix} > $${count}`].join(' or ')
}
