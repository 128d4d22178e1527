import assert from 'node:assert/strict'
import test from 'node:test'
import { retryAfterMs } from '../../../../src/google/client/pace.ts'

const now = Date.UTC(1994, 10, 6, 8, 49, 0)

for (const { header, ms } of [
  { header: '7', ms: 7_000 },
  { header: ' 7 ', ms: 7_000 },
  { header: '0', ms: 0 },
  { header: 'Sun, 06 Nov 1994 08:49:37 GMT', ms: 37_000 },
  { header: 'Sunday, 06-Nov-94 08:49:37 GMT', ms: 37_000 },
  { header: 'Sun, 06 Nov 1994 08:48:00 GMT', ms: 0 },
  { header: 'Sun, 99 Nov 1994 08:49:37 GMT', ms: 0 },
  { header: '-5', ms: 0 },
  { header: '1.5', ms: 0 },
  { header: 'soon', ms: 0 },
  { header: '', ms: 0 },
  { header: undefined, ms: 0 },
]) {
  test(`Retry-After: ${header} asks for ${ms} ms`, () => assert.equal(retryAfterMs(header, now), ms))
}
