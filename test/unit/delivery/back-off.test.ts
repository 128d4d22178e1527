import assert from 'node:assert/strict'
import test from 'node:test'
import { retryAfterMs, retryDelayMs } from '../../../src/delivery/back-off.ts'

for (const { failures, seconds } of [
  { failures: 1, seconds: 5 },
  { failures: 2, seconds: 30 },
  { failures: 3, seconds: 120 },
  { failures: 4, seconds: 300 },
  { failures: 5, seconds: 600 },
  { failures: 6, seconds: 900 },
  { failures: 7, seconds: 900 },
  { failures: 1_000, seconds: 900 },
]) {
  test(`after ${failures} failures in a row: ${seconds} s, give or take a fifth`, () => {
    const delays = [0, 0.5, 1].map((random) => retryDelayMs(failures, random))
    assert.deepEqual(delays, [seconds * 800, seconds * 1_000, seconds * 1_200])
  })
}

const now = Date.UTC(1994, 10, 6, 8, 49, 0)

for (const { header, ms } of [
  { header: '7', ms: 7_000 },
  { header: ' 7 ', ms: 7_000 },
  { header: '0', ms: 0 },
  { header: '3601', ms: 3_600_000 },
  { header: '9'.repeat(400), ms: 3_600_000 },
  { header: 'Sun, 06 Nov 1994 08:49:37 GMT', ms: 37_000 },
  { header: 'Sunday, 06-Nov-94 08:49:37 GMT', ms: 37_000 },
  { header: 'Sun, 06 Nov 1994 08:00:00 GMT', ms: 0 },
  { header: 'Mon, 06 Nov 2034 08:49:37 GMT', ms: 3_600_000 },
  { header: 'Sun, 99 Foo 1994 08:49:37 GMT', ms: undefined },
  { header: '1.5', ms: undefined },
  { header: '-1', ms: undefined },
  { header: 'soon', ms: undefined },
  { header: '', ms: undefined },
  { header: null, ms: undefined },
]) {
  test(`Retry-After: ${header?.slice(0, 40)} is ${ms} ms`, () => assert.equal(retryAfterMs(header, now), ms))
}
