import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { test } from 'node:test'
import type { Lookup } from '../../../src/delivery/endpoint/egress.ts'
import { limitLookups } from '../../../src/delivery/endpoint/limited-lookup.ts'
import { settle } from './support/scheduling.ts'

/** Lookups of names whose name servers respond when the test says so. */
function setUp() {
  const running = new Map<string, (error: Error | null) => void>()
  const started: string[] = []
  let now = 0
  const slowLookup: Lookup = (hostname, _options, callback) => {
    started.push(hostname)
    running.set(hostname, (error) => callback(error, error ? '' : [{ address: '192.0.2.1', family: 4 }]))
  }
  const lookup = limitLookups(slowLookup, () => now)
  const ask = (hostname: string) =>
    new Promise<string | LookupAddress[]>((resolve, reject) => {
      lookup(hostname, { all: true }, (error, found) => (error ? reject(error) : resolve(found)))
    })
  const respond = async (hostname: string, { afterMs = 0, error = null as Error | null } = {}) => {
    await settle()
    now += afterMs
    running.get(hostname)?.(error)
    running.delete(hostname)
    await settle()
  }
  return { ask, respond, started, running, pass: (ms: number) => (now += ms) }
}

test('connections to a name share a lookup, and use its addresses for five seconds', async () => {
  const { ask, respond, started, pass } = setUp()
  const both = Promise.all([ask('a'), ask('a')])
  await respond('a')
  const addresses = [{ address: '192.0.2.1', family: 4 }]
  assert.deepEqual(await both, [addresses, addresses])
  pass(4_999)
  assert.deepEqual(await ask('a'), addresses)
  assert.deepEqual(started, ['a'])
  pass(1)
  const again = ask('a')
  await respond('a')
  await again
  assert.deepEqual(started, ['a', 'a'])
})

test('a lookup that failed is repeated at once', async () => {
  const { ask, respond, started } = setUp()
  const failed = assert.rejects(ask('a'), /no such name/)
  await respond('a', { error: new Error('no such name') })
  await failed
  const again = ask('a')
  await respond('a')
  await again
  assert.deepEqual(started, ['a', 'a'])
})

test('two names are looked up at a time, and one of those that were slow, which do not delay others', async () => {
  const { ask, respond, running, pass } = setUp()
  const slow = ['s1', 's2', 's3']
  const first = Promise.all(slow.map(ask))
  await settle()
  assert.deepEqual([...running.keys()], ['s1', 's2'])
  for (const name of slow) await respond(name, { afterMs: 1_001 })
  await first
  pass(5_000)
  const second = Promise.all([...slow, 'a', 'b', 'c'].map(ask))
  await settle()
  assert.deepEqual([...running.keys()], ['s1', 'a', 'b'])
  for (const name of ['a', 'b', 'c', ...slow]) await respond(name)
  await second
})
