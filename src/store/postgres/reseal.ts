import type { KeyRotation } from '../../admin/admin-store.ts'
import type { SealedTable } from '../reseal.ts'
import { olderPrefixes, prefixOf, refuseUnreadable, resealedValues, sealedTables, selectUnreadable } from '../reseal.ts'
import { text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import type { Database } from './database.ts'

/** The primary key of a table: rows are read and written by it. */
function primaryKey({ table, key }: SealedTable): readonly string[] {
  if (table === 'request_bodies') return ['directory_id', 'position']
  return table === 'delivery_attempts' ? ['directory_id', 'last_sequence', 'target', 'attempt', 'at'] : [key]
}

/** `$1` the prefixes of the older keys, `$2` how many rows. */
const selectOlder = (source: SealedTable) => `
  select ${source.key} as key, json_build_array(${primaryKey(source).join(', ')})::text as row_key, ${source.columns.join(', ')}
  from ${source.table} where ${prefixOf(source.columns[0])} = any($1::text[]) limit $2`

/**
 * The parameters are the row's primary key, its first column as it was read, and the new values. A row that was changed since
 * is left alone: every change seals all columns again, so the first one has changed.
 */
function replace(source: SealedTable): string {
  const { table, columns } = source
  const keys = primaryKey(source)
  const isUnchanged = [...keys, columns[0]].map((column, index) => `${column} = $${index + 1}`).join(' and ')
  const values = columns.map((column, index) => `${column} = $${keys.length + 2 + index}`).join(', ')
  return `update ${table} set ${values} where ${isUnchanged} returning 1`
}

const statements = sealedTables.map((source) => ({ source, select: selectOlder(source), replace: replace(source) }))

/** @throws Error when a stored secret was sealed with none of the keys */
export async function refuseUnknownKeys({ query }: Database, { keyIds }: Sealing): Promise<void> {
  refuseUnreadable(await query(selectUnreadable(keyIds)))
}

/** Reseals secrets on PostgreSQL, row by row. */
export function postgresReseal({ query }: Database, sealing: Sealing): Pick<KeyRotation, 'resealed'> {
  const older = olderPrefixes(sealing)

  async function reseal({ source, select, replace }: (typeof statements)[number], limit: number) {
    const found = await query({ text: select, values: [older, limit] })
    let resealed = 0
    for (const row of found) {
      const rowKey: unknown[] = JSON.parse(text(row, 'row_key'))
      const values = [...rowKey, row[source.columns[0]], ...resealedValues(row, source, sealing)]
      resealed += (await query({ text: replace, values })).length
    }
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
