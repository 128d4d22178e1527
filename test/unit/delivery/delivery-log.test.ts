import assert from 'node:assert/strict'
import test from 'node:test'
import type { AttemptResult } from '../../../src/delivery/attempt.ts'
import type { LoggedDelivery } from '../../../src/delivery/log/delivery-log-store.ts'
import type { DeliveryAttempt } from '../../../src/delivery/log/entry.ts'
import { deliveryViewText, loggedDelivery, maxPayloadBytes } from '../../../src/delivery/log/entry.ts'
import { createLogPruning } from '../../../src/delivery/log/pruning.ts'
import type { RecorderOptions } from '../../../src/delivery/log/recorder.ts'
import { createRecorder } from '../../../src/delivery/log/recorder.ts'
import { silentLogger } from '../../../src/delivery/observer.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { failed, response, someDirectory, someEvent } from './support/samples.ts'

function someAttempt(given: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  const event = someEvent({ sequence: 7 })
  return { directory: someDirectory(), events: [event], attempt: 1, result: response(200), payload: '{}', ...given }
}

function logged(given: Partial<DeliveryAttempt>): LoggedDelivery {
  return loggedDelivery(someAttempt(given), 'id-1', 1_000)
}

test('request and response of an attempt are logged', () => {
  const result: AttemptResult = { kind: 'response', status: 503, retryAfter: '7', body: 'later', latencyMs: 12.6 }
  const events = [7, 8].map((sequence) => someEvent({ sequence, eventType: 'user.updated' }))
  assert.deepEqual(logged({ result, events, attempt: 3, payload: '[{},{}]' }), {
    id: 'id-1',
    directoryId: 'd1',
    sequence: 7,
    eventCount: 2,
    eventId: 'event-7',
    eventType: 'user.updated',
    requestId: 'request-1',
    endpointUrl: 'http://127.0.0.1:9/events',
    attempt: 3,
    status: 503,
    latencyMs: 13,
    error: 'answered 503',
    isDelivered: false,
    payload: '[{},{}]',
    isPayloadTruncated: false,
    responseBody: 'later',
    createdAt: 1_000,
  })
})

for (const { result, status, error, isDelivered } of [
  { result: response(200), status: 200, error: null, isDelivered: true },
  { result: response(204), status: 204, error: null, isDelivered: true },
  { result: response(302), status: 302, error: 'answered 302', isDelivered: false },
  {
    result: failed('no response within 15000 ms'),
    status: null,
    error: 'no response within 15000 ms',
    isDelivered: false,
  },
  { result: failed('x'.repeat(9_999)), status: null, error: 'x'.repeat(500), isDelivered: false },
]) {
  test(`${status ?? result.kind} is logged as ${error?.slice(0, 30) ?? 'delivered'}`, () => {
    const found = logged({ result })
    assert.deepEqual([found.status, found.error, found.isDelivered], [status, error, isDelivered])
  })
}

for (const { url, shown } of [
  { url: 'https://acme.example/hooks/7', shown: 'https://acme.example/hooks/7' },
  { url: 'https://user:secret@acme.example:8443/hooks?token=secret#secret', shown: 'https://acme.example:8443/hooks' },
  { url: 'no URL', shown: '' },
]) {
  test(`${url} is logged as "${shown}"`, () => {
    const directory = someDirectory({ endpoint: { url, secret: 'whsec_x', previousSecret: undefined } })
    assert.equal(logged({ directory }).endpointUrl, shown)
  })
}

for (const { what, payload, isKept } of [
  { what: 'of 256 KB', payload: `"${'x'.repeat(maxPayloadBytes - 2)}"`, isKept: true },
  { what: 'of one byte more', payload: `"${'x'.repeat(maxPayloadBytes - 1)}"`, isKept: false },
  { what: 'of fewer characters that take more bytes', payload: `"${'é'.repeat(maxPayloadBytes / 2)}"`, isKept: false },
]) {
  test(`a payload ${what} is ${isKept ? 'stored' : 'left out'}`, () => {
    const found = logged({ payload })
    assert.deepEqual([found.payload, found.isPayloadTruncated], isKept ? [payload, false] : [null, true])
    assert.deepEqual(
      JSON.parse(deliveryViewText({ ...found, tenant: 'acme' })).payload,
      isKept ? JSON.parse(payload) : null,
    )
  })
}

test('text that PostgreSQL cannot store is replaced in a logged response', () => {
  const result = { ...response(500), body: 'a\0b\uD800' }
  assert.equal(logged({ result }).responseBody, 'a\u{FFFD}b\u{FFFD}')
})

