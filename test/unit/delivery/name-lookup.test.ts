import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createHostsFile } from '../../../src/delivery/endpoint/hosts-file.ts'
import { createNameLookup } from '../../../src/delivery/endpoint/name-lookup.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { settle } from './support/scheduling.ts'

const addresses: LookupAddress[] = [{ address: '192.0.2.1', family: 4 }]
const listed: LookupAddress[] = [{ address: '192.0.2.2', family: 4 }]

const errorWith = (code: string) => Object.assign(new Error(`${code} of the test`), { code })
const noSuchName = errorWith('ENOTFOUND')

/**
 * Lookups of names for which the test controls the responses of the DNS and of the system; `listed.example` is in the
 * hosts file.
 */
function setUp() {
  const pending = new Map<string, (error: Error | null) => void>()
  const started: string[] = []
  const { clock: now, schedule, advance } = createManualTime()
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
  const hostsFile = async (hostname: string) => (hostname === 'listed.example' ? listed : [])
  const lookup = createNameLookup({ queryDns, hostsFile, system, schedule, now })
  const ask = (hostname: string, ...tenants: string[]) =>
    new Promise<string | LookupAddress[]>((resolve, reject) => {
      lookup(hostname, { all: true, tenants }, (error, found) => (error ? reject(error) : resolve(found)))
    })
  const respond = async (question: string, error: Error | null = null) => {
    await settle()
    const end = pending.get(question)
    assert(end, `${question} has not been asked`)
    pending.delete(question)
    end(error)
    await settle()
  }
  const running = async () => {
    await settle()
    return [...pending.keys()]
  }
  return { ask, respond, started, running, pass: advance }
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
  await failed
  const again = ask('a.example')
  await respond('dns a.example')
  assert.deepEqual(await again, addresses)
})

test('any number of names whose name servers do not respond do not delay others', async () => {
  const { ask, respond } = setUp()
  const silent = Array.from({ length: 1_000 }, (_, n) => ask(`silent${n}.example`))
  const others = Promise.all([ask('a.example'), ask('short', 'acme')])
  await respond('dns a.example')
  await respond('system short')
  assert.deepEqual(await others, [addresses, addresses])
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

for (const code of ['ENOTFOUND', 'ENODATA', 'ETIMEOUT', 'ESERVFAIL', 'ECONNREFUSED']) {
  test(`the system is never asked for a name with a dot: the DNS answers ${code}`, async () => {
    const { ask, respond, started } = setUp()
    const failed = assert.rejects(ask('a.example', 'acme'), { code })
    await respond('dns a.example', errorWith(code))
    await failed
    assert.deepEqual(started, ['dns a.example'])
  })
}

test('a name with a dot that is in the hosts file has those addresses, and the DNS is not asked', async () => {
  const { ask, started } = setUp()
  assert.deepEqual(await ask('listed.example'), listed)
  assert.deepEqual(started, [])
})

test('a tenant whose names hang the system occupies one of three places', async () => {
  const { ask, respond, running } = setUp()
  const hanging = Array.from({ length: 6 }, (_, n) => ask(`hangs${n}`, 'hostile'))
  const others = Promise.all([ask('a', 'acme'), ask('b', 'cobalt')])
  assert.deepEqual(await running(), ['system hangs0', 'system a', 'system b'])
  await respond('system a')
  await respond('system b')
  assert.deepEqual(await others, [addresses, addresses])
  assert.deepEqual(await running(), ['system hangs0'])
  for (const one of hanging) one.catch(() => {})
})

test('a name that waits for a place fails after five seconds, and is looked up when there is one', async () => {
  const { ask, respond, running, pass } = setUp()
  const hanging = ['x', 'y', 'z'].map((tenant) => ask(`hangs-${tenant}`, tenant))
  const late = assert.rejects(ask('a', 'acme'), { code: 'ETIMEOUT', message: /^a was not looked up within 5000 ms/ })
  pass(5_000)
  await late
  const again = ask('a', 'acme')
  assert.equal((await running()).includes('system a'), false)
  await respond('system hangs-x')
  await respond('system a')
  assert.deepEqual(await again, addresses)
  for (const one of hanging) one.catch(() => {})
})

test('a name that two tenants wait for starts in the place of either', async () => {
  const { ask, respond } = setUp()
  const hanging = ask('hangs', 'hostile')
  const both = [ask('shared', 'hostile'), ask('shared', 'acme')]
  await respond('system shared')
  assert.deepEqual(await Promise.all(both), [addresses, addresses])
  hanging.catch(() => {})
})

test('the hosts file is read again when it has changed, and may be missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-hosts-'))
  const file = join(folder, 'hosts')
  const find = createHostsFile(file)
  assert.deepEqual(await find('a.example'), [])
  const text = '# a comment\n192.0.2.3  A.example b.example # names\r\n2001:db8::1\tb.example\nnonsense c.example\n'
  await writeFile(file, text)
  assert.deepEqual(await find('a.example.'), [{ address: '192.0.2.3', family: 4 }])
  assert.deepEqual(
    (await find('B.example')).map(({ address }) => address),
    ['192.0.2.3', '2001:db8::1'],
  )
  assert.deepEqual(await find('c.example'), [])
  await writeFile(file, '192.0.2.4 a.example')
  await utimes(file, 1, 1)
  assert.deepEqual(await find('a.example'), [{ address: '192.0.2.4', family: 4 }])
  await rm(folder, { recursive: true })
  assert.deepEqual(await find('a.example'), [])
})
