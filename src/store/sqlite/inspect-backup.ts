import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { sealedTables } from '../reseal.ts'
import { optionalText, text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { pendingSqliteMigrations } from './migrate.ts'

/** The contents of a backup of an embedded database. */
export interface BackupContents {
  /** The number of the last migration. */
  readonly schema: number
  readonly directories: number
  /** The ids of the keys that its secrets are encrypted with; see `keyId`. */
  readonly keyIds: readonly string[]
}

/** A backup that nothing changes; opening it creates no file beside it. */
export interface OpenBackup extends Disposable {
  readonly contents: BackupContents
  /** @throws Error when the file is damaged */
  checkIntegrity(): void
  /** Opens every secret. @throws Error when one of them cannot be opened */
  checkSecrets(sealing: Sealing): void
}

/** The receipts of erasures in an embedded database that nobody uses, and the keys with which they are verified. */
export interface StoredReceipts {
  readonly receipts: readonly string[]
  /** Encrypted; undefined before the first receipt. */
  readonly keys: string | undefined
}

/** @throws Error when the file cannot be read; an empty one, or another database, has none */
export function readStoredReceipts(file: string): StoredReceipts {
  using db = openReadOnly(file)
  if (db.prepare(`select 1 from sqlite_schema where name = 'erasures'`).get() === undefined)
    return { receipts: [], keys: undefined }
  const receipts = db.prepare('select receipt from erasures where receipt is not null').all()
  const keys = db.prepare('select value from settings where name = ?').get('receipts')
  return { receipts: receipts.map((row) => text(row, 'receipt')), keys: keys && text(keys, 'value') }
}

/** Opens a database that nobody uses. As one in use, it would leave files beside it. */
function openReadOnly(file: string): DatabaseSync {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}

/** @throws Error with a message for the operator when it is no database of this or an earlier version of Rollcall */
export function openBackup(file: string): OpenBackup {
  const db = openReadOnly(file)
  try {
    return {
      contents: readContents(db, file),
      checkIntegrity: () => checkIntegrity(db, file),
      checkSecrets: (sealing) => checkSecrets(db, sealing),
      [Symbol.dispose]: () => db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

function readContents(db: DatabaseSync, file: string): BackupContents {
  const schema = numberOf(db, file, 'pragma user_version', 'user_version')
  const tables = `select count(*) as n from sqlite_schema where name in ('directories', 'settings', 'directory_state')`
  if (schema < 1 || numberOf(db, file, tables, 'n') !== 3) throw new Error(`${file} is not a database of Rollcall.`)
  pendingSqliteMigrations(db, file)
  const keys = db.prepare(
    'select distinct substr(value, 4, 8) as id from settings union select substr(scim_secret, 4, 8) from directories',
  )
  return {
    schema,
    directories: numberOf(db, file, 'select count(*) as n from directories', 'n'),
    keyIds: keys.all().map((row) => text(row, 'id')),
  }
}

function numberOf(db: DatabaseSync, file: string, sql: string, column: string): number {
  try {
    return Number(db.prepare(sql).get()?.[column])
  } catch (cause) {
    throw new Error(`${file} is not a database of Rollcall, or is damaged.`, { cause })
  }
}

function checkIntegrity(db: DatabaseSync, file: string): void {
  const found = problemsOf(db)
  if (found.length > 0) throw new Error(`${file} is damaged: ${found.join('; ')}. Use another backup.`)
}

function problemsOf(db: DatabaseSync): string[] {
  try {
    const rows = db.prepare('pragma integrity_check(3)').all()
    return rows.map((row) => text(row, 'integrity_check')).filter((problem) => problem !== 'ok')
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function checkSecrets(db: DatabaseSync, { open }: Sealing): void {
  for (const { table, key, columns, locationsOf } of sealedTables) {
    const statement = `select ${key} as key, ${columns.join(', ')} from ${table} where ${columns[0]} is not null`
    for (const row of db.prepare(statement).iterate()) {
      locationsOf(text(row, 'key')).forEach((location, index) => {
        const sealed = optionalText(row, columns[index] ?? '')
        if (sealed !== undefined) open(sealed, location)
      })
    }
  }
}
