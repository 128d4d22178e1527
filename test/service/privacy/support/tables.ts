import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { execute } from '../../../support/postgres.ts'
import type { TestDatabase } from '../../../support/service.ts'
import type { Searched } from './marker.ts'
import { isMarked, markedIn } from './marker.ts'

type StoredRow = Readonly<Record<string, unknown>>

/** Every row of every table. No service may be using an embedded database. */
export async function allRows({ engine, env, folder }: TestDatabase): Promise<Map<string, StoredRow[]>> {
  const found = new Map<string, StoredRow[]>()
  if (engine === 'sqlite') {
    using db = new DatabaseSync(join(folder, 'rollcall.db'), { readOnly: true })
    const tables = db.prepare(`select name from sqlite_schema where type = 'table' order by name`).all()
    for (const { name } of tables) found.set(String(name), db.prepare(`select * from "${name}"`).all())
    return found
  }
  const url = env['DATABASE_URL'] ?? ''
  const tables = await execute(url, `select tablename as name from pg_tables where schemaname = 'public' order by 1`)
  for (const { name } of tables) found.set(String(name), await execute(url, `select * from "${name}"`))
  return found
}

/** The tables, and the files of the database, that contain what is looked for, the marker by default, in any encoding. */
export async function markedPlaces(database: TestDatabase, searched?: Searched): Promise<string[]> {
  const { engine, env, folder } = database
  if (engine === 'postgres') await execute(env['DATABASE_URL'] ?? '', 'vacuum full')
  const tables = [...(await allRows(database))].flatMap(([table, rows]) =>
    rows.some((row) => Object.values(row).some((value) => isMarkedValue(value, searched))) ? [table] : [],
  )
  if (engine === 'postgres') return tables
  const files = readdirSync(folder).flatMap((name) =>
    markedIn(readFileSync(join(folder, name)), searched).map((where) => `${name}: ${where}`),
  )
  return [...tables, ...files]
}

function isMarkedValue(value: unknown, searched?: Searched): boolean {
  return typeof value === 'string' || value instanceof Uint8Array ? isMarked(value, searched) : false
}

/** The rows as text, so that they can be compared; those of the request log are decompressed. */
export function texts(rows: readonly StoredRow[] = []): string[] {
  return rows.map((row) =>
    JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
  )
}
