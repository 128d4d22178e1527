import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestDatabase } from './database.ts'

/** The whole contents of a database as text; for SQLite, the files themselves. */
export async function storedText({ database }: { readonly database: TestDatabase }): Promise<string> {
  const { engine, env, folder } = database
  if (engine === 'sqlite') {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFileSync(join(folder, name), 'latin1'))
      .join('\n')
  }
  const { execute } = await import('./postgres.ts')
  const url = env['DATABASE_URL'] ?? ''
  const tables = await execute(
    url,
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const rows = await Promise.all(tables.map(({ name }) => execute(url, `select * from "${name}"`)))
  return JSON.stringify(rows)
}
