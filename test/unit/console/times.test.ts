import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullTime, localeFor, relativeTime } from '../../../console/src/ui/times.ts'

const now = Date.UTC(2026, 10, 26, 1, 0)
const [minute, hour, day] = [60, 3_600, 86_400]

for (const [seconds, text] of [
  [0, 'now'],
  [-1, '1 second ago'],
  [90, 'in 90 seconds'],
  [-5 * minute, '5 minutes ago'],
  [-119 * minute, '119 minutes ago'],
  // Only two days ago by the calendar: "yesterday" would be wrong.
  [-29 * hour, '29 hours ago'],
  [-3 * day, '3 days ago'],
  [30 * day - 1, 'in 29 days'],
  [90 * day - 1, 'in 89 days'],
  [200 * day, 'in 6 months'],
  [-365 * day, '12 months ago'],
  [-800 * day, '2 years ago'],
] as const) {
  test(`a time ${seconds} s from now is "${text}"`, () => {
    assert.equal(relativeTime(new Date(now + seconds * 1000).toISOString(), 'en', now), text)
  })
}

test('a time is shown in UTC, with the name of the zone', () => {
  const { TZ } = process.env
  process.env['TZ'] = 'Asia/Tokyo'
  const shown = fullTime('2026-11-26T04:18:09Z', 'en')
  if (TZ === undefined) delete process.env['TZ']
  else process.env['TZ'] = TZ
  assert.match(shown, /Nov.*2026.*4:18:09.*UTC/)
})

test('a time has the form of the reader, in the language of the page', () => {
  assert.equal(localeFor('en', ['de-DE', 'en-GB', 'en-US']), 'en-GB')
  assert.equal(localeFor('en', ['de-DE', 'english']), 'en')
  assert.equal(localeFor('ja', ['ja']), 'ja')
  assert.equal(localeFor('en', ['en-US@posix', 'en-GB']), 'en-GB')
})
