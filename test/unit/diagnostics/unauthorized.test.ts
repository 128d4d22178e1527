import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnauthorized, unauthorizedNotice } from '../../../src/diagnostics/notices/unauthorized.ts'

const minute = 60_000
const some = { count: 5, withOtherSecret: 5, firstAt: 0, lastAt: 0, hasWorked: false }

for (const { what, failures, expected } of [
  {
    what: 'five at once with another secret, of a directory that worked',
    failures: { hasWorked: true },
    expected: true,
  },
  { what: 'four of them', failures: { hasWorked: true, count: 4, withOtherSecret: 4 }, expected: false },
  { what: 'five without a secret', failures: { hasWorked: true, withOtherSecret: 0 }, expected: false },
  { what: 'five at once, of a directory that never worked', failures: {}, expected: false },
  { what: 'five over ten minutes', failures: { lastAt: 10 * minute }, expected: true },
  { what: 'five over nine minutes', failures: { lastAt: 9 * minute }, expected: false },
  { what: 'four over an hour', failures: { count: 4, lastAt: 60 * minute }, expected: false },
]) {
  test(`${what}: ${expected ? 'unauthorized' : 'not yet'}`, () => {
    assert.equal(isUnauthorized({ ...some, ...failures }), expected)
  })
}

test('the notice has the time of the first failure', () => {
  const directory = { id: 'd', name: 'Acme', tenant: 'acme', product: 'crm' }
  const draft = unauthorizedNotice(directory, { ...some, lastAt: 10 * minute })
  assert.deepEqual(draft.details, {
    ...{ failures: 5, since: '1970-01-01T00:00:00.000Z', last_at: '1970-01-01T00:10:00.000Z' },
  })
  assert.match(draft.message, /wrong secret: 5 requests/)
})
