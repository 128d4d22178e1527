import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Engine, TestDatabase } from '../../support/database.ts'
import { testEncryptionKey } from '../../support/database.ts'
import { execute, startPostgres } from '../../support/postgres.ts'
import type { LogLine } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'

/** An empty database; `run` executes SQL while no service uses it. */
interface EmptyDatabase extends TestDatabase {
  run(sql: string): Promise<unknown>
}

async function emptyDatabase(engine: Engine): Promise<EmptyDatabase> {
  const database = await openTestDatabase('sqlite', { isEmpty: true })
  if (engine === 'postgres') {
    const postgres = await startPostgres({ isEmpty: true })
    const env = { DATABASE_URL: postgres.url, ENCRYPTION_KEY: testEncryptionKey, DATABASE_POOL_SIZE: '4' }
    return {
      ...{ ...database, engine, env, run: (sql) => execute(postgres.url, sql) },
      async [Symbol.asyncDispose]() {
        await postgres[Symbol.asyncDispose]()
        await database[Symbol.asyncDispose]()
      },
    }
  }
  return {
    ...database,
    async run(sql) {
      const db = new DatabaseSync(join(database.folder, 'rollcall.db'))
      db.exec(sql)
      db.close()
    },
  }
}

const isAbout = (what: string) => (line: LogLine) => String(line['msg']).includes(what)

forEachEngine((engine) => {
  test(`${engine}: a new database is one line, and the second start none`, async () => {
    await using database = await emptyDatabase(engine)
    const first = await startTestService(database)
    await first.close()
    const lines = first.log.filter((line) => isAbout('database')(line) || isAbout('migration')(line))
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['a new database is being set up'],
    )
    await using second = await startTestService(database)
    assert.deepEqual(second.log.filter(isAbout('database')), [])
  })

  test(`${engine}: filling the search index is a line at its beginning and one at its end`, async () => {
    await using database = await emptyDatabase(engine)
    const before = await startTestService(database)
    const { id } = await before.createDirectory()
    await before[Symbol.asyncDispose]()
    await database.run(`insert into search_fills (directory_id, kind, after_sequence) values ('${id}', 'directory', 0)`)
    await using service = await startTestService(database)
    await service.logged(isAbout('filling the search index has ended'))
    assert.equal(service.log.filter(isAbout('filling the search index begins')).length, 1)
  })
})
