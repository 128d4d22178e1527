import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rotateKeysCommand } from '../../../src/cli/rotate-keys.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { TestDatabase, TestService } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'
import { countSealed, newKey, oldKey } from '../../unit/cli/support/encryption-keys.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

const rootToken = 'root-token-of-the-test-of-rotation'
/** More directories than a rotation handles in one batch. */
const directoryCount = 300
const refusedTitle = 'title-of-a-refused-user'
const atOnce = 16

const bothKeys = { ENCRYPTION_KEY: `${newKey},${oldKey}`, ADMIN_ROOT_TOKEN: rootToken }

/** Processes a list, several items at a time. */
async function forAll<T>(all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const rest = all[Symbol.iterator]()
  const worker = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Creates directories with two secrets each, encrypted with the old key. */
async function makeDirectories(database: TestDatabase): Promise<Map<string, DirectoryView>> {
  await using service = await startTestService(database, { ENCRYPTION_KEY: oldKey, LOG_LEVEL: 'info' })
  const made = new Map<string, DirectoryView>()
  await forAll(Array(directoryCount).keys(), async (n) => {
    const fields = { tenant: `tenant-${n % 20}`, webhook_url: 'http://localhost/hook' }
    const directory = await service.createDirectory(fields)
    made.set(directory.id, directory)
    // Its body is in the request log.
    if (n < 20) await service.scim(directory, 'POST', '/Users', { userName: '', title: refusedTitle })
  })
  return made
}

/** Writes like a busy service until `isOver`, and keeps track of the changed secrets. Returns the number of writes. */
async function keepWriting(
  service: TestService,
  directories: Map<string, DirectoryView>,
  isOver: () => boolean,
): Promise<number> {
  let writes = 0
  const done = new Set<string>()
  const rotated = [...directories.values()].reverse()
  await forAll(untilOver(rotated, isOver), async (directory) => {
    const created = await service.createDirectory({ tenant: `made-during-rotation-${writes}` })
    directories.set(created.id, created)
    if (!done.has(directory.id)) {
      done.add(directory.id)
      const { status, body, text } = await service.api('POST', `/${directory.id}/rotate-secret`)
      assert.equal(status, 200, text)
      directories.set(directory.id, body.data)
    }
    const user = await service.scim(created, 'POST', '/Users', { userName: `user-${writes}` })
    assert.equal(user.status, 201, user.text)
    writes += 3
  })
  return writes
}

function* untilOver<T>(all: readonly T[], isOver: () => boolean): Generator<T, void, undefined> {
  while (!isOver()) {
    for (const one of all) {
      if (isOver()) return
      yield one
    }
  }
}

async function rotate({ database, origin }: TestService): Promise<number> {
  const env = { ...database.env, ...bothKeys, API_KEYS: 'a-key-of-the-tests', PORT: new URL(origin).port }
  const io = fakeIo({ env })
  assert.equal(await rotateKeysCommand([], io), 0, io.err())
  return Number(/Done: (\d+) /.exec(io.out())?.[1])
}

/** Sends a request to every directory with its current secret. */
async function assertEverySecretWorks(service: TestService, directories: Map<string, DirectoryView>): Promise<void> {
  await forAll(directories.values(), async (directory) => {
    const { status, text } = await service.scim(directory, 'GET', '/Users?count=0')
    assert.equal(status, 200, text)
    const { body } = await service.api('GET', `/${directory.id}`)
    assert.deepEqual(body.data.webhook, directory.webhook)
  })
}

/** Reads the bodies of refused requests from the request log. */
async function assertBodiesAreReadable(service: TestService, directories: Map<string, DirectoryView>): Promise<void> {
  let read = 0
  await forAll([...directories.keys()].slice(0, directoryCount), async (id) => {
    const { body } = await service.api('GET', `/${id}/requests?status=refused`)
    for (const request of body.data as unknown as readonly { readonly id: string }[]) {
      const { text } = await service.api('GET', `/requests/${request.id}`)
      assert.ok(text.includes(refusedTitle), text)
      read += 1
    }
  })
  assert.equal(read, 20)
}

forEachEngine((engine) => {
  test('the encryption key is rotated while the service is running, and the old key is not needed afterwards', async (t) => {
    await using database = await openTestDatabase(engine)
    const directories = await makeDirectories(database)
    {
      await using service = await startTestService(database, { ...bothKeys, LOG_LEVEL: 'info' })
      let isOver = false
      const writing = keepWriting(service, directories, () => isOver)
      const resealed = await rotate(service).finally(() => {
        isOver = true
      })
      t.diagnostic(`${resealed} records were encrypted again, beside ${await writing} writes`)
      assert(resealed > 0)
    }
    assert.equal((await countSealed(database)).byOld, 0)
    await using service = await startTestService(database, { ENCRYPTION_KEY: newKey, LOG_LEVEL: 'info' })
    await assertEverySecretWorks(service, directories)
    await assertBodiesAreReadable(service, directories)
  })
})
