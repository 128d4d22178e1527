import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import { serversAt } from '../../src/store/postgres/servers.ts'
import { startPooler } from '../support/pooler.ts'
import { startPostgres } from '../support/postgres.ts'
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
