import assert from 'node:assert/strict'
import { copyFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { backupCommand } from '../../../src/cli/backup/backup.ts'
import { restoreCommand } from '../../../src/cli/backup/restore.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestService } from '../../support/service.ts'
import { openTestDatabase, startTestService } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

const writers = 8

/** Creates users and keeps their userNames as soon as they are committed, until `isOver`. */
async function keepWriting(
  service: TestService,
  directory: DirectoryView,
  committed: Set<string>,
  isOver: () => boolean,
): Promise<void> {
  const write = async (writer: number) => {
    for (let n = 0; !isOver(); n++) {
      const userName = `user-${writer}-${n}`
      const { status, text } = await service.scim(directory, 'POST', '/Users', { userName })
      assert.equal(status, 201, text)
      committed.add(userName)
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
}

/** Every event of a directory, from the feed. */
async function readEvents(service: TestService, { id }: DirectoryView): Promise<{ sequence: number }[]> {
  const events: { sequence: number }[] = []
  for (let after = ''; ; ) {
    const query = new URLSearchParams({ directoryId: id, limit: '1000', ...(after === '' ? {} : { after }) })
    const { body } = await service.api('GET', `/feed?${query}`)
    const { data, next } = body as unknown as { data: { sequence: number }[]; next: string }
    if (data.length === 0) return events
    events.push(...data)
    after = next
  }
}

test('a backup made under load contains what was committed before it began, without gaps, and is restored elsewhere', async () => {
  await using source = await openTestDatabase('sqlite')
  await using target = await openTestDatabase('sqlite', { isEmpty: true })
  const backup = join(target.folder, 'backup.db')
  await using service = await startTestService(source)
  const directory = await service.createDirectory({ webhook_url: 'http://localhost:9/events' })
  const committed = new Set<string>()
  let isOver = false
  const writing = keepWriting(service, directory, committed, () => isOver)
  while (committed.size < 200) await new Promise(setImmediate)

  const metrics = async () => (await service.request('GET', '/metrics')).text
  assert.doesNotMatch(await metrics(), /^rollcall_backup_age_seconds /m)
  const committedBefore = [...committed]
  const io = fakeIo({ env: source.env })
  const code = await backupCommand([backup], io)
  isOver = true
  await writing
  assert.equal(code, 0, io.err())
  // The figures of a busy database may be missing once.
  await eventually('the age of the backup', async () => /^rollcall_backup_age_seconds \d/m.test(await metrics()))
  assert.match(
    io.out(),
    /^Backed up 1 directory to .+backup\.db: \d.* (KB|MB) in \d.* m?s, through the running service\.\n/,
  )
  assert.equal((await stat(backup)).mode & 0o777, 0o600)
  assert(committed.size > committedBefore.length, 'users were created during the backup')

  await copyFile(join(source.folder, 'rollcall.key'), join(target.folder, 'rollcall.key'))
  const restoring = fakeIo({ env: target.env })
  assert.equal(await restoreCommand([backup], restoring), 0, restoring.err())
  assert.match(restoring.out(), /^Restored 1 directory from /)

  await using restored = await startTestService(target)
  const { body } = await restored.api('GET', `/${directory.id}`)
  const { scim, webhook } = body.data
  assert.deepEqual([scim.secret, webhook], [directory.scim.secret, directory.webhook], 'the secrets open')
  const events = await readEvents(restored, directory)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  )
  const users = await restored.api('GET', `/users?directoryId=${directory.id}`)
  const userNames = new Set(users.body.data.map(({ raw }) => raw['userName']))
  assert.equal(userNames.size, events.length, 'each user has the event of its creation')
  assert.deepEqual(
    committedBefore.filter((userName) => !userNames.has(userName)),
    [],
  )
  const created = await restored.scim(directory, 'POST', '/Users', { userName: 'after-the-restore' })
  assert.equal(created.status, 201, created.text)
})
