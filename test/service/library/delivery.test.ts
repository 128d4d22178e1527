import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryEventPayload, Result } from '../../../src/index.ts'
import { createRollcall } from '../../../src/index.ts'
import { startReceiver } from '../../support/receiver.ts'

const scope = { tenant: 'acme', product: 'demo' }
const externalUrl = 'https://app.example.com'

function dataOf<T>(result: Result<T>): T {
  assert.equal(result.error, null)
  return result.data
}

type Rollcall = Awaited<ReturnType<typeof createRollcall>>

/** The library over a database in memory, with a directory that sends its events to a receiver. */
async function openSubject(options: Partial<Parameters<typeof createRollcall>[0]> = {}) {
  const receiver = await startReceiver()
  const rollcall: Rollcall = await createRollcall({ databaseUrl: 'sqlite::memory:', externalUrl, ...options })
  const { id: directoryId, scim } = dataOf(await rollcall.directories.create({ ...scope, ...receiver.endpoint }))
  return {
    ...{ receiver, rollcall, directoryId },
    async addUsers(...userNames: readonly string[]) {
      for (const userName of userNames) {
        const request = { resourceType: 'users', directoryId, apiSecret: scim.secret, body: { userName } } as const
        assert.equal((await rollcall.requests.handle({ ...request, method: 'POST' })).status, 201)
      }
    },
    async [Symbol.asyncDispose]() {
      await rollcall.close()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

test('in batch mode the endpoint gets lists when they are asked for, and onEvent each event as it comes', async () => {
  const told = Promise.withResolvers<void>()
  const seen: DirectoryEventPayload[] = []
  await using subject = await openSubject({
    webhook: { batchSize: 2 },
    onEvent(event) {
      seen.push(event)
      if (seen.length === 3) told.resolve()
    },
  })
  const { receiver, rollcall, addUsers } = subject
  await addUsers('a', 'b', 'c')
  await told.promise
  assert.deepEqual(
    seen.map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  assert.equal(receiver.attempts.length, 0)
  const report = { directories: 1, delivered: 3, failed: 0, remaining: 0 }
  assert.deepEqual(await rollcall.events.process(), { data: report, error: null })
  assert.deepEqual(
    receiver.attempts.map(({ events }) => events.map(({ sequence }) => sequence)),
    [[1, 2], [3]],
  )
})

test('with a batchInterval batches go out by themselves', async () => {
  await using subject = await openSubject({ webhook: { batchSize: 10, batchInterval: 1 } })
  await subject.addUsers('a', 'b')
  await subject.receiver.firstEvents(subject.directoryId, 2)
  assert.equal(subject.receiver.attempts[0]?.events.length, 2)
})

test('a second events.process while one runs says so', async () => {
  await using subject = await openSubject({ webhook: { batchSize: 10 } })
  const { receiver, rollcall, addUsers } = subject
  const release = receiver.hold()
  await addUsers('a')
  const first = rollcall.events.process()
  await receiver.until(() => receiver.waiting() === 1, 'the batch')
  assert.equal((await rollcall.events.process()).error?.code, 409)
  release()
  assert.equal(dataOf(await first).delivered, 1)
})

test('delivery is watched, paused, resumed and repeated like over HTTP', async () => {
  await using subject = await openSubject()
  const { receiver, directoryId, addUsers } = subject
  const { status, pause, resume, replay, dead } = subject.rollcall.events
  const paused = dataOf(await pause({ directoryId }))
  assert.deepEqual([paused.state, paused.paused?.reason], ['paused', 'operator'])
  await addUsers('a', 'b')
  assert.equal(dataOf(await status({ directoryId })).undelivered, 2)
  assert.equal(dataOf(await resume({ directoryId })).state, 'flowing')
  await receiver.firstEvents(directoryId, 2)
  await replay({ directoryId, from_sequence: 1 })
  const events = await receiver.firstEvents(directoryId, 4)
  assert.deepEqual([...new Set(events.map(({ sequence }) => sequence))], [1, 2])
  assert.deepEqual(await dead({ directoryId, limit: 10 }), { data: [], error: null })
})

test('a test event says what came of it', async () => {
  await using subject = await openSubject()
  const { receiver, rollcall, directoryId } = subject
  receiver.answerWith(503)
  const { delivered, status_code, error } = dataOf(await rollcall.events.test({ directoryId }))
  assert.deepEqual({ delivered, status_code, error }, { delivered: false, status_code: 503, error: 'answered 503' })
})

test('what is not there, or cannot be asked for, is an error and not thrown', async () => {
  await using subject = await openSubject()
  const { directoryId, rollcall } = subject
  const { status, pause, resume, replay, dead, test: tryOut } = rollcall.events
  const nobody = { directoryId: 'nobody' }
  for (const call of [status, pause, resume, dead, tryOut]) assert.equal((await call(nobody)).error?.code, 404)
  assert.equal((await replay({ ...nobody, sequence: 1 })).error?.code, 404)
  assert.equal((await replay({ directoryId, sequence: 1 })).error?.code, 404)
  assert.equal((await replay({ directoryId })).error?.code, 400)
  assert.equal((await dead({ directoryId, limit: 0 })).error?.code, 400)
  const bare = dataOf(await rollcall.directories.create(scope))
  assert.equal((await tryOut({ directoryId: bare.id })).error?.code, 400)
})
