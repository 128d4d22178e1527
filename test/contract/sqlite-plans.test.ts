import assert from 'node:assert/strict'
import type { SQLInputValue } from 'node:sqlite'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { mock, test } from 'node:test'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { hotPath } from './plans/calls.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addDirectory, addGroup, addUsers, changedUser, committed, someUser, writesTo } from './store/samples.ts'

test('sqlite: no call of the hot path walks through a whole table', async () => {
  const texts = new Set<string>()
  const databases = new Set<DatabaseSync>()
  const { prepare } = DatabaseSync.prototype
  const preparing = mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, text: string) {
    texts.add(text)
    databases.add(this)
    return Reflect.apply(prepare, this, [text])
  })
  const store = openSqliteStore(':memory:', someSealing(), failOnPurgeError)
  const directory = await addDirectory(store)
  const users = await addUsers(store, directory, ['ann', 'bob'])
  await addGroup(store, directory, 'Everyone', users)
  for (const { prepare } of hotPath(store, directory, users.length)) {
    const call = await prepare()
    // Some name resources that this small directory does not have; their statements were prepared all the same.
    await call().catch(() => {})
  }
  preparing.mock.restore()
  const [db] = databases
  assert.ok(db)
  const walks = [...texts].flatMap((text) => {
    const steps = /^\s*(select|insert|update|delete|with)/i.test(text)
      ? db.prepare(`explain query plan ${text}`).all()
      : []
    const scans = steps.map(({ detail }) => String(detail)).filter((detail) => scanOfLargeTable.test(detail))
    return scans.map((scan) => `${scan}: ${text}`)
  })
  assert.deepEqual(walks, [])
  await store.close()
})

test('sqlite: the change of a title writes to no index of the users', async () => {
  const store = openSqliteStore(':memory:', someSealing(), failOnPurgeError)
  const directory = await addDirectory(store)
  const ann = someUser({ userName: 'ann', externalId: 'ext-1' })
  const { createUser, replaceUser } = writesTo(store, directory)
  committed(await createUser(ann))
  const updates = new Set<string>()
  const { run } = StatementSync.prototype
  const running = mock.method(
    StatementSync.prototype,
    'run',
    function (this: StatementSync, ...values: SQLInputValue[]) {
      if (/^\s*update users /.test(this.sourceSQL)) updates.add(this.sourceSQL)
      return Reflect.apply(run, this, values)
    },
  )
  committed(await replaceUser(ann, changedUser(ann, { title: 'Engineer' })))
  running.mock.restore()
  await store.close()
  const db = new DatabaseSync(':memory:')
  migrate(db)
  const [update = '', ...others] = updates
  assert.deepEqual(others, [])
  const steps = db
    .prepare(`explain ${update}`)
    .all()
    .map(({ opcode }) => opcode)
  assert.ok(steps.includes('Insert'), 'the row is written')
  assert.ok(!steps.includes('IdxInsert'), update)
  db.close()
})

/** The tables that grow with a directory, and their usual aliases. */
const scanOfLargeTable = /^SCAN (users|u|n|groups|g|members|m|user_emails|events)\b(?! VIRTUAL TABLE)/
