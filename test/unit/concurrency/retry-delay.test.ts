import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backOffMs, parseRetryAfter } from '../../../src/concurrency/retry-delay.ts'

for (const { failures, delayMs } of [
  { failures: 1, delayMs: 1_000 },
  { failures: 2, delayMs: 3_000 },
  { failures: 3, delayMs: 3_000 },
  { failures: 1_000, delayMs: 3_000 },
]) {
  test(`with delays of 1 and 3 s, the delay after ${failures} failures is ${delayMs} ms ± 20 %`, () => {
    const delays = [0, 0.5, 1].map((random) => backOffMs([1_000, 3_000], failures, random))
    assert.deepEqual(delays, [delayMs * 0.8, delayMs, delayMs * 1.2])
  })
}

const now = Date.UTC(1994, 10, 6, 8, 49, 0)

for (const { header, ms } of [
  { header: '7', ms: 7_000 },
  { header: ' 7 ', ms: 7_000 },
  { header: '0', ms: 0 },
  { header: '3601', ms: 3_601_000 },
  { header: 'Sun, 06 Nov 1994 08:49:37 GMT', ms: 37_000 },
  { header: 'Sunday, 06-Nov-94 08:49:37 GMT', ms: 37_000 },
  { header: 'Sun, 06 Nov 1994 08:00:00 GMT', ms: 0 },
  { header: 'Sun, 99 Foo 1994 08:49:37 GMT', ms: undefined },
  { header: '1.5', ms: undefined },
  { header: '-1', ms: undefined },
  { header: 'soon', ms: undefined },
  { header: '', ms: undefined },
  { header: null, ms: undefined },
  { header: undefined, ms: undefined },
]) {
  test(`Retry-After: ${header} asks for ${ms} ms`, () => assert.equal(parseRetryAfter(header, now), ms))
}
