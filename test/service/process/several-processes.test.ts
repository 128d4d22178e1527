import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failed, hasten, statusWhen } from '../../support/delivery.ts'
import type { Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'

interface Deployment extends AsyncDisposable {
  readonly first: TestService
  readonly second: TestService
  readonly receiver: Receiver
}

/** Two services on one database, and the endpoint of their directories. */
async function deploy(): Promise<Deployment> {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await openTestDatabase('postgres'))
  const receiver = opening.use(await startReceiver())
  const [first, second] = [opening.use(await startTestService(database)), opening.use(await startTestService(database))]
  const closing = opening.move()
  return { first, second, receiver, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

forEachEngine((engine) => {
  // SQLite supports one process only
  if (engine === 'sqlite') return

  const sequences = (receiver: Receiver, directoryId: string) =>
    receiver.events(directoryId).map(({ sequence }) => sequence)
  const addUser = async (
    service: TestService,
    directory: { scim: { path: string; secret: string; endpoint: string } },
  ) => assert.equal((await service.scim(directory, 'POST', '/Users', { userName: crypto.randomUUID() })).status, 201)

  /** A directory whose lease the first process holds: it has delivered one event. */
  async function leasedByFirst({ first, receiver }: Deployment) {
    const directory = await first.createDirectory(receiver.endpoint)
    await addUser(first, directory)
    await receiver.firstEvents(directory.id, 1)
    return directory
  }

  test('every event arrives once and in order, regardless of the process that received the change', async () => {
    await using deployment = await deploy()
    const { first, second, receiver } = deployment
    const directories = await Promise.all(Array.from({ length: 6 }, () => first.createDirectory(receiver.endpoint)))
    const services = [first, second] as const
    const provisioned = directories.flatMap((directory) =>
      Array.from({ length: 24 }, (_, index) => addUser(services[index % 2 === 0 ? 0 : 1], directory)),
    )
    await Promise.all(provisioned)
    for (const { id } of directories) await statusWhen(second, id, ({ undelivered }) => undelivered === 0)
    for (const { id } of directories) {
      assert.deepEqual(
        sequences(receiver, id),
        Array.from({ length: 24 }, (_, index) => index + 1),
      )
    }
  })

  test('a process without the lease notifies the one that holds it of new events', async () => {
    await using deployment = await deploy()
    const { second, receiver } = deployment
    const directory = await leasedByFirst(deployment)
    for (const count of [2, 3, 4]) {
      await addUser(second, directory)
      await receiver.firstEvents(directory.id, count)
    }
    assert.deepEqual(sequences(receiver, directory.id), [1, 2, 3, 4])
  })

  test('when a process stops, another one takes over its directories', async () => {
    await using deployment = await deploy()
    const { first, second, receiver } = deployment
    const directory = await leasedByFirst(deployment)
    await first.close()
    await addUser(second, directory)
    await receiver.firstEvents(directory.id, 2)
    assert.deepEqual(sequences(receiver, directory.id), [1, 2])
  })

  test('events left by a stopped process are sent by another one, and the one in flight is not sent twice', async () => {
    await using deployment = await deploy()
    const { first, receiver } = deployment
    const directory = await leasedByFirst(deployment)
    const release = receiver.hold()
    for (let count = 0; count < 3; count += 1) await addUser(first, directory)
    await receiver.until(() => receiver.waiting() === 1, 'an attempt that waits for its response')
    const closed = first.close()
    release()
    await closed
    await receiver.firstEvents(directory.id, 4)
    assert.deepEqual(sequences(receiver, directory.id), [1, 2, 3, 4])
  })

  test('an update of a directory in one process ends the backoff in another', async () => {
    await using deployment = await deploy()
    const { first, second, receiver } = deployment
    receiver.answerWith({ status: 503, headers: { 'retry-after': '3600' } })
    const directory = await first.createDirectory(receiver.endpoint)
    await addUser(first, directory)
    await failed(first, directory.id)
    receiver.answerWith(204)
    await hasten(second, directory.id)
    await receiver.firstEvents(directory.id, 1)
    await addUser(first, directory)
    await receiver.firstEvents(directory.id, 2)
    assert.deepEqual(sequences(receiver, directory.id), [1, 2])
  })

  test('a pause in one process applies to another', async () => {
    await using deployment = await deploy()
    const { first, second, receiver } = deployment
    const [directory, other] = [await leasedByFirst(deployment), await leasedByFirst(deployment)]
    await second.api('POST', `/${directory.id}/pause`)
    // notices arrive in order: after a later one, the first process has received the one about the pause
    await addUser(second, other)
    await receiver.firstEvents(other.id, 2)
    await addUser(first, directory)
    await addUser(first, other)
    await receiver.firstEvents(other.id, 3)
    assert.deepEqual(sequences(receiver, directory.id), [1])
    await second.api('POST', `/${directory.id}/resume`)
    await receiver.firstEvents(directory.id, 2)
  })
})
