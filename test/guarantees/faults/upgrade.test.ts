import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { digestOf, readMigrations } from '../../../src/store/migrations.ts'
import { migratePostgres } from '../../../src/store/postgres/migrate.ts'
import { serversAt } from '../../../src/store/postgres/servers.ts'
import { openTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { execute } from '../../support/postgres.ts'
import { startTestService } from '../../support/service.ts'
import { idpOf } from '../support/idp.ts'

const migrations = readMigrations('postgres')

/** Migrates the database as the next version does. */
function migrate(url: string, sql: string): Promise<void> {
  const number = migrations.length + 1
  const next = { number, name: `${number}-next.sql`, sql, digest: digestOf(sql) }
  return migratePostgres({ servers: serversAt(url, 'url'), migrations: [...migrations, next] })
}

const renamed = 'alter table directory_state rename column revision to revision_2'
const renamedForDelivery = 'alter table delivery_streams rename column lease_token to lease_token_2'

describe('postgres: a process that runs while a newer version migrates the database', () => {
  test('is refused every change from the migration on, and says that it has to be replaced', async () => {
    await using database = await openTestDatabase('postgres')
    const lines: string[] = []
    const onLog = ({ msg }: { readonly msg?: unknown }) => lines.push(String(msg))
    await using service = await startTestService(database, {}, { onLog })
    const url = database.env['DATABASE_URL'] ?? assert.fail()
    const directory = await service.createDirectory()
    const idp = idpOf(service, directory)
    const id = await idp.createUser('bjensen')
    const stored = 'select id, version from users union all select id, sequence from events order by 1'
    const before = await execute(url, stored)
    const start = lines.length
    await migrate(url, `${renamed}; ${renamedForDelivery}`)
    const responses = await Promise.all([
      idp.send('POST', '/Users', { userName: 'babs' }),
      idp.send('PUT', `/Users/${id}`, { userName: 'babs' }),
      idp.send('DELETE', `/Users/${id}`),
      idp.send('POST', '/Groups', { displayName: 'Engineering', members: [{ value: id }] }),
      service.api('PATCH', `/${directory.id}`, { name: 'renamed' }),
      service.api('DELETE', `/${directory.id}`),
    ])
    const refused = [...responses, await idp.send('GET', `/Users/${id}`), await service.request('GET', '/readyz')]
    assert.deepEqual(
      refused.map(({ status, headers }) => [status, /^\d+$/.test(String(headers['retry-after']))]),
      refused.map(() => [503, true]),
    )
    assert.match(JSON.stringify(refused.at(-1)?.body), /newer version has migrated the database/)
    assert.deepEqual(await execute(url, stored), before)
    const upgraded = 'a newer version has migrated the database: this process has to be replaced'
    const reported = lines.slice(start).filter((line) => line.includes('database'))
    assert.deepEqual(reported, [upgraded])
  })

  test('notices it without a request that changes something', async () => {
    await using database = await openTestDatabase('postgres')
    await using service = await startTestService(database)
    const url = database.env['DATABASE_URL'] ?? assert.fail()
    assert.equal((await service.request('GET', '/readyz')).status, 200)
    await migrate(url, renamedForDelivery)
    await eventually('/readyz to be 503', async () => (await service.request('GET', '/readyz')).status === 503)
  })

  test('goes on after a migration that it may write beside', async () => {
    await using database = await openTestDatabase('postgres')
    await using service = await startTestService(database)
    const url = database.env['DATABASE_URL'] ?? assert.fail()
    const directory = await service.createDirectory()
    const idp = idpOf(service, directory)
    const id = await idp.createUser('bjensen')
    await migrate(url, 'alter table users add column nickname text')
    assert.equal((await idp.send('PUT', `/Users/${id}`, { userName: 'babs' })).status, 200)
    assert.equal((await idp.send('DELETE', `/Users/${id}`)).status, 204)
    assert.equal((await service.request('GET', '/readyz')).status, 200)
  })
})
