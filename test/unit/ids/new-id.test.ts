import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { newId } from '../../../src/ids/new-id.ts'

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Some ids, more than the counter of a millisecond can count. */
const manyIds = () => Array.from({ length: 10_000 }, newId)

test('an id is a UUIDv7 of the present time', () => {
  const before = Date.now()
  const id = newId()
  assert.match(id, uuidV7)
  assert.ok(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) >= before)
})

test('the ids of a process are different, and in the order of their creation', () => {
  const ids = manyIds()
  assert.deepEqual(ids, [...new Set(ids)].sort())
})

test('ids stay in order when the clock is set back', () => {
  const before = newId()
  mock.timers.enable({ apis: ['Date'], now: Date.now() - 60_000 })
  try {
    const ids = manyIds()
    assert.deepEqual([before, ...ids], [before, ...ids].sort())
  } finally {
    mock.timers.reset()
  }
})
