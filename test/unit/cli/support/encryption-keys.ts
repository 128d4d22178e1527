import { keyId, sealedColumns } from '../../../../src/store/sealing.ts'
import type { TestDatabase } from '../../../support/database.ts'
import { runSql } from './stored-rows.ts'

const [older, newer] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]

/** `ENCRYPTION_KEY` with the key of the tests' databases, and with a newer one. */
export const oldKey: string = older.toString('base64')
export const newKey: string = newer.toString('base64')

/** The numbers of stored texts that the old key and the new one sealed. */
export async function countSealed(database: TestDatabase): Promise<{ byOld: number; byNew: number }> {
  const columns = [
    ...sealedColumns.map(
      (column) => `select substr(${column}, 4, 8) as id from directories where ${column} is not null`,
    ),
    'select substr(value, 4, 8) as id from settings',
    'select substr(sealed, 4, 8) as id from pending_authorizations',
    'select substr(body, 4, 8) as id from request_bodies',
  ]
  const rows = await runSql(database, columns.join(' union all '))
  const count = (key: Buffer) => rows.filter(({ id }) => id === keyId(key)).length
  return { byOld: count(older), byNew: count(newer) }
}