/** A recorder with a manual clock and a store that can fail. */
function openRecorder(options: Pick<RecorderOptions, 'maxUnwritten'> = {}) {
  const time = createManualTime()
  const writes: LoggedDelivery[][] = []
  const lines: { readonly dropped?: number }[] = []
  let ids = 0
  let outage: Error | undefined
  const store = {
    async addDeliveries(_directoryId: string, deliveries: readonly LoggedDelivery[]) {
      if (outage !== undefined) throw outage
      writes.push([...deliveries])
    },
  }
  const { clock, schedule } = time
  const newId = () => {
    ids += 1
    return `id-${ids}`
  }
  const log = { warn: (details: object) => lines.push(details), error: (details: object) => lines.push(details) }
  const recorder = createRecorder({ store, newId, clock, schedule, log, ...options })
  return {
    ...{ recorder, time, writes, lines },
    written: () => writes.flat().map(({ id }) => id),
    fail: (error: Error | undefined) => {
      outage = error
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('attempts are buffered for 200 ms and written together', async () => {
  const { recorder, time, writes } = openRecorder()
  recorder.record(someAttempt())
  time.advance(150)
  recorder.record(someAttempt())
  assert.deepEqual([writes.length, time.countTimers()], [0, 1])
  time.advance(50)
  await settled()
  assert.deepEqual(
    writes.map((batch) => batch.map(({ id, createdAt }) => `${id} at ${createdAt}`)),
    [['id-1 at 0', 'id-2 at 150']],
  )
  assert.equal(time.countTimers(), 0)
})

test('a write contains one directory only and is limited in size', async () => {
  const { recorder, writes } = openRecorder()
  const large = `"${'x'.repeat(200_000)}"`
  for (let n = 0; n < 250; n += 1) recorder.record(someAttempt({ directory: someDirectory({ id: `d${n % 2}` }) }))
  for (let n = 0; n < 7; n += 1)
    recorder.record(someAttempt({ directory: someDirectory({ id: 'd2' }), payload: large }))
  await recorder.flush()
  for (const batch of writes) assert.equal(new Set(batch.map(({ directoryId }) => directoryId)).size, 1)
  assert.deepEqual(
    writes.map(({ length }) => length),
    [100, 25, 100, 25, 4, 3],
  )
})

test('failed writes are retried', async () => {
  const { recorder, time, fail, written, lines } = openRecorder()
  fail(new Error('away'))
  recorder.record(someAttempt())
  time.advance(200)
  await settled()
  recorder.record(someAttempt({ directory: someDirectory({ id: 'd2' }) }))
  fail(undefined)
  time.advance(999)
  await settled()
  assert.deepEqual(written(), [])
  time.advance(1)
  await settled()
  assert.deepEqual(written(), ['id-1', 'id-2'])
  assert.equal(lines.length, 1)
})

test('failed writes are retried a limited number of times', async () => {
  const { recorder, time, fail, lines } = openRecorder()
  fail(new Error('invalid entry'))
  recorder.record(someAttempt())
  time.advance(200)
  await settled()
  for (let second = 0; second < 60 && time.countTimers() > 0; second += 1) {
    time.advance(1_000)
    await settled()
  }
  assert.equal(time.countTimers(), 0)
  assert.deepEqual(lines.at(-1), { dropped: 1 })
})

test('when too many entries wait, the oldest are dropped and one log line counts them', async () => {
  const { recorder, written, lines } = openRecorder({ maxUnwritten: 3 })
  for (let n = 0; n < 8; n += 1) recorder.record(someAttempt())
  await recorder.flush()
  assert.deepEqual(written(), ['id-6', 'id-7', 'id-8'])
  assert.deepEqual(lines, [{ dropped: 5 }])
})

test('large entries are dropped earlier', async () => {
  const { recorder, written, lines } = openRecorder()
  const payload = `"${'x'.repeat(250_000)}"`
  for (let n = 0; n < 40; n += 1) recorder.record(someAttempt({ payload }))
  await recorder.flush()
  assert.equal(written().length, 31)
  assert.deepEqual(lines, [{ dropped: 9 }])
})

test('close writes the buffer once, and later attempts are ignored', async () => {
  const { recorder, time, written, fail, lines } = openRecorder()
  recorder.record(someAttempt())
  await recorder.close()
  assert.deepEqual(written(), ['id-1'])
  recorder.record(someAttempt())
  assert.equal(time.countTimers(), 0)

  const lost = openRecorder()
  lost.fail(new Error('away'))
  lost.recorder.record(someAttempt())
  await lost.recorder.close()
  assert.equal(lost.time.countTimers(), 0)
  assert.deepEqual(lost.lines.at(-1), { dropped: 1 })
  fail(undefined)
  assert.deepEqual(lines, [])
})

test('an invalid attempt is logged as an error and does not throw', async () => {
  const { recorder, written, lines } = openRecorder()
  recorder.record(someAttempt({ events: [] }))
  recorder.record(someAttempt())
  await recorder.flush()
  assert.equal(written().length, 1)
  assert.equal(lines.length, 1)
})

test('old deliveries are pruned in small steps, then at the interval', async () => {
  const time = createManualTime(30 * 86_400_000)
  const asked: { before: number; limit: number }[] = []
  const found = [100, 100, 7]
  const store = {
    async pruneDeliveries(before: number, limit: number) {
      asked.push({ before, limit })
      return found.shift() ?? 0
    },
  }
  const { clock, schedule } = time
  const pruning = createLogPruning({ store, keepDays: 7, clock, schedule, log: silentLogger, random: () => 0.5 })
  pruning.start()
  for (const delayMs of [30_000, 50, 50]) {
    await time.scheduled(delayMs)
    time.advance(delayMs)
    await settled()
  }
  assert.equal(asked.length, 3)
  assert.deepEqual(asked[0], { before: 23 * 86_400_000 + 30_000, limit: 100 })
  await time.scheduled(600_000)
  await pruning.close()
  assert.equal(time.countTimers(), 0)
})

test('pruning continues after a failure of the store', async () => {
  const time = createManualTime()
  const store = { pruneDeliveries: () => Promise.reject(new Error('away')) }
  const { clock, schedule } = time
  const pruning = createLogPruning({ store, keepDays: 7, clock, schedule, log: silentLogger, random: () => 0.5 })
  pruning.start()
  time.advance(30_000)
  await time.scheduled(600_000)
  await pruning.close()
})
