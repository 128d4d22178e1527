import { openPostgresStore } from '../../src/store/postgres/open.ts'
import type { Sealing } from '../../src/store/sealing.ts'
import type { Store } from '../../src/store/store.ts'
import type { PostgresDatabase } from '../support/postgres.ts'
import { execute } from '../support/postgres.ts'
import type { TestDatabase } from './store/database.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'

export interface PostgresUnderTest extends TestDatabase {
  readonly url: string
  open(sealing?: Sealing, onPurgeError?: (error: unknown) => void): Promise<Store>
}

/** A database of PostgreSQL for the contract suite. */
export function postgresUnderTest(database: PostgresDatabase): PostgresUnderTest {
  const { url } = database
  return {
    url,
    open: (sealing: Sealing = someSealing(), onPurgeError = failOnPurgeError) =>
      openPostgresStore({ url, poolSize: 4 }, sealing, onPurgeError),
    rows: async (table) =>
      (await execute(url, `select to_jsonb(t) as row from ${table} t`)).map(
        ({ row }) => row as Record<string, unknown>,
      ),
    async execute(sql) {
      await execute(url, sql)
    },
    async pretendNewer() {
      await execute(url, `insert into schema_migrations (number, name) values (99, 'from the future')`)
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
