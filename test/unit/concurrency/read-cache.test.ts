import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReadCache } from '../../../src/concurrency/read-cache.ts'

function openCache() {
  let now = 0
  const cache = createReadCache<string>({ keepMs: 1_000, maxRecords: 2, clock: () => now })
  const reads: string[] = []
  const find = (key: string, record: string | undefined = key) =>
    cache.find(key, async () => {
      reads.push(key)
      return record
    })
  function advance(ms: number): void {
    now += ms
  }
  return { cache, reads, find, advance }
}

test('a record is read once while it is fresh, and again afterwards', async () => {
  const { reads, find, advance } = openCache()
  assert.deepEqual([await find('a'), await find('a', 'changed')], ['a', 'a'])
  advance(1_000)
  assert.equal(await find('a', 'changed'), 'changed')
  assert.deepEqual(reads, ['a', 'a'])
})

test('a missing record is read each time', async () => {
  const { cache } = openCache()
  let reads = 0
  const missing = async () => {
    reads += 1
    return undefined
  }
  await cache.find('a', missing)
  await cache.find('a', missing)
  assert.equal(reads, 2)
})

test('a dropped record is read again, whether it was dropped by its key or its content', async () => {
  const { cache, reads, find } = openCache()
  await find('a')
  await find('b')
  cache.forget('a')
  cache.forgetWhere((record) => record === 'b')
  await find('a')
  await find('b')
  assert.deepEqual(reads, ['a', 'b', 'a', 'b'])
})

test('the result of a read in progress is not cached after a record was dropped', async () => {
  const { cache, find } = openCache()
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = cache.find('a', () => promise)
  cache.forget('a')
  resolve('outdated')
  assert.equal(await first, 'outdated')
  assert.equal(await find('a'), 'a')
})
