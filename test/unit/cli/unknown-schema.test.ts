import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { auditCommand } from '../../../src/cli/audit/command.ts'
import { backupCommand } from '../../../src/cli/backup/backup.ts'
import { restoreCommand } from '../../../src/cli/backup/restore.ts'
import { doctorCommand } from '../../../src/cli/doctor/command.ts'
import { migrateCommand } from '../../../src/cli/migrate.ts'
import { createRollcall } from '../../../src/index.ts'
import type { TestDatabase } from '../../support/database.ts'
import { forEachEngine, openTestDatabase, testEncryptionKey } from '../../support/database.ts'
import { startTestService } from '../../support/service.ts'
import { fakeIo } from './support/fake-io.ts'
import { runSql } from './support/stored-rows.ts'

/** The digests of the first migrations before 0.3.0. */
const oldDigests = {
  sqlite: 'ad66171bb2b276fe0c68935d2869a610e26d6f9c8874ed7d2b882e6c3ca80a74',
  postgres: '493dc81af74ee830ef62e5c441f14d5710336f68f20a97c4fb052daa8dbe3c0e',
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
      what: 'of 0.2.0, which recorded no digests',
      open: () =>
        openChanged(
          engine,
          engine === 'sqlite' ? 'drop table schema_migrations' : 'alter table schema_migrations drop column digest',
        ),
      says: /was created by a version before 0\.3\.0 and cannot be upgraded\. Nothing was changed/,
    },
    {
      what: 'of a version between 0.2.0 and 0.3.0',
      open: () => openChanged(engine, `update schema_migrations set digest = '${oldDigests[engine]}'`),
      says: /was created by a version before 0\.3\.0 and cannot be upgraded\. Nothing was changed/,
    },
    {
      what: 'whose first migration had another text',
      open: () => openChanged(engine, `update schema_migrations set digest = 'other' where number = 1`),
      says: /a schema that this version does not know: its migration 1 is another one than 0001-initial\.sql/,
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
})
