import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createIdSet } from '../../../../src/google/sync/id-set.ts'
import { eventually } from '../../../support/eventually.ts'
import { ids } from './support/people.ts'

test('the set contains exactly the added ids, however much it grows', () => {
  const seen = createIdSet()
  const added = ids('1000000000000', 20_000)
  for (const id of added) assert(seen.add(id))
  assert(added.every((id) => seen.has(id)))
  assert(!ids('2000000000000', 20_000).some((id) => seen.has(id)))
  assert.equal(seen.size, 20_000)
})

test('adding an id twice returns false', () => {
  const seen = createIdSet()
  assert.deepEqual([seen.add('ann'), seen.add('ann'), seen.size], [true, false, 1])
})

test('an id takes about 20 bytes of memory', async () => {
  const before = usedByBuffers()
  const seen = createIdSet()
  for (let index = 0; index < 100_000; index += 1) seen.add(String(index))
  // The memory of collected buffers is given back a little later.
  await eventually('at most 30 bytes for an id', () => usedByBuffers() - before < seen.size * 30)
})

/** The bytes of all buffers after a collection. */
function usedByBuffers(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return process.memoryUsage().arrayBuffers
}
