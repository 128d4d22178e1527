import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '../../src/store/errors.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import { inspectPooler } from '../../src/store/postgres/pooler.ts'
import { serversAt } from '../../src/store/postgres/servers.ts'
import { startNetwork, withOtherProcessId } from '../guarantees/support/network.ts'
import { openTestDatabase } from '../support/database.ts'
import { startPooler } from '../support/pooler.ts'
import { startPostgres } from '../support/postgres.ts'
import { startTestService } from '../support/service.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addDirectory, addGroup, addUsers, delta, eventsOf, writesTo } from './store/samples.ts'

test('postgres: processes that share a connection run their own prepared statements', async () => {
  await using postgres = await startPostgres()
  await using pooler = await startPooler(postgres.url)
  const [one, other] = [openDatabase(serversAt(pooler.url, 'url'), 1), openDatabase(serversAt(pooler.url, 'url'), 1)]
  const insert = (id: string) => ({ text: 'insert into marks values ($1)', values: [id] })
  const remove = (id: string) => ({ text: 'delete from marks where id <> $1', values: [id] })
  const list = { text: 'select id from marks order by id', values: [] }
  await one.query({ text: 'create table marks (id text primary key)', values: [], isRare: true })
  // Each prepares its statements in an order of its own.
  for (const id of ['a', 'b', 'c']) {
    await one.query(insert(id))
    await other.query(list)
  }
  await other.query(remove('b'))
  await one.query(insert('d'))
  await other.query(remove('d'))
  await one.query(insert('e'))
  assert.deepEqual(await one.query(list), [{ id: 'd' }, { id: 'e' }])
  await one.close()
  await other.close()
})

test('postgres: two processes that share a connection write their own rows', async () => {
  await using postgres = await startPostgres()
  await using pooler = await startPooler(postgres.url)
  const open = () =>
    openPostgresStore({ url: pooler.url, directUrl: postgres.url, poolSize: 1 }, someSealing(), failOnPurgeError)
  const stores = [await open(), await open()] as const
  const directories = [await addDirectory(stores[0]), await addDirectory(stores[1])] as const
  for (const round of [1, 2, 3]) {
    await Promise.all(
      stores.map(async (store, n) => {
        const directory = directories[n] ?? assert.fail()
        const users = await addUsers(store, directory, [`ann ${round}`, `bob ${round}`])
        const [ann, bob] = users
        const { group } = await addGroup(store, directory, `Sales ${round}`, n === 0 ? users : [])
        const writes = writesTo(store, directory)
        if (n === 1) await writes.changeMembers(group, delta(users))
        assert.ok(ann && bob)
        await writes.deleteUser(n === 0 ? ann : bob)
      }),
    )
  }
  for (const [n, store] of stores.entries()) {
    const directory = directories[n] ?? assert.fail()
    assert.equal(await store.countUsers(directory.id), 3)
    assert.equal((await eventsOf(store, directory)).length, 3 * 6)
    await store.close()
  }
})

const supportThrough = (url: string) => inspectPooler(serversAt(url, 'url'))

test('postgres: a pooler that does not keep track of prepared statements is found', async () => {
  await using postgres = await startPostgres()
  await using sharing = await startPooler(postgres.url)
  await using forgetting = await startPooler(postgres.url, { forgets: true })
  await using inSessionMode = await startNetwork(postgres.url, withOtherProcessId)
  assert.equal(await supportThrough(sharing.url), 'unsupported')
  assert.equal(await supportThrough(forgetting.url), 'unsupported')
  assert.equal(await supportThrough(inSessionMode.url), 'supported')
  assert.equal(await supportThrough(postgres.url), 'no-pooler')
})

test('postgres: a prepared statement that a pooler has lost is reported as unavailable', async () => {
  await using postgres = await startPostgres()
  await using pooler = await startPooler(postgres.url, { forgets: true })
  const database = openDatabase(serversAt(pooler.url, 'url'), 1)
  const statement = { text: 'select 1 as one', values: [] }
  assert.deepEqual(await database.query(statement), [{ one: 1 }])
  await assert.rejects(database.query(statement), StoreUnavailable)
  assert.deepEqual(await database.query(statement), [{ one: 1 }])
  await database.close()
})

test('postgres: behind a pooler that loses prepared statements, none are used, and the log says what to set', async () => {
  await using database = await openTestDatabase('postgres')
  const { DATABASE_URL: url = '' } = database.env
  await using pooler = await startPooler(url, { forgets: true })
  await using service = await startTestService(database, { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: url })
  await service.logged(({ msg }) => /does not keep track .*max_prepared_statements = 200/.test(String(msg)))
  for (const tenant of ['acme', 'globex', 'initech']) await service.createDirectory({ tenant })
})
