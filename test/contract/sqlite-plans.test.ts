import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { mock, test } from 'node:test'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { hotPath } from './plans/calls.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addDirectory, addGroup, addUsers } from './store/samples.ts'

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

/** The tables that grow with a directory, and their usual aliases. */
const scanOfLargeTable = /^SCAN (users|u|n|groups|g|members|m|user_emails|events)\b(?! VIRTUAL TABLE)/
