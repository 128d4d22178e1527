import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { auditCommand } from '../../../src/cli/audit/command.ts'
import { backupCommand } from '../../../src/cli/backup/backup.ts'
import { restoreCommand } from '../../../src/cli/backup/restore.ts'
import { doctorCommand } from '../../../src/cli/doctor/command.ts'
import { migrateCommand } from '../../../src/cli/migrate.ts'
import { createRollcall } from '../../../src/index.ts'
import type { TestDatabase } from '../../support/database.ts'
import { forEachEngine, openTestDatabase, testEncryptionKey } from '../../support/database.ts'
import { execute, startPostgres } from '../../support/postgres.ts'
import { migrationsOf, openReleased } from '../../support/released-database.ts'
import { startTestService } from '../../support/service.ts'
import { fakeIo } from './support/fake-io.ts'
import { runSql } from './support/stored-rows.ts'

/** A database whose first migration had another text, as that of 0.1.0, which recorded no digests. */
async function openOlder(engine: TestDatabase['engine']): Promise<TestDatabase> {
  const sql = migrationsOf(engine)[0]?.sql.replace(/^ {2}removal_limit text.*\n/m, '  rules text\n') ?? ''
  const database = await openTestDatabase('sqlite', { isEmpty: true })
  if (engine === 'sqlite') {
    using db = new DatabaseSync(join(database.folder, 'rollcall.db'))
    db.exec(`pragma journal_mode = wal; begin; ${sql}\npragma user_version = 1; commit`)
    return { ...database, env: { ...database.env, ENCRYPTION_KEY: testEncryptionKey } }
  }
  const { url, [Symbol.asyncDispose]: drop } = await startPostgres({ isEmpty: true })
  await execute(
    url,
    `${sql}; create table schema_migrations (number integer primary key, name text not null, applied_at timestamptz);
    insert into schema_migrations values (1, '0001-initial.sql')`,
  )
  const env = { DATABASE_URL: url, ENCRYPTION_KEY: testEncryptionKey }
  return { ...database, engine, env, [Symbol.asyncDispose]: () => drop().then(() => database[Symbol.asyncDispose]()) }
}

/** A database of this version, changed by a statement. */
async function openChanged(engine: TestDatabase['engine'], sql: string): Promise<TestDatabase> {
  const database = await openTestDatabase(engine)
  await (await startTestService(database, { ENCRYPTION_KEY: testEncryptionKey }))[Symbol.asyncDispose]()
  await runSql(database, sql)
  return { ...database, env: { ...database.env, ENCRYPTION_KEY: testEncryptionKey } }
}

/** What an upgrade would change. */
async function contentOf(database: TestDatabase): Promise<unknown> {
  if (database.engine === 'sqlite') return readFile(join(database.folder, 'rollcall.db'))
  return [
    await runSql(database, 'select * from schema_migrations order by number'),
    await runSql(
      database,
      `select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2`,
    ),
  ]
}

forEachEngine((engine) => {
  for (const { what, open, says } of [
    {
      what: 'of another first migration without digests',
      open: () => openOlder(engine),
      says: /a schema that this version does not know: it does not say which migrations made it/,
    },
    {
      what: 'whose third migration had another text',
      open: () => openChanged(engine, `update schema_migrations set digest = 'other' where number = 3`),
      says: /a schema that this version does not know: its migration 3 is another one than 0003-request-subjects\.sql/,
    },
    {
      what: 'that lost the record of a migration',
      open: () => openChanged(engine, 'delete from schema_migrations where number = 2'),
      says: /a schema that this version does not know/,
    },
    {
      what: 'of a newer version',
      open: () =>
        openChanged(
          engine,
          engine === 'sqlite'
            ? 'pragma user_version = 999'
            : `insert into schema_migrations values (999, 'newer', now(), 'x')`,
        ),
      says: /was migrated by a newer Rollcall/,
    },
  ]) {
    test(`a database ${what} is refused unchanged by the service, the library and each command`, async () => {
      await using database = await open()
      const before = await contentOf(database)
      const { DATABASE_URL: databaseUrl = '', ENCRYPTION_KEY: encryptionKey = '' } = database.env
      const run = async (command: typeof migrateCommand, ...argv: string[]) => {
        const io = fakeIo({ env: { API_KEYS: 'a-key-of-the-tests', ...database.env } })
        const code = await command(argv, io)
        assert.notEqual(code, 0)
        assert.match(io.err() + io.out(), says)
      }
      await assert.rejects(startTestService(database), says)
      await assert.rejects(
        createRollcall({ databaseUrl, encryptionKey, externalUrl: 'https://sync.acme.example' }),
        says,
      )
      await run(migrateCommand)
      await run(doctorCommand)
      await run(auditCommand, 'verify')
      if (engine === 'sqlite') {
        await run(backupCommand, join(database.folder, 'backup.db'))
        const elsewhere = { ...database.env, DATABASE_URL: `sqlite:${join(database.folder, 'restored.db')}` }
        const io = fakeIo({ env: elsewhere })
        assert.equal(await restoreCommand([join(database.folder, 'rollcall.db')], io), 1)
        assert.match(io.err(), says)
      }
      assert.deepEqual(await contentOf(database), before)
    })
  }

  test('a database of 0.2.0, which recorded no digests, is upgraded and has digests then', async () => {
    await using database = await openReleased('0.2.0', engine)
    await (await startTestService(database))[Symbol.asyncDispose]()
    const digests = await runSql(database, 'select number, digest from schema_migrations order by number')
    assert.deepEqual(
      digests.map(({ number, digest }) => ({ number, digest })),
      migrationsOf(engine).map(({ number, digest }) => ({ number, digest })),
    )
  })
})
