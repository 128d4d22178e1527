import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { test } from 'node:test'
import { createNameLookup } from '../../../src/delivery/endpoint/name-lookup.ts'
import { settle } from './support/scheduling.ts'

const addresses: LookupAddress[] = [{ address: '192.0.2.1', family: 4 }]

const errorWith = (code: string) => Object.assign(new Error(`${code} of the test`), { code })
const noSuchName = errorWith('ENOTFOUND')
const noResponse = errorWith('ETIMEOUT')

/** Lookups of names for which the DNS and the system respond when the test says so. */
function setUp() {
  const pending = new Map<string, (error: Error | null) => void>()
  const started: string[] = []
  let now = 0
  const begin = (question: string, end: (error: Error | null) => void) => {
    started.push(question)
    pending.set(question, end)
  }
  const queryDns = (hostname: string) =>
    new Promise<LookupAddress[]>((resolve, reject) => {
      begin(`dns ${hostname}`, (error) => (error ? reject(error) : resolve(addresses)))
    })
  const system: LookupFunction = (hostname, _options, callback) => {
    begin(`system ${hostname}`, (error) => callback(error, error ? '' : addresses))
  }
  const lookup = createNameLookup({ queryDns, system, now: () => now })
  const ask = (hostname: string) =>
    new Promise<string | LookupAddress[]>((resolve, reject) => {
      lookup(hostname, { all: true }, (error, found) => (error ? reject(error) : resolve(found)))
    })
  const respond = async (question: string, error: Error | null = null) => {
    await settle()
    const end = pending.get(question)
    assert(end, `${question} has not been asked`)
    pending.delete(question)
    end(error)
    await settle()
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { ask, respond, started, running: () => [...pending.keys()], pass }
}

test('connections to a name share a lookup, and use its addresses for five seconds', async () => {
  const { ask, respond, started, pass } = setUp()
  const both = Promise.all([ask('a.example'), ask('a.example')])
  await respond('dns a.example')
  assert.deepEqual(await both, [addresses, addresses])
  pass(4_999)
  assert.deepEqual(await ask('a.example'), addresses)
  assert.deepEqual(started, ['dns a.example'])
  pass(1)
  const again = ask('a.example')
  await respond('dns a.example')
  await again
  assert.deepEqual(started, ['dns a.example', 'dns a.example'])
})

test('a lookup that failed is repeated at once', async () => {
  const { ask, respond } = setUp()
  const failed = assert.rejects(ask('a.example'), noSuchName)
  await respond('dns a.example', noSuchName)
  await respond('system a.example', noSuchName)
  await failed
  const again = ask('a.example')
  await respond('dns a.example')
  assert.deepEqual(await again, addresses)
})

test('names whose name servers do not respond do not delay others, however many there are', async () => {
  const { ask, respond } = setUp()
  const silent = Array.from({ length: 1_000 }, (_, n) => ask(`silent${n}.example`))
  const another = ask('a.example')
  await respond('dns a.example')
  assert.deepEqual(await another, addresses)
  for (const one of silent) one.catch(() => {})
})

for (const name of ['localhost', 'receiver.localhost', 'receiver']) {
  test(`the DNS is not asked for ${name}`, async () => {
    const { ask, respond, started } = setUp()
    const found = ask(name)
    await respond(`system ${name}`)
    await found
    assert.deepEqual(started, [`system ${name}`])
  })
}

test('the system is asked for a name that the DNS does not know, and asked first from then on', async () => {
  const { ask, respond, started, pass } = setUp()
  const first = ask('a.internal')
  await respond('dns a.internal', noSuchName)
  await respond('system a.internal')
  assert.deepEqual(await first, addresses)
  pass(5_000)
  const second = ask('a.internal')
  await respond('system a.internal')
  await second
  assert.deepEqual(started, ['dns a.internal', 'system a.internal', 'system a.internal'])
})

test('the DNS is asked again when the system no longer finds the name', async () => {
  const { ask, respond, started, pass } = setUp()
  const first = ask('a.internal')
  await respond('dns a.internal', noSuchName)
  await respond('system a.internal')
  await first
  pass(5_000)
  const second = assert.rejects(ask('a.internal'))
  await respond('system a.internal', noSuchName)
  await second
  const third = ask('a.internal')
  await respond('dns a.internal')
  await third
  assert.equal(started.at(-1), 'dns a.internal')
})

test('the system looks up two names at a time', async () => {
  const { ask, respond, running } = setUp()
  const all = Promise.all(['a', 'b', 'c'].map(ask))
  await settle()
  assert.deepEqual(running(), ['system a', 'system b'])
  for (const name of ['a', 'b', 'c']) await respond(`system ${name}`)
  await all
})

test('of names without a response of the DNS the system looks up one at a time; the others fail', async () => {
  const { ask, respond, running } = setUp()
  const first = ask('a.example')
  await respond('dns a.example', noResponse)
  const second = assert.rejects(ask('b.example'), {
    code: 'ETIMEOUT',
    message: /name servers of b.example do not respond/,
  })
  await respond('dns b.example', noResponse)
  await second
  const quick = Promise.all([ask('c'), ask('d')])
  await settle()
  assert.deepEqual(running(), ['system a.example', 'system c', 'system d'])
  for (const name of ['a.example', 'c', 'd']) await respond(`system ${name}`)
  assert.deepEqual(await first, addresses)
  await quick
})

test('a name that was slow does not occupy what quick names use, also if it was not found', async () => {
  const { ask, respond, running, pass } = setUp()
  const first = assert.rejects(ask('slow'))
  await settle()
  pass(1_001)
  await respond('system slow', noSuchName)
  await first
  const all = Promise.all(['slow', 'a', 'b'].map(ask))
  await settle()
  assert.deepEqual(running(), ['system slow', 'system a', 'system b'])
  for (const name of ['slow', 'a', 'b']) await respond(`system ${name}`)
  await all
})
