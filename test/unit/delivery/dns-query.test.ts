import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('a name without a dot is looked up in the search domains, then as it is', async () => {
  const known = new Map([
    ['receiver.second.example', '192.0.2.2'],
    ['bare', '192.0.2.3'],
  ])
  await using server = await startNameServer((name) => known.get(name))
  await using folder = await mkdtempDisposable(join(tmpdir(), 'rollcall-dns-'))
  const configFile = join(folder.path, 'resolv.conf')
  await writeFile(configFile, 'nameserver 192.0.2.9\ndomain old.example\nsearch first.example\tsecond.example.\n')
  const query = createDnsQuery({ servers: [server.address], configFile })
  assert.deepEqual(await query('receiver'), [{ address: '192.0.2.2', family: 4 }])
  assert.deepEqual(await query('bare'), [{ address: '192.0.2.3', family: 4 }])
  await assert.rejects(query('receiver.nothing'), { code: 'ENOTFOUND' })
  assert.deepEqual(server.questions, [
    ...['receiver.first.example', 'receiver.second.example'],
    ...['bare.first.example', 'bare.second.example', 'bare', 'receiver.nothing'],
  ])
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
