import type { KeyRotation } from '../admin/admin-store.ts'
import type { Row } from './row.ts'
import { optionalText, text } from './row.ts'
import type { Sealing, SecretLocation } from './sealing.ts'
import { directoryLocation, sealedColumns, sealedPrefix, sealedTexts, unknownKey } from './sealing.ts'
import type { Dialect, SqlDatabase, Statement } from './sql-database.ts'

/**
 * A table that stores sealed texts. The columns of a row are sealed together, with one key. Where the first is null, so are the
 * others.
 */
interface SealedTable {
  readonly table: string
  /** The column that names a row in the locations of its texts. */
  readonly key: string
  readonly primaryKey: readonly string[]
  readonly columns: readonly [string, ...string[]]
  /** The locations of the columns of a row, in their order. */
  locationsOf(key: string): readonly SecretLocation[]
}

const primaryKeys: Readonly<Partial<Record<string, readonly string[]>>> = {
  request_bodies: ['directory_id', 'position'],
  delivery_attempts: ['directory_id', 'last_sequence', 'target', 'attempt', 'at'],
}

export const sealedTables: readonly SealedTable[] = [
  {
    table: 'directories',
    key: 'id',
    primaryKey: ['id'],
    columns: sealedColumns,
    locationsOf: (id) => sealedColumns.map((column) => directoryLocation(column, id)),
  },
  ...sealedTexts.map(({ table, key, column, locationOf }) => ({
    table,
    key,
    primaryKey: primaryKeys[table] ?? [key],
    columns: [column] as const,
    locationsOf: (name: string) => [locationOf(name)],
  })),
]

/** The part of a sealed text that names its format and its key. It is indexed. */
const prefixOf = (column: string): string => `substr(${column}, 1, 11)`

/** Reseals secrets, row by row: a row that has changed since it was read is left alone, as every change seals all columns again. */
export function createReseal(
  { query, atomically, dialect }: SqlDatabase,
  sealing: Sealing,
): Pick<KeyRotation, 'resealed'> {
  const { keyIds, seal, open } = sealing
  const older = JSON.stringify(keyIds.slice(1).map((id) => [sealedPrefix(id)]))
  const statements = sealedTables.map((source) => statementsOf(source, dialect))

  async function reseal({ source, select, replace }: (typeof statements)[number], limit: number) {
    const { columns, primaryKey, locationsOf } = source
    const found = await query({ text: select, values: [older, limit] })
    const replaced = found.map((row) => {
      const values = locationsOf(text(row, 'location')).map((location, index) => {
        const sealed = optionalText(row, columns[index] ?? '')
        return sealed === undefined ? null : seal(open(sealed, location), location)
      })
      const key = primaryKey.map((_, index) => row[`key_${index}`])
      return atomically([{ text: replace, values: [...key, row[columns[0]], ...values] }])
    })
    const resealed = (await Promise.all(replaced)).filter(([rows = []]) => rows.length > 0).length
    return { found: found.length, resealed }
  }

  return {
    async resealed(limit) {
      const total = { found: 0, resealed: 0 }
      for (const one of statements) {
        const { found, resealed } = await reseal(one, limit - total.found)
        total.found += found
        total.resealed += resealed
      }
      return { resealed: total.resealed, left: total.found === limit || total.resealed < total.found }
    },
  }
}

function statementsOf(source: SealedTable, { isIn, elementsOf }: Dialect) {
  const { table, key, primaryKey, columns } = source
  const keys = primaryKey.map((column, index) => `${column} as key_${index}`)
  const isUnchanged = [...primaryKey, columns[0]].map((column, index) => `${column} = $${index + 1}`).join(' and ')
  const values = columns.map((column, index) => `${column} = $${primaryKey.length + 2 + index}`).join(', ')
  return {
    source,
    select: `
      select ${key} as location, ${[...keys, ...columns].join(', ')} from ${table}
      where ${isIn(prefixOf(columns[0]), `select j.value ->> 0 from ${elementsOf('$1', 'j')}`)} limit $2`,
    replace: `update ${table} set ${values} where ${isUnchanged} returning 1 as n`,
  }
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
