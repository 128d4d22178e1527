import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { backupCommand } from '../../../src/cli/backup/backup.ts'
import { restoreCommand } from '../../../src/cli/backup/restore.ts'
import { doctorCommand } from '../../../src/cli/doctor/command.ts'
import { requestsCommand } from '../../../src/cli/requests/command.ts'
import { rotateKeysCommand } from '../../../src/cli/rotate-keys.ts'
import type { TestDatabase } from '../../support/service.ts'
import { forSuite, openTestDatabase, startTestService } from '../../support/service.ts'
import { newKey, oldKey } from './support/encryption-keys.ts'
import { fakeIo } from './support/fake-io.ts'

/** A folder with a database that no service uses, its key, and a backup of it. */
async function openFolder() {
  const database = await openTestDatabase('sqlite')
  const service = await startTestService(database)
  await service.createDirectory()
  await service[Symbol.asyncDispose]()
  const at = (name: string) => join(database.folder, name)
  const { code, err } = await run(backupCommand, database, [at('backup.db')])
  assert.equal(code, 0, err)
  return { database, at, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}

const folder = forSuite(openFolder)

async function run(
  command: typeof backupCommand,
  { env }: Pick<TestDatabase, 'env'>,
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
) {
  const io = fakeIo({ env: { ...env, ...more } })
  const code = await command(argv, io)
  return { code, out: io.out(), err: io.err() }
}

/** Settings for a database that is not there yet, with the key of the backup. */
async function elsewhere(name: string) {
  const { at } = folder()
  await copyFile(at('rollcall.key'), at(`${name}.key`))
  return { env: { DATABASE_URL: `sqlite:${at(`${name}.db`)}` } }
}

const onPostgres = {
  DATABASE_URL: 'postgres://u:hunter2@localhost/rollcall',
  API_KEYS: 'k'.repeat(32),
  ENCRYPTION_KEY: newKey,
}

test('backs up a database that no service uses, and names the key to keep', async () => {
  const { database, at } = folder()
  const { code, out } = await run(backupCommand, database, [at('second.db')])
  assert.equal(code, 0)
  assert.match(
    out,
    /through the database\.\nThe encryption key \([0-9a-f]{8}\) is not in the backup\. Store .+rollcall\.key/,
  )
  assert.equal((await stat(at('second.db'))).mode & 0o777, 0o600)
  const again = await run(backupCommand, database, [at('second.db')])
  assert.deepEqual([again.code, /exists: name another file, or pass --force/.test(again.err)], [1, true], again.err)
  assert.equal((await run(backupCommand, database, [at('second.db'), '--force'])).code, 0)
})

for (const { problem, argv, env, code, message } of [
  { problem: 'no file', argv: [], code: 2, message: /^Name the file to write\./ },
  {
    problem: 'the database itself',
    argv: ['rollcall.db', '--force'],
    code: 1,
    message: /belongs to the service itself/,
  },
  { problem: 'its key', argv: ['rollcall.key', '--force'], code: 1, message: /belongs to the service itself/ },
  { problem: 'a missing folder', argv: ['none/backup.db'], code: 1, message: /^There is no folder .+none: create it/ },
  {
    problem: 'PostgreSQL',
    argv: ['x'],
    env: onPostgres,
    code: 1,
    message: /^(?!.*hunter2)(.|\n)*pg_dump --format=custom/,
  },
]) {
  test(`refuses to write a backup: ${problem}`, async () => {
    const { database, at } = folder()
    const paths = argv.map((arg) => (arg.startsWith('--') ? arg : at(arg)))
    const result = await run(backupCommand, database, paths, env)
    assert.match(result.err, message)
    assert.equal(result.code, code)
  })
}

test('restores over an existing database only with --force, and keeps that one', async () => {
  const { at } = folder()
  const target = await elsewhere('existing')
  await copyFile(at('backup.db'), at('existing.db'))
  const refused = await run(restoreCommand, target, [at('backup.db')])
  assert.deepEqual([refused.code, /exists: pass --force to replace it/.test(refused.err)], [1, true], refused.err)
  const { code, out } = await run(restoreCommand, target, [at('backup.db'), '--force'])
  assert.equal(code, 0)
  assert.match(out, /The previous database is .+existing\.db\.before-restore\./)
  assert.deepEqual(await readFile(at('existing.db')), await readFile(at('backup.db')))
})

test('a further restore keeps the replaced database under another name, and never overwrites the first', async () => {
  const { at } = folder()
  const target = await elsewhere('twice')
  const names = ['before-restore', 'before-restore-2', 'before-restore-3']
  for (const [index, name] of names.entries()) {
    await copyFile(at('backup.db'), at('twice.db'))
    await withSql(`pragma user_version = ${index + 1}`)(at('twice.db'))
    const { code, out, err } = await run(restoreCommand, target, [at('backup.db'), '--force'])
    assert.equal(code, 0, err)
    assert.match(out, new RegExp(`The previous database is .+twice\\.db\\.${name}\\.\\n`))
  }
  const versions = names.map((name) => {
    using db = new DatabaseSync(at(`twice.db.${name}`))
    return db.prepare('pragma user_version').get()?.['user_version']
  })
  assert.deepEqual(versions, [1, 2, 3])
})

test('restores over a damaged database, keeps it, and says that its erasures cannot be read', async () => {
  const { at } = folder()
  const target = await elsewhere('damaged')
  await writeFile(at('damaged.db'), 'text '.repeat(2000))
  const { code, out } = await run(restoreCommand, target, [at('backup.db'), '--force'])
  assert.equal(code, 3)
  assert.match(
    out,
    /^The erasures of the previous database cannot be read \(.+\): pass their receipts with --erasures\.$/m,
  )
  assert.equal(await readFile(at('damaged.db.before-restore'), 'utf8'), 'text '.repeat(2000))
  assert.deepEqual(await readFile(at('damaged.db')), await readFile(at('backup.db')))
})

test('refuses to restore over a database that it cannot open', async () => {
  const { at } = folder()
  const target = await elsewhere('unreadable')
  await mkdir(at('unreadable.db'))
  const { code, err } = await run(restoreCommand, target, [at('backup.db'), '--force'])
  assert.match(err, /unreadable\.db cannot be opened, so it was not replaced: .*\nNothing was restored\./)
  assert.equal(code, 1)
})

test('refuses to restore a copy of a database that has its last changes in a log', async () => {
  const { database, at } = folder()
  const target = await elsewhere('logged')
  await using service = await startTestService(database)
  await service.createDirectory()
  for (const end of ['', '-wal']) await copyFile(at(`rollcall.db${end}`), at(`copied.db${end}`))
  const { code, err } = await run(restoreCommand, target, [at('copied.db')])
  assert.match(
    err,
    /copied\.db is a database that was not closed, with its last changes in .+copied\.db-wal: back it up/,
  )
  assert.equal(code, 1)
})

test('two backups to the same file at the same time leave a whole one, and nothing else', async () => {
  const { database, at } = folder()
  await using _service = await startTestService(database)
  const results = await Promise.all([1, 2].map(() => run(backupCommand, database, [at('same.db'), '--force'])))
  assert(results.some(({ code }) => code === 0))
  assert.equal((await run(restoreCommand, await elsewhere('whole'), [at('same.db')])).code, 0)
  const left = (await readdir(database.folder)).filter((name) => name.endsWith('.part'))
  assert.deepEqual(left, [])
})

test('a command says how to continue after an interrupted restore', async () => {
  const { at } = folder()
  const target = await elsewhere('interrupted')
  await writeFile(at('interrupted.db.restoring'), '')
  const message =
    /There is no database .+interrupted\.db, but .+interrupted\.db\.restoring: "rollcall restore" was interrupted\./
  for (const command of [doctorCommand, rotateKeysCommand, requestsCommand]) {
    const { code, out, err } = await run(command, target, [], { ENCRYPTION_KEY: `${newKey},${oldKey}` })
    assert.match(out + err, message)
    assert.equal(code, 1)
  }
})

test('refuses to restore while a service uses the database', async () => {
  const { at } = folder()
  const target = await elsewhere('used')
  await copyFile(at('backup.db'), at('used.db'))
  const db = new DatabaseSync(at('used.db'))
  db.exec('pragma locking_mode = exclusive; begin exclusive; commit')
  const { code, err } = await run(restoreCommand, target, [at('backup.db'), '--force'])
  db.close()
  assert.match(err, /^A service uses .+used\.db: stop it first\.\nNothing was restored\./)
  assert.equal(code, 1)
})

/** Changes a copy of the backup with SQL. */
const withSql = (sql: string) => async (file: string) => {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

for (const { problem, spoil, message } of [
  {
    problem: 'a text',
    spoil: (file: string) => writeFile(file, 'text '.repeat(2000)),
    message: /not a database of Rollcall/,
  },
  {
    problem: 'another database',
    spoil: async (file: string) => {
      await rm(file)
      await withSql('create table t (x); pragma user_version = 1')(file)
    },
    message: /is not a database of Rollcall\./,
  },
  {
    problem: 'a database of a newer version',
    spoil: withSql('pragma user_version = 999'),
    message: /migrated by a newer Rollcall \(schema 999/,
  },
  {
    problem: 'a file that is cut off',
    spoil: async (file: string) => truncate(file, (await stat(file)).size - 8192),
    message: /is damaged/,
  },
  {
    problem: 'an altered secret',
    spoil: withSql(
      `update directories set scim_secret = substr(scim_secret, 1, 20) || 'AAAA' || substr(scim_secret, 25)`,
    ),
    message: /cannot decrypt the secrets in the backup/,
  },
]) {
  test(`refuses to restore ${problem}`, async () => {
    const { at } = folder()
    const target = await elsewhere('empty')
    await copyFile(at('backup.db'), at('spoilt.db'))
    await spoil(at('spoilt.db'))
    const { code, err } = await run(restoreCommand, target, [at('spoilt.db')])
    assert.match(err, message)
    assert.match(err, /\nNothing was restored\.\n$/)
    assert.equal(code, 1)
    await assert.rejects(stat(at('empty.db')), { code: 'ENOENT' })
  })
}

test('refuses to restore without the key of the backup, and with another one', async () => {
  const { at } = folder()
  const target = await elsewhere('keyless')
  await rename(at('keyless.key'), at('elsewhere.key'))
  const without = await run(restoreCommand, target, [at('backup.db')])
  assert.match(
    without.err,
    /were encrypted with the key [0-9a-f]{8}: put its file at .+keyless\.key, or set ENCRYPTION_KEY\./,
  )
  const other = await run(restoreCommand, target, [at('backup.db')], { ENCRYPTION_KEY: newKey })
  assert.match(
    other.err,
    /^ENCRYPTION_KEY cannot decrypt the secrets in the backup, which were encrypted with the key /,
  )
})

test('says how PostgreSQL is restored', async () => {
  const { code, err } = await run(restoreCommand, { env: {} }, ['x'], onPostgres)
  assert.match(err, /^(?!.*hunter2)(.|\n)*pg_restore --clean/)
  assert.equal(code, 1)
})
