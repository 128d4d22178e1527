import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readMigrations } from '../../src/store/migrations.ts'
import { directoryTables, partitionedSql } from '../../src/store/postgres/partitions.ts'
import type { Store } from '../../src/store/store.ts'
import { eventually } from '../support/eventually.ts'
import { dropTemplate, partitions, startPartitioned } from '../support/partitions.ts'
import { execute } from '../support/postgres.ts'
import { storeContract } from './contract.ts'
import type { PostgresUnderTest } from './postgres-database.ts'
import { postgresUnderTest } from './postgres-database.ts'
import { someAudit } from './store/audit-samples.ts'
import { addDirectory, addGroup, addUsers, changedUser, delta, replacedBy, writesTo } from './store/samples.ts'
import { recordTexts, writesIn } from './written-directories.ts'

/*
 * Tables can be partitioned by directory (`rollcall migrate --partitions`). The position of a row (`ctid`) is only unique in its
 * partition: a write that finds rows by the position alone also changes rows of other tenants.
 */

const recorded = recordTexts()
after(async () => {
  recorded[Symbol.dispose]()
  await dropTemplate()
})

storeContract('postgres with partitions', async () => postgresUnderTest(await startPartitioned()))

test('postgres with partitions: no write of a directory changes a row of another', async () => {
  await using database = postgresUnderTest(await startPartitioned())
  const store = await database.open()
  // Others have the same positions in the other partitions; hashes are random, and eight directories are in several.
  const tenants = []
  for (let n = 0; n < 8; n += 1) tenants.push(await filledDirectory(store))
  const [one, ...others] = tenants
  assert.ok(one)
  const { directory, users, groups } = one
  const [ann, bob, cid, dan, eve] = users
  const [sales, ops, law] = groups
  assert.ok(ann && bob && cid && dan && eve && sales && ops && law)
  const writes = writesTo(store, directory)
  const ofOthers = () => rowsOf(database, new Set(others.map((other) => other.directory.id)))
  const before = await ofOthers()
  const renamed = changedUser(bob, { displayName: 'Bob' })
  for (const write of [
    () => writes.changeMembers(sales, delta([], [ann])),
    () => writes.changeMembers(sales, delta([], [bob, cid])),
    () => writes.changeMembers(sales, replacedBy([dan])),
    () => writes.changeMembers(ops, delta([ann])),
    () => writes.replaceUser(bob, renamed),
    () => Promise.all([cid, dan].map((user) => writes.replaceUser(user, changedUser(user, { active: false })))),
    () => writes.deleteGroup(law),
    () => writes.deleteUser(ann),
    () => writes.deleteUser(renamed),
    () => writes.deleteUser(eve),
    () => store.deleteDirectory(directory.id, 0, someAudit()),
  ]) {
    const outcomes = [await write()].flat()
    for (const outcome of outcomes) assert.ok(typeof outcome !== 'string', String(outcome))
    assert.deepEqual(await ofOthers(), before)
  }
  await eventually(
    'the directory to be purged',
    async () => (await rowsOf(database, new Set([directory.id]))).length === 0,
  )
  assert.deepEqual(await ofOthers(), before)
  await store.close()
})

/** A directory whose rows are at the same positions of their partitions as those of other such directories. */
async function filledDirectory(store: Store) {
  const directory = await addDirectory(store)
  const users = []
  for (const name of ['ann', 'bob', 'cid', 'dan', 'eve']) users.push(...(await addUsers(store, directory, [name])))
  const groups = []
  for (const name of ['Sales', 'Ops', 'Law']) {
    groups.push((await addGroup(store, directory, name, name === 'Ops' ? [] : users)).group)
  }
  return { directory, users, groups }
}

/** The rows of some directories in the partitioned tables. */
async function rowsOf(database: PostgresUnderTest, directoryIds: ReadonlySet<unknown>) {
  const rows = await database.rowsOf(tables)
  const ofDirectories = rows.map((ofTable) => ofTable.filter((row) => directoryIds.has(row['directory_id'])))
  return ofDirectories.flatMap((found, n) => found.map((row) => `${tables[n]} ${JSON.stringify(row)}`)).sort()
}

const migrations = readMigrations(new URL('../../src/store/postgres/migrations/', import.meta.url))
const tables = directoryTables(migrations)

test('postgres with partitions: every table that has a directory in its key is partitioned', () => {
  const sql = migrations.map((one) => one.sql)
  const keyed = [
    ...sql.join('\n').matchAll(/^create table (\w+) \((?:(?!^\)).)*?^ {2}directory_id .*?(?:primary key|,)/gms),
  ]
  assert.deepEqual(
    keyed.map(([, table]) => table).filter((table) => table !== 'setup_links'),
    tables,
  )
  assert.ok(tables.length > 20)
})

test('postgres with partitions: a later migration changes the tables with all their partitions', async () => {
  await using database = postgresUnderTest(await startPartitioned())
  const sql = `
create table badges (
  directory_id text collate "C" not null,
  user_id text collate "C" not null,
  primary key (directory_id, user_id)
) with (fillfactor = 70);
alter table users add column badge text;
alter table users set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
alter table settings set (fillfactor = 90);
create index users_by_badge on users (directory_id, badge);`
  const later = { number: migrations.length + 1, name: 'later.sql', sql, digest: '' }
  await database.execute(partitionedSql(sql, directoryTables([...migrations, later]), partitions))
  const changed = await execute(
    database.url,
    `select count(*) filter (where relname ~ '^badges_\\d$' and 'fillfactor=70' = any(reloptions))::int as badges,
      count(*) filter (where relname ~ '^users_\\d$' and 'fillfactor=80' = any(reloptions))::int as users,
      count(*) filter (where relname ~ '^users_\\d_directory_id_badge_idx$')::int as indexes from pg_class`,
  )
  assert.deepEqual(changed, [{ badges: partitions, users: partitions, indexes: partitions }])
})

/**
 * The writes of jobs that concern many directories at once, by their beginning, and the condition that finds each row.
 */
const jobs = {
  'update directory_state: with idle as':
    'polling turns off the work of directories that it found idle, each by its id, which is a parameter in a list',
  'update delivery_streams: with held as': 'a process renews its own leases, each by the directory that it has locked',
  'update operator_notices: with due as':
    'notices of all directories are taken in the order in which they are due, by key',
  'update oauth_clients: with due as': 'secrets of all directories are taken in the order in which they expire, by key',
  'delete deprovisionings: with gone as': 'old rows of all directories are found by age, and deleted by key',
  'delete deprovision_times: with gone as': 'the same',
  'delete deleted_users: with gone as': 'the same',
  'update sync_runs: update sync_runs as r set lease_expires_at': 'a process renews the leases of its own runs',
}

test('postgres: every update and deletion names the directory of its rows', async () => {
  const texts = [...recorded.texts].filter((text) => /\b(update|delete)\b/i.test(text))
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

test('postgres: the functions of triggers, which this check of statements does not see, name the directory as well', () => {
  const bodies = migrations.flatMap(({ sql }) => [...sql.matchAll(/\$\$(.*?)\$\$/gs)].map(([, body = '']) => body))
  const writes = bodies.flatMap((body) => body.match(/\b(update|delete from) [^;]*;/g) ?? [])
  assert.equal(writes.length, 3)
  for (const write of writes) assert.match(write, /\bwhere directory_id = new\.id;$/)
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
