import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLineLimit } from '../../../src/app/outage-lines.ts'
import { StoreUnavailable } from '../../../src/store/errors.ts'

const outage = { err: new StoreUnavailable('no connection') }

test('errors of the database are written once a second for each message, with the number of those left out', () => {
  let now = 0
  const limit = createLineLimit(() => now)
  assert.equal(limit(outage, 'delivery failed'), outage)
  assert.equal(limit(outage, 'pruning failed'), outage)
  for (now of [1, 500, 999]) assert.equal(limit(outage, 'delivery failed'), undefined)
  now = 1000
  assert.deepEqual(limit(outage, 'delivery failed'), { ...outage, omitted: 3 })
  now = 2000
  assert.equal(limit(outage, 'delivery failed'), outage)
})

test('other lines are always written', () => {
  const limit = createLineLimit(() => 0)
  for (const details of [{}, { err: new Error('a bug') }, { directoryId: 'd1' }]) {
    assert.equal(limit(details, 'a message'), details)
    assert.equal(limit(details, 'a message'), details)
  }
})
