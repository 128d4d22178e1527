import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDnsQuery } from '../../../src/delivery/endpoint/dns-query.ts'
import { silence, startNameServer } from './support/name-server.ts'

const addressOf = (name: string) => (name === 'hooks.example' ? '192.0.2.1' : undefined)

test('the addresses of a name are those of the name server, even without addresses of one kind', async () => {
  await using server = await startNameServer(addressOf)
  const query = createDnsQuery({ servers: [server.address] })
  assert.deepEqual(await query('hooks.example'), [{ address: '192.0.2.1', family: 4 }])
})

test('a name that does not exist has an error of its own', async () => {
  await using server = await startNameServer(addressOf)
  const query = createDnsQuery({ servers: [server.address] })
  await assert.rejects(query('nothing.example'), { code: 'ENOTFOUND' })
})

test('a hundred names without a response do not delay another one', async () => {
  await using server = await startNameServer((name) => (name.startsWith('silent') ? silence : addressOf(name)))
  const query = createDnsQuery({ servers: [server.address], timeoutMs: 300 })
  const failures = Array.from({ length: 100 }, (_, n) =>
    query(`silent${n}.example`).then(
      () => 'found',
      (error) => error.code,
    ),
  )
  const first = await Promise.race([...failures, query('hooks.example')])
  assert.deepEqual(first, [{ address: '192.0.2.1', family: 4 }])
  assert.deepEqual(new Set(await Promise.all(failures)), new Set(['ETIMEOUT']))
})
