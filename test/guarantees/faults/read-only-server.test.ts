import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { execute } from '../../support/postgres.ts'
import type { TestService } from '../../support/service.ts'
import { startTestService } from '../../support/service.ts'
import { idpOf } from '../support/idp.ts'

/**
 * Makes new connections read-only, or no longer. A connection keeps what it began with, like one that still leads to the old
 * primary server after a failover.
 */
function setReadOnly(url: string, isReadOnly: boolean): Promise<unknown> {
  const name = new URL(url).pathname.slice(1)
  const change = isReadOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'
  return execute(url, `begin read write; alter database ${name} ${change}; commit`)
}

/** Ends every other connection to the database, as a proxy does whose server is gone. */
function endConnections(url: string): Promise<unknown> {
  const others = 'datname = current_database() and pid <> pg_backend_pid()'
  return execute(url, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
}

/** Opens connections by reading, which also works on a read-only server. */
function read(service: TestService, directoryId: string) {
  return Promise.all(Array.from({ length: 8 }, () => service.api('GET', `/users?directoryId=${directoryId}`)))
}

const isReady = async (service: TestService) => (await service.request('GET', '/readyz')).status === 200

describe('postgres', () => {
  test('on a read-only server, writes return 503 with Retry-After, and /readyz does as well', async () => {
    await using database = await openTestDatabase('postgres')
    await using service = await startTestService(database)
    const url = database.env['DATABASE_URL'] ?? assert.fail()
    const directory = await service.createDirectory()
    const idp = idpOf(service, directory)
    const id = await idp.createUser('bjensen')
    await setReadOnly(url, true)
    await endConnections(url)
    await eventually('connections to the read-only server', async () => {
      return (await read(service, directory.id)).every(({ status }) => status === 200)
    })
    const responses = [
      await service.request('GET', '/readyz'),
      ...(await Promise.all([
        idp.send('POST', '/Users', { userName: 'babs' }),
        idp.send('PUT', `/Users/${id}`, { userName: 'babs' }),
        idp.send('DELETE', `/Users/${id}`),
        idp.send('POST', '/Groups', { displayName: 'Engineering', members: [{ value: id }] }),
        service.api('PATCH', `/${directory.id}`, { name: 'renamed' }),
      ])),
    ]
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, /^\d+$/.test(String(headers['retry-after']))]),
      responses.map(() => [503, true]),
    )
  })

  test('every process writes again at the second attempt when its server accepts writes again', async () => {
    await using database = await openTestDatabase('postgres')
    await using one = await startTestService(database)
    await using other = await startTestService(database)
    const url = database.env['DATABASE_URL'] ?? assert.fail()
    const directory = await one.createDirectory()
    const processes = [one, other].map((service, n) => ({
      service,
      idp: idpOf(service, directory),
      userName: `ann ${n}`,
    }))
    await setReadOnly(url, true)
    await endConnections(url)
    for (const { service, idp, userName } of processes) {
      await eventually('/readyz to be 503', async () => !(await isReady(service)))
      assert.equal((await idp.send('POST', '/Users', { userName })).status, 503)
      // Read-only connections, which nothing but a write finds out about.
      await read(service, directory.id)
    }
    await setReadOnly(url, false)
    for (const { service, idp, userName } of processes) {
      const first = await idp.send('POST', '/Users', { userName })
      const { status } = first.status === 503 ? await idp.send('POST', '/Users', { userName }) : first
      assert.equal(status, 201)
      await eventually('/readyz to be 200', () => isReady(service))
    }
  })

  test('a service that starts while the server is read-only waits for it', async () => {
    await using database = await openTestDatabase('postgres')
    const url = database.env['DATABASE_URL'] ?? assert.fail()
    await setReadOnly(url, true)
    const lines: string[] = []
    const starting = startTestService(database, {}, { onLog: ({ msg }) => lines.push(String(msg)) })
    await eventually('the service to wait', () => lines.some((line) => line.includes('waiting for it, for ')))
    await setReadOnly(url, false)
    await using service = await starting
    await idpOf(service, await service.createDirectory()).createUser('bjensen')
  })
})
