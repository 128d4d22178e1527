import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { describe, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Servers } from '../../src/store/postgres/servers.ts'
import { serversAt } from '../../src/store/postgres/servers.ts'
import { startNetwork } from '../guarantees/support/network.ts'
import { startPostgres } from '../support/postgres.ts'
import { forSuite } from '../support/service.ts'

/** The URL of a database with other hosts, and parameters. */
function urlWith(url: string, hosts: readonly string[], query: string): string {
  const { username, password, pathname } = new URL(url)
  return `postgres://${username}:${password}@${hosts.join(',')}${pathname}?${query}`
}

const hostOf = (url: string) => new URL(url).host

/** A port on which nothing listens. */
const nowhere = '127.0.0.1:1'

/** Connects and returns the port of the host that was chosen. */
async function portOf(servers: Servers): Promise<number> {
  const client = await servers.connect()
  await client.query('select 1')
  await client.end()
  return client.port
}

/** Makes the server claim to be a standby, in its answer to the check of `target_session_attrs`. */
function asStandby(data: Buffer): Buffer {
  const no = Buffer.from([0, 2, 0, 0, 0, 1, 0x66, 0, 0, 0, 1, 0x66])
  const index = data.indexOf(no)
  if (index !== -1) data.write('t', index + 6)
  return data
}

const certificate = (name: string) => fileURLToPath(new URL(`../support/certificates/${name}`, import.meta.url))
const authority = `sslrootcert=${encodeURIComponent(certificate('authority.pem'))}`

/** Encrypts connections to a server that does not, with a certificate for `localhost`; refuses other connections. */
async function startTls(url: string) {
  const target = new URL(url)
  const [key, cert] = ['localhost.key', 'localhost.pem'].map((name) => readFileSync(certificate(name)))
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    sockets.add(near.on('error', () => {}))
    near.once('data', (data) => {
      const sslRequest = 80_877_103
      if (data.length !== 8 || data.readInt32BE(4) !== sslRequest) {
        near.destroy()
        return
      }
      near.write('S')
      const encrypted = new TLSSocket(near, { isServer: true, key, cert })
      const far = connect(Number(target.port), target.hostname)
      sockets.add(far)
      for (const socket of [encrypted, far]) socket.on('error', () => near.destroy())
      encrypted.pipe(far).pipe(encrypted)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('postgres', () => {
  const postgres = forSuite(() => startPostgres())

  test('the first host that can be reached is used', async () => {
    const servers = serversAt(urlWith(postgres().url, [nowhere, hostOf(postgres().url)], ''), 'url')
    assert.equal(await portOf(servers), Number(new URL(postgres().url).port))
  })

  for (const target of ['read-write', 'primary']) {
    test(`with target_session_attrs=${target}, a standby is skipped`, async () => {
      await using standby = await startNetwork(postgres().url, asStandby)
      const hosts = [hostOf(standby.url), hostOf(postgres().url)]
      const servers = serversAt(urlWith(postgres().url, hosts, `target_session_attrs=${target}`), 'url')
      assert.equal(await portOf(servers), Number(new URL(postgres().url).port))
      assert.equal(standby.opened(), 1)
      assert.equal(await portOf(servers), Number(new URL(postgres().url).port))
      assert.equal(standby.opened(), 1, 'the host that worked last is tried first')
    })
  }

  test('after connections are discarded, the next host is tried first', async () => {
    await using network = await startNetwork(postgres().url)
    const servers = serversAt(urlWith(postgres().url, [hostOf(network.url), hostOf(postgres().url)], ''), 'url')
    assert.equal(await portOf(servers), Number(new URL(network.url).port))
    const generation = servers.generation()
    servers.discard(generation)
    servers.discard(generation)
    assert.equal(await portOf(servers), Number(new URL(postgres().url).port))
  })

  test('when no host can be used, the error names each one, and no password', async () => {
    await using standby = await startNetwork(postgres().url, asStandby)
    const url = urlWith(postgres().url, [nowhere, hostOf(standby.url)], 'target_session_attrs=read-write')
    await assert.rejects(serversAt(url, 'url').connect(), ({ message }: Error) => {
      assert.equal(
        message,
        `${nowhere}: connect ECONNREFUSED ${nowhere}; ${hostOf(standby.url)}: the server is a standby`,
      )
      return true
    })
  })

  test('application_name and options reach the server', async () => {
    const query = `application_name=sync&options=${encodeURIComponent('-c work_mem=1MB')}`
    const client = await serversAt(urlWith(postgres().url, [hostOf(postgres().url)], query), 'url').connect()
    const { rows } = await client.query(
      "select current_setting('application_name') as name, current_setting('work_mem') as memory",
    )
    await client.end()
    assert.deepEqual(rows, [{ name: 'sync', memory: '1MB' }])
  })

  for (const { query, host = '127.0.0.1', error } of [
    { query: 'sslmode=disable', error: /terminated unexpectedly/ },
    { query: 'sslmode=allow' },
    { query: 'sslmode=prefer' },
    { query: 'sslmode=require' },
    { query: `sslmode=require&${authority}` },
    { query: `sslmode=verify-ca&${authority}` },
    { query: `sslmode=verify-full&${authority}`, host: 'localhost' },
    { query: `sslmode=verify-full&${authority}`, error: /IP: 127\.0\.0\.1 is not in the cert's list/ },
    { query: 'sslmode=verify-full', host: 'localhost', error: /unable to verify|self-signed/ },
    {
      query: 'sslmode=verify-ca&sslrootcert=/no/such/file.pem',
      error: /\/no\/such\/file\.pem, which sslrootcert names/,
    },
  ]) {
    const shown = query.replace(/sslrootcert=.*certificates.*/, 'sslrootcert=…')
    test(`${shown} ${error === undefined ? 'connects' : 'does not connect'} with TLS to ${host}`, async () => {
      await using tls = await startTls(postgres().url)
      const servers = serversAt(urlWith(postgres().url, [`${host}:${tls.port}`], query), 'url')
      if (error === undefined) assert.equal(await portOf(servers), tls.port)
      else await assert.rejects(servers.connect(), error)
    })
  }

  for (const { mode, error } of [
    { mode: 'allow' },
    { mode: 'prefer' },
    { mode: 'require', error: /does not support SSL/ },
  ]) {
    test(`sslmode=${mode} ${error === undefined ? 'connects' : 'does not connect'} without TLS`, async () => {
      const servers = serversAt(urlWith(postgres().url, [hostOf(postgres().url)], `sslmode=${mode}`), 'url')
      if (error === undefined) await portOf(servers)
      else await assert.rejects(servers.connect(), error)
    })
  }
})
