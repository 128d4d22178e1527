import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { names } from '../../guarantees/support/idp.ts'
import { openTestDatabase, startTestService } from '../../support/service.ts'

/** Prevents databases from growing, as on a full disk, by SQLite's own limit, which reports the same error. */
function limitGrowth(databases: readonly DatabaseSync[], isLimited: boolean): void {
  for (const db of databases) db.exec(`pragma max_page_count = ${isLimited ? 1 : 1_000_000}`)
}

test('/readyz reports a file that accepts no writes before anybody has written', async (t) => {
  await using database = await openTestDatabase('sqlite')
  const databases: DatabaseSync[] = []
  const exec = DatabaseSync.prototype.exec
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (!databases.includes(this)) databases.push(this)
    return exec.call(this, sql)
  })
  await using service = await startTestService(database)
  const directory = await service.createDirectory()
  for (const db of databases) db.exec('pragma query_only = on')
  assert.equal((await service.request('GET', '/readyz')).status, 503)
  assert.equal((await service.scim(directory, 'POST', '/Users', { userName: 'bjensen' })).status, 503)
  for (const db of databases) db.exec('pragma query_only = off')
  assert.equal((await service.request('GET', '/readyz')).status, 200)
})

test('while the disk is full, writes return 503 with Retry-After, reads work, and /readyz reports it', async (t) => {
  await using database = await openTestDatabase('sqlite')
  const databases: DatabaseSync[] = []
  const exec = DatabaseSync.prototype.exec
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (!databases.includes(this)) databases.push(this)
    return exec.call(this, sql)
  })
  await using service = await startTestService(database)
  const directory = await service.createDirectory()
  const create = (userName: string) =>
    service.scim(directory, 'POST', '/Users', { userName, title: 'x'.repeat(20_000) })
  const { body } = await create('bjensen')
  assert.equal((await service.request('GET', '/readyz')).status, 200)

  limitGrowth(databases, true)
  const refused = await Promise.all(names('user', 50).map(create))
  const described = refused.map(({ status, headers }) => [status, headers['retry-after']])
  assert.deepEqual(
    described,
    refused.map(() => [503, '5']),
  )
  const readiness = await service.request('GET', '/readyz')
  assert.deepEqual([readiness.status, readiness.headers['retry-after']], [503, '5'])
  assert.equal((await service.scim(directory, 'GET', `/Users/${body.id}`)).status, 200)
  assert.equal((await service.request('GET', '/healthz')).status, 200)

  limitGrowth(databases, false)
  assert.equal((await service.request('GET', '/readyz')).status, 200)
  assert.deepEqual(
    (await Promise.all(names('user', 50).map(create))).map(({ status }) => status),
    refused.map(() => 201),
  )
})
