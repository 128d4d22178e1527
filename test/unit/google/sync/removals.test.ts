import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemovals } from '../../../../src/google/sync/members.ts'

test('removals are kept by group, up to a bound', () => {
  const removals = createRemovals(2)
  assert.deepEqual(
    ['ann', 'bob', 'cat'].map((id) => removals.add('press', id, false)),
    [true, true, false],
  )
  assert.deepEqual([...removals.groups], [['press', { userIds: ['ann', 'bob'], hasEveryone: false }]])
})
