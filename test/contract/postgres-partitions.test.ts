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

/*
 * Tables can be partitioned by directory (`rollcall migrate --partitions`). The position of a row (`ctid`) is only unique in its
 * partition: a write that finds rows by the position alone also changes rows of other tenants.
 */

after(dropTemplate)

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

const migrations = readMigrations('postgres')
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
