import assert from 'node:assert/strict'
import test from 'node:test'
import { failureLabel, outcomeOf, retryPauseMs } from '../../../src/delivery/policy.ts'
import { answered, failed } from './support/samples.ts'

for (const status of [200, 201, 202, 204, 299]) {
  test(`${status} takes the event`, () => assert.equal(outcomeOf(answered(status)), 'delivered'))
}

for (const { kind, statuses } of [
  { kind: 'retry', statuses: [408, 425, 429, 500, 502, 503, 504, 599] },
  { kind: 'refused', statuses: [300, 302, 304, 400, 401, 403, 404, 409, 413, 422] },
  { kind: 'gone', statuses: [410] },
] as const) {
  for (const status of statuses) {
    test(`${status} means ${kind}`, () => {
      assert.deepEqual(outcomeOf(answered(status, '7')), { kind, reason: `answered ${status}`, retryAfter: '7' })
    })
  }
}

test('no answer means retry', () => {
  const outcome = { kind: 'retry', reason: 'connection refused', retryAfter: null }
  assert.deepEqual(outcomeOf(failed('connection refused')), outcome)
})

for (const { retryAfter, pauseMs } of [
  { retryAfter: null, pauseMs: 30_000 },
  { retryAfter: 'soon', pauseMs: 30_000 },
  { retryAfter: '2', pauseMs: 2_000 },
  { retryAfter: '120', pauseMs: 120_000 },
  { retryAfter: '0', pauseMs: 1_000 },
  { retryAfter: '86400', pauseMs: 3_600_000 },
]) {
  test(`the second failure, with Retry-After ${retryAfter}, waits ${pauseMs} ms`, () => {
    assert.equal(retryPauseMs({ kind: 'retry', reason: 'answered 503', retryAfter }, 2, 0.5, 0), pauseMs)
  })
}

test('failures are counted by status, or as no answer', () => {
  assert.equal(failureLabel(answered(503)), '503')
  assert.equal(failureLabel(failed('connect ECONNREFUSED 127.0.0.1:9')), 'no-answer')
})
