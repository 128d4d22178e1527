import type { DatabaseSync } from 'node:sqlite'
import type { KeyRotation } from '../../admin/store.ts'
import { beginningOf, olderBeginnings, resealedColumns, resealedText, selectUnreadable } from '../reseal.ts'
import type { Sealing } from '../sealing.ts'
import { sealedColumns, sealedTexts, unknownKey } from '../sealing.ts'
import type { GroupCommit } from './group-commit.ts'

/** @throws Error when there is a secret that none of the keys opens */
export function refuseUnknownKeys(db: DatabaseSync, { keyIds }: Sealing): void {
  const { text, values } = selectUnreadable(keyIds)
  const row = db.prepare(text).get(...values)
  if (row !== undefined) throw unknownKey(String(row['beginning']))
}

/** Seals what older keys sealed with the current one, on SQLite, where nothing comes in between. */
export function sqliteReseal(db: DatabaseSync, { write }: GroupCommit, sealing: Sealing): KeyRotation {
  const older = olderBeginnings(sealing)
  const isOld = (column: string) => `${beginningOf(column)} in (${older.map(() => '?').join(', ')})`

  const directories = db.prepare(`
    select id, ${sealedColumns.join(', ')} from directories where ${isOld('scim_secret')} limit ?`)
  const replaceDirectory = db.prepare(`
    update directories set (${sealedColumns.join(', ')}) = (${sealedColumns.map(() => '?').join(', ')}) where id = ?`)
  const texts = sealedTexts.map(({ table, key, column, locationOf }) => ({
    locationOf,
    select: db.prepare(`select ${key} as key, ${column} as sealed from ${table} where ${isOld(column)} limit ?`),
    replace: db.prepare(`update ${table} set ${column} = ? where ${key} = ?`),
  }))

  function resealDirectories(limit: number): number {
    const rows = directories.all(...older, limit)
    for (const row of rows) replaceDirectory.run(...resealedColumns(row, sealing), String(row['id']))
    return rows.length
  }

  function resealTexts({ select, replace, locationOf }: (typeof texts)[number], limit: number): number {
    const rows = select.all(...older, limit)
    for (const row of rows) {
      const [key, sealed] = [String(row['key']), String(row['sealed'])]
      replace.run(resealedText(sealed, locationOf(key), sealing), key)
    }
    return rows.length
  }

  return {
    async resealed(limit) {
      const { resealed } = await write(() => {
        const ofDirectories = resealDirectories(limit)
        return { resealed: texts.reduce((n, text) => n + resealTexts(text, limit - n), ofDirectories) }
      })
      return { resealed, left: resealed === limit }
    },
  }
}
