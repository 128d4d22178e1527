import type { Engine } from '../engines/engine.ts'
import { userBody } from '../workload/user-body.ts'
import { times } from '../workload/users.ts'
import { openBarePostgres } from './postgres.ts'
import { openBareSqlite } from './sqlite.ts'
import type { BareStore, BareUser } from './store.ts'

const usersAtOnce = 64
const membersAtOnce = 500
const poolSize = 4

/**
 * The seconds that the bare store, in this process, takes to insert users and members with one event each. The event of
 * a member has the user's JSON. Commits are as large as in a sync.
 */
export async function measureBareRows(
  engine: Engine,
  { users, memberships }: { readonly users: number; readonly memberships: number },
): Promise<number> {
  const { DATABASE_URL: url = '' } = await engine.newDatabase()
  const isSqlite = engine.name === 'sqlite'
  const store = isSqlite ? openBareSqlite(url.slice('sqlite:'.length)) : await openBarePostgres(url, poolSize)
  try {
    const startedAt = performance.now()
    await insertAll(store, users, 'user', usersAtOnce)
    await insertAll(store, memberships, 'member', membersAtOnce)
    return (performance.now() - startedAt) / 1000
  } finally {
    await store.close()
  }
}

async function insertAll(store: BareStore, count: number, what: string, atOnce: number): Promise<void> {
  for (let first = 0; first < count; first += atOnce) {
    const rows = times(Math.min(atOnce, count - first), (n) => bareRow(what, first + n))
    await Promise.all(rows.map((row) => store.insert(row)))
  }
}

function bareRow(what: string, number: number): BareUser {
  const raw = JSON.stringify(userBody(what, number))
  return { id: `${what}-${number}`, directoryId: 'bench', userName: `${what}.${number}`, raw }
}
