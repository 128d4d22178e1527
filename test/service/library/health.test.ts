import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRollcall } from '../../../src/index.ts'
import { poll } from '../../support/eventually.ts'

test('the library observes requests, and measures until the onEvent callback has finished', async () => {
  const rollcall = await createRollcall({
    ...{ databaseUrl: 'sqlite::memory:', externalUrl: 'http://localhost:3000', deprovisionTarget: 60 },
    onEvent: () => {},
  })
  const { data: directory } = await rollcall.directories.create({ tenant: 'acme', product: 'demo' })
  const { id = '', scim } = directory ?? {}
  const call = (method: string, rest: object, apiSecret = scim?.secret) =>
    rollcall.requests.handle({ method, resourceType: 'users', directoryId: id, apiSecret, ...rest })
  assert.equal((await call('GET', {}, 'wrong')).status, 401)
  const unauthorized = (await rollcall.directories.health({ id })).data
  assert.partialDeepStrictEqual(unauthorized?.failed_authentications, { count: 1, since_last_success: 1 })
  assert.equal((await call('GET', {})).status, 200)
  const { data: user } = await call('POST', { body: { userName: 'ann' } })
  assert.equal((await call('DELETE', { resourceId: (user as { id: string }).id })).status, 204)
  const health = (await rollcall.directories.health({ id })).data
  assert.deepEqual([health?.state, health?.failed_authentications.since_last_success], ['healthy', 0])
  assert.ok(health?.behaviors.connection_tested && health.behaviors.user_deleted)
  const times = await poll(
    async () => (await rollcall.directories.deprovisioning({ id })).data,
    (found) => found?.count === 1,
    (last) => `other times: ${JSON.stringify(last)}`,
  )
  assert.partialDeepStrictEqual(times, { target_ms: 60_000, overdue: [] })
  assert.match((await rollcall.directories.health({ id: 'nobody' })).error?.message ?? '', /no such directory/)
  await rollcall.close()
})
