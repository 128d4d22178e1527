import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Migration } from '../../src/store/migrations.ts'
import { digestOf, pendingMigrations, readMigrations } from '../../src/store/migrations.ts'
import { migratePostgres } from '../../src/store/postgres/migrate.ts'
import { serversAt } from '../../src/store/postgres/servers.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import type { Engine } from '../support/database.ts'
import { engines } from '../support/database.ts'
import { execute, startPostgres } from '../support/postgres.ts'

/** The digests by which databases know the migrations: those of the texts that they executed. */
const frozen = {
  sqlite: { '0001-initial.sql': '0dc6c874c9ef8412496be6adfe1c205193f812c57d56501fb2a01015c8f87510' },
  postgres: { '0001-initial.sql': '95a90f5a839228a6686391a6ee0ef88ea1dab6022360bf232b589066388a6439' },
}

/** A migration of a later version. */
const later = (number: number, sql: string): Migration => ({ number, name: 'later.sql', sql, digest: digestOf(sql) })

/** An empty database that is migrated with some migrations; it returns the lines of the log. */
async function openEmpty(engine: Engine) {
  const lines: [string, unknown][] = []
  const write = (details: object, message: string) => lines.push([message, 'migration' in details && details.migration])
  const log = { info: write, warn: write }
  if (engine === 'sqlite') {
    const db = new DatabaseSync(':memory:')
    return {
      lines,
      rows: async (sql: string) => db.prepare(sql).all(),
      migrate: async (migrations: readonly Migration[]) => migrate(db, { log, migrations }),
      [Symbol.asyncDispose]: async () => db.close(),
    }
  }
  const postgres = await startPostgres({ isEmpty: true })
  return {
    lines,
    rows: (sql: string) => execute(postgres.url, sql),
    migrate: (migrations: readonly Migration[]) =>
      migratePostgres({ servers: serversAt(postgres.url, 'url'), log, migrations }),
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  }
}

test('a migration says whether processes of the previous version may write beside it, and stops them if not', () => {
  for (const { name, sql } of readMigrations('postgres').slice(1)) {
    const [first = ''] = sql.split('\n')
    assert.match(first, /^-- (Stops processes|Processes) of the previous version( may write beside it)?: \w/, name)
    const isRenamed =
      /directory_state rename column \w+ to/.test(sql) && /delivery_streams rename column \w+ to/.test(sql)
    assert.equal(isRenamed, first.startsWith('-- Stops'), name)
  }
})

for (const engine of engines) {
  test(`${engine}: the text of a migration does not change after its release`, () => {
    const digests = Object.fromEntries(readMigrations(engine).map(({ name, digest }) => [name, digest]))
    const advice =
      'undo the change of a released migration, and add another migration; until the release of 0.3.0, change the digest here'
    assert.deepEqual(digests, frozen[engine], advice)
  })

  test(`${engine}: no migration creates a trigger or a function: rules are in TypeScript`, () => {
    for (const { sql } of readMigrations(engine))
      assert.doesNotMatch(sql, /\bcreate\s+(or replace\s+)?(trigger|function)\b/i)
  })

  test(`${engine}: the migrations of a later version are applied to the data of this one, each with two lines in the log`, async () => {
    await using database = await openEmpty(engine)
    const known = readMigrations(engine)
    await database.migrate(known)
    await database.rows(`insert into settings (name, value) values ('kept', 'x')`)
    const next = later(known.length + 1, 'alter table settings add column note text;')
    const last = later(known.length + 2, `update settings set note = 'new';`)
    await database.migrate([...known, next, last])
    assert.deepEqual(
      (await database.rows('select name, note from settings')).map((row) => ({ ...row })),
      [{ name: 'kept', note: 'new' }],
    )
    assert.deepEqual(
      (await database.rows('select number, digest from schema_migrations order by number')).map((row) => ({ ...row })),
      [...known, next, last].map(({ number, digest }) => ({ number, digest })),
    )
    assert.deepEqual(database.lines, [
      ['a new database is being set up', false],
      ...[next, last].flatMap(({ name }) => [
        ['a migration begins', name],
        ['a migration has ended', name],
      ]),
    ])
  })
}

test('tables without a record of migrations are refused', () => {
  assert.throws(() => pendingMigrations([], undefined, 'other.db'), /^Error: other\.db has a schema that this version/)
})
