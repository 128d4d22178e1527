import type { DatabaseSync } from 'node:sqlite'
import type { KeyRotation } from '../../admin/admin-store.ts'
import { olderPrefixes, prefixOf, refuseUnreadable, resealedValues, sealedTables, selectUnreadable } from '../reseal.ts'
import { text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import type { GroupCommit } from './group-commit.ts'
import { createRunStatement } from './sql-database.ts'

/** @throws Error when a stored secret was sealed with none of the keys */
export function refuseUnknownKeys(db: DatabaseSync, { keyIds }: Sealing): void {
  refuseUnreadable(createRunStatement(db)(selectUnreadable(keyIds)))
}

/** Reseals secrets on SQLite, each batch in one transaction. */
export function sqliteReseal(
  db: DatabaseSync,
  { write }: GroupCommit,
  sealing: Sealing,
): Pick<KeyRotation, 'resealed'> {
  const older = olderPrefixes(sealing)
  const statements = sealedTables.map((source) => {
    const { table, key, columns } = source
    return {
      source,
      select: db.prepare(`
        select ${key} as key, ${columns.join(', ')} from ${table}
        where ${prefixOf(columns[0])} in (${older.map(() => '?').join(', ')}) limit ?`),
      replace: db.prepare(
        `update ${table} set ${columns.map((column) => `${column} = ?`).join(', ')} where ${key} = ?`,
      ),
    }
  })

  function reseal({ source, select, replace }: (typeof statements)[number], limit: number): number {
    const rows = select.all(...older, limit)
    for (const row of rows) replace.run(...resealedValues(row, source, sealing), text(row, 'key'))
    return rows.length
  }

  return {
    async resealed(limit) {
      const resealed = await write(() => statements.reduce((total, one) => total + reseal(one, limit - total), 0))
      return { resealed, left: resealed === limit }
    },
  }
}
