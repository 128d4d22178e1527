import { openPostgresStore } from '../../src/store/postgres/open.ts'
import type { Sealing } from '../../src/store/sealing.ts'
import type { Store } from '../../src/store/store.ts'
import type { PostgresDatabase } from '../support/postgres.ts'
import { execute } from '../support/postgres.ts'
import type { TestDatabase } from './store/database.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'

export interface PostgresUnderTest extends TestDatabase {
  readonly url: string
  rowsOf(tables: readonly string[]): Promise<Record<string, unknown>[][]>
  open(sealing?: Sealing, onPurgeError?: (error: unknown) => void): Promise<Store>
}

/** A database of PostgreSQL for the contract suite. */
export function postgresUnderTest(database: PostgresDatabase): PostgresUnderTest {
  const { url } = database
  /** One statement, as a connection that knows no table yet takes longer than reading small ones. */
  async function rowsOf(tables: readonly string[]) {
    const columns = tables.map((table) => `(select jsonb_agg(to_jsonb(t)) from ${table} t) as ${table}`)
    const [row] = await execute(url, `select ${columns.join(', ')}`)
    return tables.map((table) => (row?.[table] ?? []) as Record<string, unknown>[])
  }
  return {
    url,
    open: (sealing: Sealing = someSealing(), onPurgeError = failOnPurgeError) =>
      openPostgresStore({ url, poolSize: 4 }, sealing, onPurgeError),
    rows: async (table) => (await rowsOf([table]))[0] ?? [],
    rowsOf,
    async execute(sql) {
      await execute(url, sql)
    },
    async pretendNewer() {
      await execute(url, `insert into schema_migrations (number, name, digest) values (99, 'from the future', '')`)
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
