import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { execute, startPostgres } from '../support/postgres.ts'
import { recordExecuted } from './plans/executed-statements.ts'
import { explainingUrl, recordStatements } from './plans/explained-statements.ts'
import { stopAutovacuum } from './plans/fill.ts'
import { addIdle, periodicReads } from './plans/idle.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addDirectory, addUsers } from './store/samples.ts'
import { addPulled } from './store/sync-run-samples.ts'

const endpoint = { url: 'https://endpoint.example', secret: 'whsec', previousSecret: undefined }
const [few, many] = [10, 5_000] as const

for (const analyzes of [false, true]) {
  const statistics = analyzes ? `analyzed with ${few}` : 'never analyzed'
  test(`postgres: periodic work reads as many rows with ${many} idle directories as with ${few}: ${statistics}`, async () => {
    await using database = await startPostgres()
    using recorder = recordStatements()
    const url = explainingUrl(database.url, 'force_generic_plan')
    const store = await openPostgresStore({ url, poolSize: 1 }, someSealing(), failOnPurgeError)
    await stopAutovacuum(database.url)
    const directory = await addDirectory(store, { endpoint })
    await addUsers(store, directory, ['ann'])
    await addPulled(store)
    const measure = async () => {
      const rows: Record<string, number> = {}
      for (const [name, read] of Object.entries(periodicReads(store))) {
        const statements = await recorder.during(read)
        rows[name] = statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
      }
      return rows
    }
    await addIdle(database.url, directory, 1, few)
    if (analyzes) await execute(database.url, 'analyze')
    // The first poll switches off the directories that it finds idle.
    await measure()
    const small = await measure()
    await addIdle(database.url, directory, few + 1, many)
    assert.deepEqual(await measure(), small)
    await store.close()
  })
}

test('sqlite: periodic work starts from an index that leaves out idle directories', async () => {
  using recorder = recordExecuted()
  const store = openSqliteStore(':memory:', someSealing(), failOnPurgeError)
  const directory = await addDirectory(store, { endpoint })
  await addUsers(store, directory, ['ann'])
  await addPulled(store)
  const others: string[] = []
  for (const [name, read] of Object.entries(periodicReads(store))) {
    for (const sql of await recorder.during(read)) {
      const steps = recorder.planOf(sql)
      if (steps.length === 0) continue
      const [start, ...walks] = steps.filter((step) => !findsOne.test(step) || recorder.isPartial(step))
      if (start === undefined || !recorder.isPartial(start) || walks.length > 0)
        others.push(`${name}: ${steps.join('; ')}: ${sql}`)
    }
  }
  assert.deepEqual(others, [])
  await store.close()
})

test('sqlite: a commit of events updates the state of its directory once', async () => {
  using recorder = recordExecuted()
  const store = openSqliteStore(':memory:', someSealing(), failOnPurgeError)
  const directory = await addDirectory(store, { endpoint })
  for (const name of ['first', 'second']) {
    const executed = await recorder.during(() => addUsers(store, directory, [name]))
    assert.equal(executed.filter((sql) => /^\s*update directory_state/.test(sql)).length, 1, name)
  }
  await store.close()
})

/** A step that compares a key. */
const findsOne = /\((\w+=\?|rowid=\?)/
