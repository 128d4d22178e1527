import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSettings } from '../../../src/app/settings.ts'
import { createOpenStreams } from '../../../src/delivery/feed/stream-limits.ts'

const settings = readSettings({ API_KEYS: 'a'.repeat(32) })
const defaults = {
  total: settings.FEED_MAX_STREAMS,
  perCaller: settings.FEED_MAX_STREAMS_PER_KEY,
  perTenant: settings.FEED_MAX_STREAMS_PER_TENANT,
}

function openStreams(limits = defaults) {
  const streams = createOpenStreams(limits)
  /** Returns whether the stream was opened. */
  return function open(key: string, tenant: string): boolean {
    let stream: ReturnType<typeof streams.add> | undefined
    try {
      stream = streams.add(key)
      stream.addTenant(tenant)
      return true
    } catch {
      stream?.remove()
      return false
    }
  }
}

/** Opens as many streams as possible, for the tenants in turn; returns the number. */
function openAll(open: ReturnType<typeof openStreams>, key: string, tenantOf: (n: number) => string): number {
  let [opened, misses] = [0, 0]
  for (let n = 0; misses < 20; n += 1) {
    if (open(key, tenantOf(n))) [opened, misses] = [opened + 1, 0]
    else misses += 1
  }
  return opened
}

test('one API key leaves more than half of the streams to others', () => {
  const open = openStreams()
  assert.equal(
    openAll(open, 'greedy', (n) => `tenant-${n % 50}`),
    200,
  )
  assert.equal(
    openAll(open, 'other', (n) => `tenant-${n % 50}`),
    200,
  )
})

test('nineteen API keys that open as many streams as they can, in any order, leave some to a twentieth', () => {
  const opens = fc.array(fc.tuple(fc.nat(18), fc.nat(60)), { minLength: 700, maxLength: 1_500 })
  fc.assert(
    fc.property(opens, (all) => {
      const open = openStreams()
      for (const [key, tenant] of all) open(`key-${key}`, `tenant-${tenant}`)
      for (let key = 0; key < 19; key += 1) openAll(open, `key-${key}`, (n) => `tenant-${n % 61}`)
      assert.ok(open('late', 'late'))
    }),
    { numRuns: 30 },
  )
})

test('one tenant with many API keys leaves streams to the others', () => {
  const open = openStreams()
  let opened = 0
  for (let key = 0; key < 100; key += 1) opened += openAll(open, `key-${key}`, () => 'greedy')
  assert.equal(opened, 50)
  assert.ok(open('key-0', 'other'))
})

test('ten tenants with keys of their own leave streams to an eleventh', () => {
  const open = openStreams()
  for (let tenant = 0; tenant < 10; tenant += 1) openAll(open, `key-${tenant}`, () => `tenant-${tenant}`)
  assert.equal(
    openAll(open, 'late', () => 'late'),
    5,
  )
})

test('without limits, streams are not counted against each other', () => {
  const open = openStreams({ total: 0, perCaller: 0, perTenant: 0 })
  for (let n = 0; n < 1_000; n += 1) assert.ok(open('key', 'tenant'))
})
