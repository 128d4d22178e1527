import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../src/directory/directory.ts'
import type { Store } from '../../src/store/store.ts'
import { eventually } from '../support/eventually.ts'
import { execute, startPostgres } from '../support/postgres.ts'
import { postgresUnderTest } from './postgres-database.ts'
import { productReader } from './store/product-feed.ts'
import { addDirectory, addUsers } from './store/samples.ts'

const product = 'crm'

/** Two processes on one database, each with a reader of the product. */
async function openTwo() {
  const database = postgresUnderTest(await startPostgres())
  const stores = [await database.open(), await database.open()] as const
  return {
    url: database.url,
    stores,
    readers: stores.map((store) => productReader(store, product)),
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

const countOf = async (store: Store, { id: directoryId }: Directory) =>
  (await store.feedDirectories({ directoryId }, 1))[0]?.lastSequence ?? 0

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

test('postgres: events of a transaction that commits late come late, and no reader misses them', async () => {
  await using two = await openTwo()
  const { url, readers, stores } = two
  const [one, other] = stores
  const [late, busy] = [
    await addDirectory(one, { product, tenant: 'late' }),
    await addDirectory(one, { product, tenant: 'busy' }),
  ]
  await addUsers(one, late, ['first'])
  // The transaction has numbered and written its event, and waits for the gate before it commits.
  await execute(url, 'create table gate (is_open integer)')
  await execute(
    url,
    `create function wait_for_gate() returns trigger language plpgsql as $$
     begin
       while not exists (select from gate) loop perform pg_sleep(0.01); end loop;
       return null;
     end $$`,
  )
  await execute(
    url,
    `create trigger waits after insert on events for each row
     when (new.directory_id = '${late.id}') execute function wait_for_gate()`,
  )
  const pending = addUsers(one, late, ['second'])
  await eventually('the transaction to wait', async () => {
    const waiting = await execute(url, `select from pg_stat_activity where wait_event = 'PgSleep'`)
    return waiting.length > 0
  })
  for (const [index, reader] of readers.entries()) {
    await addUsers(other, busy, [`busy-${index}`])
    await reader.readToEnd(1)
    await stores[index]?.moveVolumes(10)
  }
  await execute(url, 'insert into gate values (1)')
  await pending
  for (const reader of readers) {
    await reader.readToEnd()
    assert.deepEqual([reader.receivedOf(late), reader.receivedOf(busy)], [upTo(2), upTo(2)])
  }
})

test('postgres: readers of two processes get every event once, while both write and order the feed', async () => {
  await using two = await openTwo()
  const { readers, stores } = two
  const [one, other] = stores
  const directories: Directory[] = []
  for (const tenant of ['a', 'b', 'c']) directories.push(await addDirectory(one, { product, tenant }))
  for (let round = 0; round < 15; round += 1) {
    await Promise.all([
      ...directories.map((directory, index) =>
        addUsers(index === round % 3 ? other : one, directory, [`${round}-${index}`, `${round}+${index}`]),
      ),
      ...readers.map((reader, index) => reader.read(1 + ((round + index) % 4))),
      ...stores.map((store) => store.moveVolumes(2)),
    ])
  }
  for (const reader of readers) {
    await reader.readToEnd(7)
    for (const directory of directories)
      assert.deepEqual(reader.receivedOf(directory), upTo(await countOf(one, directory)))
  }
})
