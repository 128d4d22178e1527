import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dateTimeText } from '../../../src/scim/date-time.ts'

test('the text of a time is that of Date, in every year that Date knows', () => {
  const furthest = 8_640_000_000_000_000
  const recent = fc.integer({ min: 1_700_000_000_000, max: 1_700_100_000_000 })
  const any = fc.oneof(
    recent,
    fc.maxSafeInteger().map((ms) => ms % furthest),
  )
  fc.assert(fc.property(any, (ms) => assert.equal(dateTimeText(ms), new Date(ms).toISOString())))
  for (const ms of [0, -1, furthest, -furthest]) assert.equal(dateTimeText(ms), new Date(ms).toISOString())
})
