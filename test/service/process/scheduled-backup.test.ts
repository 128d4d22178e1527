import assert from 'node:assert/strict'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { run } from '../../../src/cli/run.ts'
import { openBackup } from '../../../src/store/sqlite/inspect-backup.ts'
import { openTestDatabase, startTestService } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

const systemd = new URL('../../../deploy/systemd/', import.meta.url)

async function readUnit(name: string): Promise<string> {
  return readFile(new URL(name, systemd), 'utf8')
}

/** The value of a line of a unit. */
function valueIn(unit: string, name: string): string {
  return new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1] ?? ''
}

/** The arguments of `rollcall` in the unit of the backup, which writes to another folder here. */
async function backupArguments(folder: string): Promise<string[]> {
  const [, argv = ''] = valueIn(await readUnit('rollcall-backup.service'), 'ExecStart').split('rollcall.js ')
  return argv.replace('/var/lib/rollcall-backup', folder).split(' ')
}

function userNamesIn(file: string): Set<unknown> {
  using db = new DatabaseSync(file, { readOnly: true })
  return new Set(
    db
      .prepare('select user_name from users')
      .all()
      .map(({ user_name }) => user_name),
  )
}

test('a copy that is shipped at any time is complete, and lacks only what was committed after the last backup began', async () => {
  await using database = await openTestDatabase('sqlite')
  const [backups, shipped] = [join(database.folder, 'backups'), join(database.folder, 'shipped')]
  for (const folder of [backups, shipped]) await mkdir(folder)
  const argv = await backupArguments(backups)
  const file = join(backups, 'rollcall.db')
  await using service = await startTestService(database)
  const directory = await service.createDirectory()
  const committed: string[] = []
  let isOver = false

  async function keepWriting(): Promise<void> {
    while (!isOver) {
      const userName = `user-${committed.length}`
      const { status, text } = await service.scim(directory, 'POST', '/Users', { userName })
      assert.equal(status, 201, text)
      committed.push(userName)
    }
  }
  /** Ships the backup again and again, while the next ones replace it. Returns what each copy must have. */
  async function keepShipping(guaranteed: () => number): Promise<Map<string, readonly string[]>> {
    const copies = new Map<string, readonly string[]>()
    while (!isOver && copies.size < 20) {
      const copy = join(shipped, `${copies.size}.db`)
      const expected = committed.slice(0, guaranteed())
      await copyFile(file, copy)
      copies.set(copy, expected)
      await service.request('GET', '/healthz')
    }
    return copies
  }
  async function backUp(): Promise<number> {
    const committedBefore = committed.length
    const io = fakeIo({ env: database.env })
    assert.equal(await run(argv, io), 0, io.err())
    return committedBefore
  }

  const writing = keepWriting()
  let guaranteed = await backUp()
  const shipping = keepShipping(() => guaranteed)
  for (let backup = 0; backup < 4; backup++) guaranteed = await backUp()
  isOver = true
  await writing
  for (const [copy, expected] of await shipping) {
    {
      using opened = openBackup(copy)
      opened.checkIntegrity()
    }
    const userNames = userNamesIn(copy)
    assert.deepEqual(
      expected.filter((userName) => !userNames.has(userName)),
      [],
    )
  }
  assert.ok(guaranteed > 0 && userNamesIn(file).size >= guaranteed)
})

test('a program that shares the database, as Litestream does, cannot open that of a running service', async () => {
  await using database = await openTestDatabase('sqlite')
  await using _service = await startTestService(database)
  using db = new DatabaseSync(join(database.folder, 'rollcall.db'), { timeout: 0 })
  assert.throws(() => db.exec('pragma journal_mode = wal'), /database is locked/)
})

test('the unit of the backup has the database, the settings and the user of the service, and a timer', async () => {
  const [service, backup, timer] = await Promise.all(
    ['rollcall.service', 'rollcall-backup.service', 'rollcall-backup.timer'].map(readUnit),
  )
  const databaseIn = (unit = '') => /DATABASE_URL=(\S+)/.exec(valueIn(unit, 'Environment'))?.[1]
  assert.equal(databaseIn(backup), databaseIn(service))
  for (const name of ['EnvironmentFile', 'WorkingDirectory', 'DynamicUser', 'UMask']) {
    assert.equal(valueIn(backup ?? '', name), valueIn(service ?? '', name), name)
  }
  // A unit with DynamicUser has its own name for a user, unless it names one.
  assert.equal(valueIn(backup ?? '', 'User'), 'rollcall')
  assert.match(valueIn(backup ?? '', 'StateDirectory'), /^rollcall rollcall-backup$/)
  assert.equal(valueIn(timer ?? '', 'OnCalendar'), '*:0/5')
  assert.match(await readFile(new URL('../../../docs/backup.md', import.meta.url), 'utf8'), /every five minutes/)
})
