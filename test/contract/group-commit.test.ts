import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createGroupCommit } from '../../src/store/sqlite/group-commit.ts'

function openLedger() {
  const db = new DatabaseSync(':memory:')
  db.exec('create table entries (name text primary key) strict')
  const insert = db.prepare('insert into entries (name) values (?)')
  return {
    ...createGroupCommit(db),
    insert: (name: string) => insert.run(name).changes,
    names: () =>
      db
        .prepare('select name from entries order by name')
        .all()
        .map((row) => row['name']),
    /** Whether the database may not grow. */
    limitPages(isLimited: boolean) {
      db.exec(`pragma max_page_count = ${isLimited ? 1 : 1_000_000}`)
    },
    close: () => db.close(),
  }
}

test('a commit waits for the disk if one of its writes does; others are synced afterwards', async () => {
  const db = new DatabaseSync(':memory:')
  let syncs = 0
  const { write, writeSoon } = createGroupCommit(db, { start: () => (syncs += 1) })
  const synchronous = () => db.prepare('pragma synchronous').get()?.['synchronous']
  const [normal, full] = [1, 2]
  assert.deepEqual([await writeSoon(synchronous), syncs], [normal, 1])
  assert.deepEqual(await Promise.all([writeSoon(synchronous), write(synchronous)]), [full, full])
  assert.deepEqual([await write(synchronous), syncs], [full, 1])
  db.close()
})

test('writes of one turn of the event loop share a commit', async () => {
  const { write, insert, names } = openLedger()
  const writes = ['ann', 'bob'].map((name) => write(() => insert(name)))
  assert.deepEqual(names(), [], 'nothing is written before the turn ends')
  assert.deepEqual(await Promise.all(writes), [1, 1])
  assert.deepEqual(names(), ['ann', 'bob'])
})

test('a write that throws is rolled back, and the other writes of its commit are kept', async () => {
  const { write, insert, names } = openLedger()
  const outcomes = await Promise.allSettled([
    write(() => insert('ann')),
    write(() => {
      insert('half')
      throw new Error('not this one')
    }),
    write(() => insert('bob')),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(names(), ['ann', 'bob'])
})

test('a write sees the changes of earlier writes in the same commit', async () => {
  const { write, insert, names } = openLedger()
  const [, read] = await Promise.all([write(() => insert('ann')), write(() => names())])
  assert.deepEqual(read, ['ann'])
})

test('a write after the database was closed is rejected with StoreUnavailable', async () => {
  const { write, insert, close } = openLedger()
  const late = write(() => insert('ann'))
  close()
  await assert.rejects(late, { name: 'StoreUnavailable' })
})

test('while the disk is full, every write is rejected with StoreUnavailable, and none is lost when there is space again', async () => {
  const { write, insert, names, trouble, limitPages } = openLedger()
  await write(() => insert('ann'))
  limitPages(true)
  const large = 'x'.repeat(100_000)
  const full = await Promise.allSettled([write(() => insert('bob')), write(() => insert(large))])
  for (const outcome of full) assert.ok(outcome.status === 'rejected' && outcome.reason.name === 'StoreUnavailable')
  assert.ok(trouble() instanceof Error)
  assert.deepEqual(names(), ['ann'])
  limitPages(false)
  await Promise.all([write(() => insert('bob')), write(() => insert(large))])
  assert.equal(trouble(), undefined)
  assert.deepEqual(names(), ['ann', 'bob', large])
})
