import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDnsQuery } from '../../../src/delivery/endpoint/dns-query.ts'
import { hangTimeoutMs } from '../../support/eventually.ts'
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

test('a hundred names that are waited for do not delay another one', async () => {
  const { promise: late, resolve: release } = Promise.withResolvers<undefined>()
  await using server = await startNameServer((name) => (name.startsWith('late') ? late : addressOf(name)))
  const query = createDnsQuery({ servers: [server.address], timeoutMs: hangTimeoutMs })
  const waiting = Promise.allSettled(Array.from({ length: 100 }, (_, n) => query(`late${n}.example`)))
  assert.deepEqual(await query('hooks.example'), [{ address: '192.0.2.1', family: 4 }])
  release(undefined)
  assert.deepEqual(new Set((await waiting).map(({ status }) => status)), new Set(['rejected']))
})

test('a name server that sends no response is waited for until the timeout', async () => {
  await using server = await startNameServer(() => silence)
  const query = createDnsQuery({ servers: [server.address], timeoutMs: 20 })
  await assert.rejects(query('hooks.example'), { code: 'ETIMEOUT' })
})
