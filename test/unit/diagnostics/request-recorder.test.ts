import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Exchange } from '../../../src/diagnostics/requests/exchange.ts'
import { createRequestRecorder } from '../../../src/diagnostics/requests/recorder.ts'
import type { RequestRecord } from '../../../src/diagnostics/requests/request-log-store.ts'
import { createManualTime } from '../../support/manual-time.ts'

function someExchange(id: string, given: Partial<Exchange> = {}): Exchange {
  return {
    ...{ directory: { id: 'd1', logScimRequests: false }, id, at: 0, method: 'POST', path: '/Users', query: {} },
    ...{ body: { userName: id }, isUnparseable: false, status: 201, error: undefined, response: undefined },
    ...{ durationMs: 1.4, userAgent: undefined, address: undefined },
    ...given,
  }
}

/** A recorder with a manual clock and a store that can fail. */
function openRecorder() {
  const time = createManualTime()
  const written: string[][] = []
  const lines: object[] = []
  const problem = { isThere: false }
  let dropped = 0
  const store = {
    async addRequests(directoryId: string, requests: readonly RequestRecord[]) {
      if (problem.isThere) throw new Error('the disk is full')
      written.push([directoryId, ...requests.map(({ id, subject }) => `${id} ${subject}`)])
    },
  }
  const line = (details: object) => {
    lines.push(details)
  }
  const recorder = createRequestRecorder({
    ...{ store, keep: 9, schedule: time.schedule, log: { error: line, warn: line } },
    onDropped(count) {
      dropped += count
    },
  })
  return { ...{ recorder, time, written, lines, problem }, dropped: () => dropped }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('requests are written together half a second after the first, a batch for each directory', async () => {
  const { recorder, time, written } = openRecorder()
  recorder.record(someExchange('a'))
  time.advance(499)
  recorder.record(someExchange('b', { directory: { id: 'd2', logScimRequests: false } }))
  recorder.record(someExchange('c'))
  assert.deepEqual([written.length, time.countTimers()], [0, 1])
  time.advance(1)
  await settled()
  assert.deepEqual(written, [
    ['d1', 'a a', 'c c'],
    ['d2', 'b b'],
  ])
  assert.equal(time.countTimers(), 0, 'an idle recorder does nothing')
})

test('a full batch is written without waiting, except after a failure', async () => {
  const { recorder, time, written, problem } = openRecorder()
  const recordMany = () => {
    for (let n = 0; n < 1_000; n += 1) recorder.record(someExchange(`${n}`))
  }
  recordMany()
  await settled()
  assert.deepEqual([written.length, written[0]?.length, time.countTimers()], [1, 1_001, 0])
  problem.isThere = true
  recordMany()
  await settled()
  problem.isThere = false
  recordMany()
  await settled()
  assert.equal(written.length, 1, 'the next attempt comes a second after the failure')
  time.advance(1_000)
  await recorder.flush()
  assert.equal(written.length, 3)
})

test('a request that cannot be recorded is logged and never thrown', async () => {
  const { recorder, written, lines } = openRecorder()
  const body = {
    get userName(): string {
      throw new Error('out of reach')
    },
  }
  recorder.record(someExchange('a', { body, status: 400 }))
  recorder.record(someExchange('b'))
  await recorder.close()
  assert.deepEqual([written, lines.length], [[['d1', 'b b']], 1])
  recorder.record(someExchange('c'))
  await recorder.flush()
  assert.equal(written.length, 1, 'nothing is recorded after the end')
})

test('requests that a failing store does not accept are written later, or dropped and counted', async () => {
  const { recorder, time, written, problem, dropped } = openRecorder()
  problem.isThere = true
  recorder.record(someExchange('a'))
  await recorder.flush()
  problem.isThere = false
  recorder.record(someExchange('b'))
  time.advance(1_000)
  await settled()
  assert.deepEqual([written.flat().toSorted(), dropped()], [['a a', 'b b', 'd1'], 0])
  problem.isThere = true
  for (let n = 0; n < 10_005; n += 1) recorder.record(someExchange(`n${n}`))
  await recorder.close()
  assert.equal(dropped(), 10_005)
  assert.equal(time.countTimers(), 0)
})

test('a request that only names a resource gets the name from another one of its batch', async () => {
  const { recorder, written } = openRecorder()
  recorder.record(someExchange('a', { method: 'GET', path: '/Users/u1', body: undefined }))
  recorder.record(someExchange('b', { method: 'PUT', path: '/Users/u1', body: { userName: 'Maya' } }))
  recorder.record(someExchange('c', { method: 'GET', path: '/Users/u2', body: undefined }))
  await recorder.flush()
  assert.deepEqual(written, [['d1', 'a Maya', 'b Maya', 'c null']])
})
