import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
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
 * Lookups of names for which the test controls the responses of the DNS; `listed.example` is in the hosts file.
 */
function setUp() {
  const pending = new Map<string, (error: Error | null) => void>()
  const started: string[] = []
  const { clock: now, advance } = createManualTime()
  const queryDns = (hostname: string) =>
    new Promise<LookupAddress[]>((resolve, reject) => {
      started.push(hostname)
      pending.set(hostname, (error) => (error ? reject(error) : resolve(addresses)))
    })
  const hostsFile = async (hostname: string) => (hostname === 'listed.example' ? listed : [])
  const lookup = createNameLookup({ queryDns, hostsFile, now })
  const ask = (hostname: string) =>
    new Promise<string | LookupAddress[]>((resolve, reject) => {
      lookup(hostname, { all: true }, (error, found) => (error ? reject(error) : resolve(found)))
    })
  const respond = async (hostname: string, error: Error | null = null) => {
    await settle()
    const end = pending.get(hostname)
    assert(end, `${hostname} has not been asked`)
    pending.delete(hostname)
    end(error)
    await settle()
  }
  return { ask, respond, started, pass: advance }
}

test('connections to a name share a lookup, and use its addresses for five seconds', async () => {
  const { ask, respond, started, pass } = setUp()
  const both = Promise.all([ask('a.example'), ask('a.example')])
  await respond('a.example')
  assert.deepEqual(await both, [addresses, addresses])
  pass(4_999)
  assert.deepEqual(await ask('a.example'), addresses)
  assert.deepEqual(started, ['a.example'])
  pass(1)
  const again = ask('a.example')
  await respond('a.example')
  await again
  assert.deepEqual(started, ['a.example', 'a.example'])
})

test('a lookup that failed is repeated at once', async () => {
  const { ask, respond } = setUp()
  const failed = assert.rejects(ask('a.example'), noSuchName)
  await respond('a.example', noSuchName)
  await failed
  const again = ask('a.example')
  await respond('a.example')
  assert.deepEqual(await again, addresses)
})

test('any number of names whose name servers do not respond do not delay others', async () => {
  const { ask, respond } = setUp()
  const silent = Array.from({ length: 1_000 }, (_, n) => [ask(`silent${n}.example`), ask(`silent${n}`)]).flat()
  const others = Promise.all([ask('a.example'), ask('short')])
  await respond('a.example')
  await respond('short')
  assert.deepEqual(await others, [addresses, addresses])
  for (const one of silent) one.catch(() => {})
})

for (const name of ['localhost', 'receiver.localhost']) {
  test(`the DNS is not asked for ${name}`, async () => {
    const { ask, started } = setUp()
    const found = await ask(name)
    assert.deepEqual(Array.isArray(found) && found.map(({ address }) => address), ['127.0.0.1', '::1'])
    assert.deepEqual(started, [])
  })
}

test('a name that is in the hosts file has those addresses, and the DNS is not asked', async () => {
  const { ask, started } = setUp()
  assert.deepEqual(await ask('listed.example'), listed)
  assert.deepEqual(started, [])
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
