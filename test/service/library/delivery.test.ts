import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result, RollcallEvent } from '../../../src/index.ts'
import { createRollcall } from '../../../src/index.ts'
import { startReceiver } from '../../support/receiver.ts'

const scope = { tenant: 'acme', product: 'demo' }
const externalUrl = 'http://localhost:3000'

function dataOf<T>(result: Result<T>): T {
  assert.equal(result.error, null)
  return result.data
}

type Rollcall = Awaited<ReturnType<typeof createRollcall>>

/** The library on a database in memory, with a directory whose endpoint is a receiver. */
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

test('in batch mode the endpoint receives lists on request, and onEvent each event immediately', async () => {
  const allReceived = Promise.withResolvers<void>()
  const received: RollcallEvent[] = []
  await using subject = await openSubject({
    webhook: { batchSize: 2 },
    onEvent(event) {
      received.push(event)
      if (received.length === 3) allReceived.resolve()
    },
  })
  const { receiver, rollcall, addUsers } = subject
  await addUsers('a', 'b', 'c')
  await allReceived.promise
  assert.deepEqual(
    received.map(({ sequence }) => sequence),
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

test('with a batchInterval batches are sent on schedule', async () => {
  await using subject = await openSubject({ webhook: { batchSize: 10, batchInterval: 1 } })
  await subject.addUsers('a', 'b')
  await subject.receiver.firstEvents(subject.directoryId, 2)
  assert.equal(subject.receiver.attempts[0]?.events.length, 2)
})

test('a second events.process while one is running is an error', async () => {
  await using subject = await openSubject({ webhook: { batchSize: 10 } })
  const { receiver, rollcall, addUsers } = subject
  const release = receiver.hold()
  await addUsers('a')
  const first = rollcall.events.process()
  await receiver.until(() => receiver.waiting() === 1, 'the batch')
  assert.equal((await rollcall.events.process()).error?.status, 409)
  release()
  assert.equal(dataOf(await first).delivered, 1)
})

test('delivery status, pause, resume and replay work as over HTTP', async () => {
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

test('a test event reports its outcome', async () => {
  await using subject = await openSubject()
  const { receiver, rollcall, directoryId } = subject
  receiver.answerWith(503)
  const { delivered, status_code, error } = dataOf(await rollcall.events.test({ directoryId }))
  assert.deepEqual({ delivered, status_code, error }, { delivered: false, status_code: 503, error: 'answered 503' })
})

test('unknown directories and invalid inputs are error values, not exceptions', async () => {
  await using subject = await openSubject()
  const { directoryId, rollcall } = subject
  const { status, pause, resume, replay, dead, test: tryOut } = rollcall.events
  const unknown = { directoryId: 'unknown' }
  for (const call of [status, pause, resume, dead, tryOut]) assert.equal((await call(unknown)).error?.status, 404)
  assert.equal((await replay({ ...unknown, sequence: 1 })).error?.status, 404)
  assert.equal((await replay({ directoryId, sequence: 1 })).error?.status, 404)
  assert.equal((await replay({ directoryId })).error?.status, 400)
  assert.equal((await dead({ directoryId, limit: 0 })).error?.status, 400)
  const bare = dataOf(await rollcall.directories.create(scope))
  assert.equal((await tryOut({ directoryId: bare.id })).error?.status, 400)
})

test('neither onEvent nor the callback of a call receives held events, and onEvent receives them after a release', async () => {
  const received: number[] = []
  const calledBack: number[] = []
  const wanted = { sequence: 2, resolve: () => {} }
  await using subject = await openSubject({
    removalLimit: { percent: 30, minimum: 1 },
    onEvent({ sequence }) {
      received.push(sequence)
      if (sequence === wanted.sequence) wanted.resolve()
    },
  })
  const { rollcall, directoryId } = subject
  const until = (sequence: number) =>
    new Promise<void>((resolve) => {
      Object.assign(wanted, { sequence, resolve })
      if (received.includes(sequence)) resolve()
    })
  await subject.addUsers('a', 'b')
  const { scim } = dataOf(await rollcall.directories.get({ id: directoryId }))
  const { data: users } = await rollcall.users.list({ directoryId })
  for (const { id: resourceId } of users ?? []) {
    const request = { method: 'DELETE', resourceType: 'users', resourceId, directoryId, apiSecret: scim.secret }
    await rollcall.requests.handle(request, ({ sequence }) => {
      calledBack.push(sequence)
    })
  }
  await until(3)
  assert.deepEqual(calledBack, [3])
  const { held, users: removed } = dataOf(await rollcall.directories.hold({ id: directoryId }))
  assert.deepEqual([held, removed.length], [true, 2])
  const feed = await rollcall.events.feed({ directoryId })
  assert.deepEqual([feed.data?.length, feed.error ?? feed.held?.directory_id], [3, directoryId])
  assert.equal(dataOf(await rollcall.directories.releaseHold({ id: directoryId })).held, false)
  await until(4)
  assert.deepEqual(received, [1, 2, 3, 4])
  assert.equal(dataOf(await rollcall.directories.discardHold({ id: directoryId })).held, false)
})

test('the callback of a large change does not receive other events instead of those that a discard removes meanwhile', async () => {
  const isSynced = Promise.withResolvers<void>()
  await using subject = await openSubject({
    removalLimit: { percent: 30, minimum: 1 },
    onEvent: ({ event }) => (event === 'sync.completed' ? isSynced.resolve() : undefined),
  })
  const { rollcall, directoryId } = subject
  await subject.addUsers(...Array.from({ length: 1_200 }, (_, n) => `user-${n}`))
  const { data: users } = await rollcall.users.list({ directoryId })
  const apiSecret = dataOf(await rollcall.directories.get({ id: directoryId })).scim.secret
  const request = { resourceType: 'groups', directoryId, apiSecret }
  const members = users?.map(({ id: value }) => ({ value }))
  const body = { displayName: 'All', members }
  const created = await rollcall.requests.handle({ ...request, method: 'POST', body })
  const resourceId = (created.data as { id: string }).id
  const calledBack: string[] = []
  const emptied = { displayName: 'All', members: [] }
  await rollcall.requests.handle({ ...request, method: 'PUT', resourceId, body: emptied }, async (event) => {
    calledBack.push(event.event)
    if (calledBack.length > 1) return
    assert.equal(dataOf(await rollcall.directories.hold({ id: directoryId })).held, true)
    await rollcall.directories.discardHold({ id: directoryId })
    await isSynced.promise
  })
  assert.deepEqual([calledBack.length, [...new Set(calledBack)]], [360, ['group.user_removed']])
})

/** Returns the text that is written to standard error during a call. */
async function errorOutputOf(run: () => Promise<void>): Promise<string> {
  let written = ''
  const { mock } = test.mock.method(process.stderr, 'write', (text: string) => {
    written += text
    return true
  })
  try {
    await run()
  } finally {
    mock.restore()
  }
  return written
}

test('without a log, an onEvent that throws is printed to standard error, with its stack', async () => {
  const written = await errorOutputOf(async () => {
    const called = Promise.withResolvers<void>()
    await using subject = await openSubject({
      onEvent() {
        called.resolve()
        throw new TypeError('seats is not defined')
      },
    })
    await subject.addUsers('maya')
    await called.promise
  })
  assert.match(written, /^rollcall: an event was not delivered; it will be sent again/m)
  assert.match(written, /"reason":"onEvent failed: seats is not defined"/)
  assert.match(written, /TypeError: seats is not defined\n +at onEvent \(.*delivery\.test\.ts/)
})

test('with a log, nothing is printed to standard error', async () => {
  const called = Promise.withResolvers<object>()
  const log = { info: () => {}, warn: called.resolve, error: called.resolve }
  const written = await errorOutputOf(async () => {
    const onEvent = () => Promise.reject(new Error('not now'))
    await using subject = await openSubject({ onEvent, log })
    await subject.addUsers('maya')
    assert.partialDeepStrictEqual(await called.promise, { reason: 'onEvent failed: not now' })
  })
  assert.equal(written, '')
})
