import type { KeyRotation } from '../../admin/store.ts'
import type { SealedTable } from '../reseal.ts'
import { olderPrefixes, prefixOf, resealedValues, sealedTables, selectUnreadable } from '../reseal.ts'
import { text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { unknownKey } from '../sealing.ts'
import type { Database } from './database.ts'
import { numberParameters } from './sql.ts'

/** `$1` the prefixes of the older keys, `$2` how many rows. */
const selectOlder = ({ table, key, columns }: SealedTable) => `
  select ${key} as key, ${columns.join(', ')} from ${table}
  where ${prefixOf(columns[0])} = any($1::text[]) limit $2`

/**
 * `$1` the key of the row, `$2` its first column as it was read, from `$3` on the new values. A row that was changed since
 * is left alone: every change seals all columns again, so the first one has changed.
 */
const replace = ({ table, key, columns }: SealedTable) => `
  update ${table} set ${columns.map((column, index) => `${column} = $${index + 3}`).join(', ')}
  where ${key} = $1 and ${columns[0]} = $2 returning ${key}`

const statements = sealedTables.map((source) => ({ source, select: selectOlder(source), replace: replace(source) }))

/** @throws Error when a stored secret was sealed with none of the keys */
export async function refuseUnknownKeys({ query }: Database, { keyIds }: Sealing): Promise<void> {
  const unreadable = selectUnreadable(keyIds)
  const [row] = await query({ text: numberParameters(unreadable.text, 1), values: unreadable.values, isRare: true })
  if (row !== undefined) throw unknownKey(text(row, 'prefix'))
}

/** Reseals secrets on PostgreSQL, row by row. */
export function postgresReseal({ query }: Database, sealing: Sealing): KeyRotation {
  const older = olderPrefixes(sealing)

  async function reseal({ source, select, replace }: (typeof statements)[number], limit: number) {
    const found = await query({ text: select, values: [older, limit] })
    let resealed = 0
    for (const row of found) {
      const values = [row['key'], row[source.columns[0]], ...resealedValues(row, source, sealing)]
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
