import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { DeadEvent, DeliveryStatus } from '../../support/delivery.ts'
import { dataOf, failed, hasten, statusOf, statusWhen } from '../../support/delivery.ts'
import { assertApiError } from '../../support/errors.ts'
import type { ReceivedEvent, Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, serviceForSuite, startTestService } from '../../support/service.ts'

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const flowing = {
  ...{ state: 'flowing', delivered_sequence: 0, last_sequence: 0, undelivered: 0, failures: 0 },
  ...{ failing_since: null, next_attempt_at: null, paused: null, dead_events: 0 },
}
const sequences = (events: readonly ReceivedEvent[]) => events.map(({ sequence }) => sequence)
const isDelivered =
  (count: number) =>
  ({ delivered_sequence }: DeliveryStatus): boolean =>
    delivered_sequence === count

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const post = (path: string, body?: unknown) => service().api('POST', path, body)
  const status = (id: string) => statusOf(service(), id)
  const when = (id: string, isIt: (status: DeliveryStatus) => boolean) => statusWhen(service(), id, isIt)
  const change = async ({ id }: DirectoryView, verb: string, body?: unknown) =>
    dataOf<DeliveryStatus>(await post(`/${id}/${verb}`, body))
  const deadEvents = async (id: string, query = '') => {
    const response = await service().api('GET', `/${id}/dead-events${query}`)
    return { rows: dataOf<readonly DeadEvent[]>(response), next: (response.body as { next?: number }).next }
  }

  async function addUsers(directory: DirectoryView, ...userNames: readonly string[]): Promise<void> {
    for (const userName of userNames) {
      assert.equal((await service().scim(directory, 'POST', '/Users', { userName })).status, 201)
    }
  }

  /** A directory whose endpoint has received the events of these users. */
  async function delivered(receiver: Receiver, ...userNames: readonly string[]): Promise<DirectoryView> {
    const directory = await service().createDirectory(receiver.endpoint)
    await addUsers(directory, ...userNames)
    await receiver.firstEvents(directory.id, userNames.length)
    await when(directory.id, isDelivered(userNames.length))
    return directory
  }

  /** Refuses an event until it is dead. */
  async function refuseUntilDead({ id }: DirectoryView): Promise<void> {
    for (let failures = 1; failures < 12; failures += 1) {
      await failed(service(), id, failures)
      await hasten(service(), id)
    }
  }

  test('a directory without an endpoint, or deactivated, is off', async () => {
    await using receiver = await startReceiver()
    const bare = await service().createDirectory()
    assert.deepEqual(await status(bare.id), { ...flowing, state: 'off' })
    const directory = await delivered(receiver, 'a')
    receiver.answerWith(500)
    await addUsers(directory, 'b')
    await failed(service(), directory.id)
    await service().api('PATCH', `/${directory.id}`, { deactivated: true })
    const { state, undelivered } = await status(directory.id)
    assert.deepEqual({ state, undelivered }, { state: 'off', undelivered: 2 })
    receiver.answerWith(204)
    await service().api('PATCH', `/${directory.id}`, { deactivated: false })
    assert.deepEqual(sequences(await receiver.firstEvents(directory.id, 4)), [1, 2, 3, 4])
  })

  test('delivered events are counted', async () => {
    await using receiver = await startReceiver()
    const { id } = await delivered(receiver, 'a', 'b')
    assert.deepEqual(await status(id), { ...flowing, delivered_sequence: 2, last_sequence: 2 })
  })

  test('the status of a failing endpoint shows failures, their start and the next attempt', async () => {
    await using receiver = await startReceiver()
    receiver.answerWith(503)
    const { id, scim } = await service().createDirectory(receiver.endpoint)
    const before = Date.now()
    for (const userName of ['a', 'b']) await service().scim({ scim }, 'POST', '/Users', { userName })
    await failed(service(), id)
    const { failing_since: since, next_attempt_at: next, ...rest } = await status(id)
    assert.deepEqual(
      { ...rest, failing_since: null, next_attempt_at: null },
      { ...flowing, state: 'failing', last_sequence: 2, undelivered: 2, failures: 1 },
    )
    assert(since !== null && next !== null)
    assert.match(since, time)
    const waitMs = Date.parse(next) - Date.parse(since)
    // The time of the database may differ from that of this process.
    assert(Math.abs(Date.parse(since) - before) < 60_000 && waitMs >= 4_000 && waitMs <= 6_000, `${since} to ${next}`)
  })

  test('a paused directory keeps its events and sends them in order when it is resumed', async () => {
    await using receiver = await startReceiver()
    const directory = await delivered(receiver, 'a')
    const paused = await change(directory, 'pause')
    assert.deepEqual([paused.state, paused.paused?.reason], ['paused', 'operator'])
    assert.match(String(paused.paused?.at), time)
    assert.deepEqual(await change(directory, 'pause'), paused, 'pausing again changes nothing')
    await addUsers(directory, 'b', 'c')
    await hasten(service(), directory.id)
    // by then the events of the paused directory would have been sent too
    await delivered(receiver, 'x', 'y', 'z')
    const { state, undelivered } = await status(directory.id)
    assert.deepEqual({ state, undelivered }, { state: 'paused', undelivered: 2 })
    assert.deepEqual(sequences(receiver.events(directory.id)), [1])
    const resumed = await change(directory, 'resume')
    assert.deepEqual([resumed.state, resumed.paused], ['flowing', null])
    await change(directory, 'resume')
    await addUsers(directory, 'd')
    assert.deepEqual(sequences(await receiver.firstEvents(directory.id, 4)), [1, 2, 3, 4])
  })

  test('the attempt in flight at a pause is the last one', async () => {
    await using receiver = await startReceiver()
    const release = receiver.hold()
    const directory = await service().createDirectory(receiver.endpoint)
    await addUsers(directory, 'a', 'b', 'c')
    await receiver.until(() => receiver.waiting() === 1, 'an attempt that waits for its response')
    await change(directory, 'pause')
    release()
    await delivered(receiver, 'x', 'y', 'z')
    assert.deepEqual(sequences(receiver.events(directory.id)), [1])
    await change(directory, 'resume')
    await when(directory.id, isDelivered(3))
    assert.deepEqual([...new Set(sequences(receiver.events(directory.id)))], [1, 2, 3])
  })

  test('status 410 pauses a directory immediately, until it has another endpoint', async () => {
    await using gone = await startReceiver()
    await using other = await startReceiver()
    gone.answerWith(410)
    const directory = await service().createDirectory(gone.endpoint)
    await addUsers(directory, 'a', 'b')
    const { state, paused, next_attempt_at } = await when(directory.id, ({ state }) => state === 'paused')
    assert.deepEqual([state, paused?.reason, next_attempt_at], ['paused', 'gone', null])
    await hasten(service(), directory.id)
    assert.equal((await status(directory.id)).state, 'paused', 'another update of the directory does not end the pause')
    await service().api('PATCH', `/${directory.id}`, other.endpoint)
    assert.deepEqual(sequences(await other.firstEvents(directory.id, 2)), [1, 2])
    assert.equal(gone.attempts.length, 1)
  })

  test('resume ends a pause caused by status 410', async () => {
    await using receiver = await startReceiver()
    receiver.answerWith(410)
    const directory = await service().createDirectory(receiver.endpoint)
    await addUsers(directory, 'a')
    await when(directory.id, ({ state }) => state === 'paused')
    receiver.answerWith(204)
    await change(directory, 'resume')
    assert.deepEqual(sequences(await receiver.firstEvents(directory.id, 1)), [1])
  })

  test("an operator's pause outlasts a new endpoint", async () => {
    await using receiver = await startReceiver()
    await using other = await startReceiver()
    const directory = await delivered(receiver, 'a')
    await change(directory, 'pause')
    await service().api('PATCH', `/${directory.id}`, other.endpoint)
    await addUsers(directory, 'b')
    assert.deepEqual((await status(directory.id)).paused?.reason, 'operator')
    await change(directory, 'resume')
    assert.deepEqual(sequences(await other.firstEvents(directory.id, 1)), [2])
  })

  // Runs these concurrently, because each waits for twelve attempts or more, one after another.
  describe('of events that are refused until they are dead', { concurrency: true }, () => {
    test('an event that is refused twelve times is dead, is listed, and can be replayed', async () => {
      await using receiver = await startReceiver()
      receiver.answer(({ sequence }) => (sequence === 2 ? 400 : 204))
      const directory = await service().createDirectory(receiver.endpoint)
      const { id } = directory
      await addUsers(directory, 'a', 'b', 'c')
      await refuseUntilDead(directory)
      assert.deepEqual(sequences(await receiver.firstEvents(id, 2)), [1, 3])
      assert.equal(receiver.attempts.filter(({ status }) => status === 400).length, 12)
      const afterwards = await when(id, isDelivered(3))
      assert.deepEqual(afterwards, { ...flowing, delivered_sequence: 3, last_sequence: 3, dead_events: 1 })
      const { rows, next } = await deadEvents(id)
      const [dead] = rows
      assert.deepEqual([rows.length, next, dead?.sequence, dead?.reason], [1, undefined, 2, 'answered 400'])
      assert.match(String(dead?.died_at), time)
      assert.deepEqual(dead?.payload, receiver.attempts[1]?.event, 'the payload that the endpoint received')

      receiver.answerWith(204)
      await change(directory, 'replay', { sequence: 2 })
      assert.deepEqual(sequences(await receiver.firstEvents(id, 3)), [1, 3, 2])
      await when(id, ({ dead_events }) => dead_events === 0)
      assert.deepEqual((await deadEvents(id)).rows, [])
      assert.deepEqual(receiver.attempts.at(-1)?.headers['webhook-id'], dead?.payload.id)
    })

    test('a replayed event that is refused again stays dead and delays nothing', async () => {
      await using receiver = await startReceiver()
      receiver.answer(({ sequence }) => (sequence === 1 ? 422 : 204))
      const directory = await service().createDirectory(receiver.endpoint)
      await addUsers(directory, 'a')
      await refuseUntilDead(directory)
      await when(directory.id, ({ dead_events }) => dead_events === 1)
      await change(directory, 'replay', { sequence: 1 })
      await receiver.until(() => receiver.attempts.length === 13, 'the replayed event')
      await addUsers(directory, 'b')
      assert.deepEqual(sequences(await receiver.firstEvents(directory.id, 1)), [2])
      const { rows } = await deadEvents(directory.id)
      assert.deepEqual(
        rows.map(({ sequence, reason }) => [sequence, reason]),
        [[1, 'answered 422']],
      )
    })

    test('dead events are listed in pages, and a replay from a sequence on includes them', async () => {
      await using receiver = await startReceiver()
      receiver.answer(({ sequence }) => (sequence <= 2 ? 400 : 204))
      const directory = await service().createDirectory(receiver.endpoint)
      const { id } = directory
      await addUsers(directory, 'a', 'b', 'c')
      await refuseUntilDead(directory)
      await when(id, ({ dead_events }) => dead_events === 1)
      // On a busy machine the time of a retry may come before it is hastened.
      for (let failures = 1; failures < 12; failures += 1) {
        const { dead_events } = await when(id, (one) => one.failures >= failures || one.dead_events === 2)
        if (dead_events === 1) await hasten(service(), id)
      }
      await when(id, isDelivered(3))
      const first = await deadEvents(id, '?limit=1')
      assert.deepEqual([first.rows.map(({ sequence }) => sequence), first.next], [[1], 1])
      const second = await deadEvents(id, `?limit=1&after=${first.next}`)
      assert.deepEqual([second.rows.map(({ sequence }) => sequence), second.next], [[2], undefined])

      receiver.answerWith(204)
      await change(directory, 'replay', { from_sequence: 1 })
      assert.deepEqual(sequences(await receiver.firstEvents(id, 4)), [3, 1, 2, 3])
      const { dead_events } = await when(id, isDelivered(3))
      assert.equal(dead_events, 0)
    })
  })

  test('events are replayed from a sequence or a time on, in order and with the same ids', async () => {
    await using receiver = await startReceiver()
    const directory = await delivered(receiver, 'a', 'b', 'c')
    await change(directory, 'replay', { from_sequence: 2 })
    assert.deepEqual(sequences(await receiver.firstEvents(directory.id, 5)), [1, 2, 3, 2, 3])
    await when(directory.id, isDelivered(3))
    const since = receiver.events(directory.id)[0]?.created_at
    await change(directory, 'replay', { since })
    const events = await receiver.firstEvents(directory.id, 8)
    assert.deepEqual(sequences(events).slice(5), [1, 2, 3])
    assert.equal(new Set(events.map(({ id }) => id)).size, 3)
    await when(directory.id, isDelivered(3))
    const later = new Date(Date.now() + 3_600_000).toISOString()
    assert.equal((await change(directory, 'replay', { since: later })).delivered_sequence, 3)
    assert.equal((await change(directory, 'replay', { from_sequence: 99 })).delivered_sequence, 3)
    await addUsers(directory, 'd')
    assert.deepEqual(sequences(await receiver.firstEvents(directory.id, 9)).slice(8), [4])
  })

  test('a replay of an event that is not delivered yet is sent in order', async () => {
    await using receiver = await startReceiver()
    const directory = await delivered(receiver, 'a')
    await change(directory, 'pause')
    await addUsers(directory, 'b', 'c')
    await change(directory, 'replay', { sequence: 3 })
    await change(directory, 'resume')
    assert.deepEqual(sequences(await receiver.firstEvents(directory.id, 3)), [1, 2, 3])
  })

  for (const [what, body] of [
    ['no field', {}],
    ['two fields', { sequence: 1, from_sequence: 1 }],
    ['all fields', { sequence: 1, from_sequence: 1, since: '2026-01-01T00:00:00Z' }],
    ['sequence 0', { sequence: 0 }],
    ['a fraction', { from_sequence: 1.5 }],
    ['text instead of a number', { sequence: 'one' }],
    ['null', { sequence: null }],
    ['a date without a time', { since: '2026-01-01' }],
    ['an impossible time', { since: '2026-01-45T00:00:00Z' }],
    ['a list', []],
    ['no body', undefined],
  ] as const) {
    test(`a replay is rejected with ${what}`, async () => {
      const { id } = await service().createDirectory()
      assertApiError(await post(`/${id}/replay`, body), 400)
    })
  }

  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'after=-1', 'after=x']) {
    test(`a list of dead events is rejected with ${query}`, async () => {
      const { id } = await service().createDirectory()
      assertApiError(await service().api('GET', `/${id}/dead-events?${query}`), 400)
    })
  }

  test('unknown directories and events are not found', async () => {
    await using receiver = await startReceiver()
    const { id } = await delivered(receiver, 'a')
    assertApiError(await post(`/${id}/replay`, { sequence: 2 }), 404)
    for (const [method, verb, body] of [
      ['GET', 'delivery'],
      ['GET', 'dead-events'],
      ['POST', 'pause'],
      ['POST', 'resume'],
      ['POST', 'test-event'],
      ['POST', 'replay', { sequence: 1 }],
      ['POST', 'replay', { from_sequence: 1 }],
      ['POST', 'replay', { since: '2026-01-01T00:00:00Z' }],
    ] as const) {
      assertApiError(await service().api(method, `/nobody/${verb}`, body), 404)
    }
  })

  test('a test event returns the result and does not change the stream', async () => {
    await using receiver = await startReceiver()
    const directory = await delivered(receiver, 'a')
    const tried = async () => {
      const { latency_ms, ...rest } = dataOf<{ latency_ms: number }>(await post(`/${directory.id}/test-event`))
      assert(Number.isInteger(latency_ms) && latency_ms >= 0)
      return rest
    }
    receiver.answerWith(200)
    assert.deepEqual(await tried(), { delivered: true, status_code: 200, error: null })
    const [, event] = receiver.events(directory.id)
    assert.deepEqual([event?.event, event?.sequence, event?.tenant], ['endpoint.test', 0, 'acme'])
    assert.equal(receiver.attempts.at(-1)?.headers['webhook-id'], event?.id)
    receiver.answerWith(500)
    assert.deepEqual(await tried(), { delivered: false, status_code: 500, error: 'answered 500' })
    assert.deepEqual(await status(directory.id), { ...flowing, delivered_sequence: 1, last_sequence: 1 })
    await change(directory, 'pause')
    receiver.answerWith(204)
    assert.equal(((await tried()) as { delivered?: boolean }).delivered, true, 'a paused endpoint can be tested')
  })

  test('a test event reports why there was no response, and is rejected without an endpoint', async () => {
    const receiver = await startReceiver()
    await receiver[Symbol.asyncDispose]()
    const { id } = await service().createDirectory(receiver.endpoint)
    const { latency_ms, ...rest } = dataOf<{ latency_ms: number; error: string }>(await post(`/${id}/test-event`))
    assert.deepEqual({ ...rest, error: '' }, { delivered: false, status_code: null, error: '' })
    assert.match(rest.error, /\w/)
    assert.doesNotMatch(rest.error, /whsec/)
    assertApiError(await post(`/${(await service().createDirectory()).id}/test-event`), 400)
  })

  test('process-events sends what is due and reports it; a concurrent call is rejected', async () => {
    await using receiver = await startReceiver()
    await using alone = await startTestService(engine)
    const run = () => alone.api('POST', '/cron/process-events')
    assert.deepEqual(dataOf(await run()), { directories: 0, delivered: 0, failed: 0, remaining: 0 })
    const release = receiver.hold()
    const directory = await alone.createDirectory(receiver.endpoint)
    await alone.scim(directory, 'POST', '/Users', { userName: 'a' })
    await receiver.until(() => receiver.waiting() === 1, 'an attempt that waits for its response')
    const both = [run(), run()] as const
    assertApiError(await Promise.race(both), 409)
    release()
    const reports = (await Promise.all(both)).filter(({ status }) => status === 200)
    assert.deepEqual(
      reports.map((response) => dataOf(response)),
      [{ directories: 1, delivered: 1, failed: 0, remaining: 0 }],
    )
    assert.deepEqual(sequences(await receiver.firstEvents(directory.id, 1)), [1])
  })
})
