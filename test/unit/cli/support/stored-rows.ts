import { DatabaseSync } from 'node:sqlite'
import type { TestDatabase } from '../../../support/database.ts'

/** Runs one statement on the database itself. No process may have its file open. */
export async function runSql({ engine, env }: TestDatabase, sql: string): Promise<Record<string, unknown>[]> {
  const url = env['DATABASE_URL'] ?? ''
  if (engine === 'postgres') return (await import('../../../support/postgres.ts')).execute(url, sql)
  const db = new DatabaseSync(url.slice('sqlite:'.length))
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}
