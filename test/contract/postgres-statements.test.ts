import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readMigrations } from '../../src/store/migrations.ts'
import { directoryTables } from '../../src/store/postgres/partitions.ts'
import type { Store } from '../../src/store/store.ts'
import { startPostgres } from '../support/postgres.ts'
import { storeContract } from './contract.ts'
import { openStatistics, recordPrepared } from './plans/statistics.ts'
import { postgresUnderTest } from './postgres-database.ts'
import { writesIn } from './written-directories.ts'

/** Every statement of the tests in this file; other files may run in the same process. */
let prepared: ReturnType<typeof recordPrepared>
before(() => {
  prepared = recordPrepared()
})
after(() => prepared[Symbol.dispose]())

/** The operations that the store has, and those that these tests use. */
const [operations, used] = [new Set<string>(), new Set<string>()]

storeContract('postgres', async () => {
  const database = postgresUnderTest(await startPostgres())
  return { ...database, open: async (sealing) => noteUses(await database.open(sealing)) }
})

function noteUses(store: Store): Store {
  for (const name of Object.keys(store)) operations.add(name)
  return new Proxy(store, {
    get(target, name) {
      used.add(String(name))
      return Reflect.get(target, name)
    },
  })
}

/** The operations without a contract, with the reason. */
const withoutContract: Readonly<Record<string, string>> = {
  backup: 'only SQLite has it',
  lastBackupAt: 'only SQLite has it',
  overwriteErased: 'it does nothing on PostgreSQL',
  countConnections: 'only PostgreSQL has them: postgres.test.ts',
  readClock: 'only PostgreSQL has it: postgres.test.ts',
}

test('postgres: the contract suite uses every operation of the store', () => {
  const unused = [...operations].filter((name) => !used.has(name))
  assert.deepEqual(unused.toSorted(), Object.keys(withoutContract).toSorted())
})

/** Tables that a walk reads in no time: they have a few rows for each administrator, product or problem, or are pruned. */
const smallTables: ReadonlySet<string> = new Set([
  ...['admin_tokens', 'admin_users', 'api_keys', 'console_sessions', 'erasures', 'oauth_clients', 'operator_notices'],
  ...[
    'product_mappings',
    'replays',
    'role_counts',
    'setup_links',
    'spent_authorizations',
    'sync_runs',
    'volume_totals',
  ],
])

/** Statements whose plans are all good, by their beginning, with the reason. */
const goodAnyway = {
  'select sequence, id, at, action':
    'a listing of the audit trail walks back from its newest entry, or an index of a filter, until its page is full',
  'select * from (select substr(':
    'the start looks for one secret with an unknown key, at most through all directories',
}

test('postgres: every statement of these tests has the same plan, whatever the statistics of its tables say', async () => {
  const statements = [...prepared.texts].filter((text) => /^\s*(select|with|insert|update|delete)\b/i.test(text))
  await using statistics = await openStatistics()
  const isCompared = (table: string) => !smallTables.has(table)
  const problems: Record<string, string[]> = {}
  for (const text of statements) {
    if (Object.keys(goodAnyway).some((beginning) => text.trim().replace(/\s+/g, ' ').startsWith(beginning))) continue
    const differences = await statistics.differencesOf(text, isCompared)
    if (differences.length > 0) problems[text] = differences
  }
  assert.deepEqual(problems, {})
  assert.notEqual(statements.length, 0)
})

const migrations = readMigrations('postgres')
const tables = directoryTables(migrations)

/**
 * The writes of jobs that concern many directories at once, by their beginning, and the condition that finds each row.
 */
const jobs = {
  'update delivery_streams: update delivery_streams set lease_expires_at':
    'a process renews its own leases, each by the directory that it has locked',
  'update operator_notices: with due as':
    'notices of all directories are taken in the order in which they are due, by key',
  'update oauth_clients: with due as': 'secrets of all directories are taken in the order in which they expire, by key',
  'update sync_runs: update sync_runs as r set lease_expires_at': 'a process renews the leases of its own runs',
}

test('postgres: every update and deletion names the directory of its rows', async () => {
  const texts = [...prepared.texts].filter((text) => /\b(update|delete)\b/i.test(text))
  const unnamed: string[] = []
  let checked = 0
  for (const text of texts) {
    for (const { kind, table, namesDirectory } of await writesIn(text)) {
      if (!tables.includes(table)) continue
      checked += 1
      if (!namesDirectory) unnamed.push(`${kind} ${table}: ${text.replaceAll(/\s+/g, ' ').trim()}`)
    }
  }
  assert.deepEqual(
    unnamed.filter((one) => !Object.keys(jobs).some((job) => one.startsWith(job))),
    [],
  )
  for (const job of Object.keys(jobs))
    assert.ok(
      unnamed.some((one) => one.startsWith(job)),
      `not sent: ${job}`,
    )
  assert.ok(checked > 50)
})

for (const { text, namesDirectory } of [
  { text: 'delete from members where ctid = any($1)', namesDirectory: false },
  { text: 'delete from members d where d.directory_id = $1 and d.ctid = any($2)', namesDirectory: true },
  { text: 'delete from members d where d.directory_id is not distinct from $1::text', namesDirectory: true },
  { text: 'delete from members where directory_id = $1 or ctid = any($2)', namesDirectory: false },
  { text: 'delete from members where directory_id <> $1', namesDirectory: false },
  { text: 'delete from members where directory_id <> any($1)', namesDirectory: false },
  {
    text: 'update users u set version = 1 from groups g where g.directory_id = $1 and u.id = g.id',
    namesDirectory: false,
  },
  { text: 'with gone as (delete from users where id = $1 returning id) select * from gone', namesDirectory: false },
]) {
  test(`the check of statements ${namesDirectory ? 'accepts' : 'reports'}: ${text}`, async () => {
    assert.deepEqual(
      (await writesIn(text)).map((write) => write.namesDirectory),
      [namesDirectory],
    )
  })
}
