import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, serviceForSuite, startTestService } from '../../support/service.ts'

/** A service that is reachable from other machines. */
const publicService = { EXTERNAL_URL: 'https://rollcall.example.com' }

const blockedUrls = [
  'http://127.0.0.1:8080/admin',
  'http://2130706433/',
  'http://[::1]/',
  'http://[::ffff:7f00:1]/',
  'http://localhost:5225/metrics',
  'http://10.0.0.5/',
  'https://172.16.0.1/',
  'http://192.168.1.1/',
  'http://192.88.99.1/',
  'http://100.64.0.1/',
  'http://[fd12:3456::1]/',
  'http://[64:ff9b:1:a9fe:a9:fe00::]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0.0.0.0/',
]

function problemOf({ body, status, text }: Awaited<ReturnType<TestService['api']>>) {
  assert.equal(status, 400, text)
  return body.error.problems?.map(({ field }) => field)
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine, publicService)

  for (const webhook_url of blockedUrls) {
    test(`${webhook_url} is rejected as an endpoint when it is set`, async () => {
      const fields = { tenant: 'acme', product: 'crm', webhook_url }
      assert.deepEqual(problemOf(await service().api('POST', '', fields)), ['webhook_url'])
      const directory = await service().createDirectory({ webhook_url: 'https://203.0.113.7/events' })
      assert.deepEqual(problemOf(await service().api('PATCH', `/${directory.id}`, { webhook_url })), ['webhook_url'])
      const { body } = await service().api('GET', `/${directory.id}`)
      assert.equal(body.data.webhook.endpoint, 'https://203.0.113.7/events')
    })
  }

  test('listed private addresses are accepted and receive events', async () => {
    await using receiver = await startReceiver()
    await using listing = await startTestService(engine, {
      ...publicService,
      DSYNC_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    })
    const directory = await listing.createDirectory(receiver.endpoint)
    await listing.scim(directory, 'POST', '/Users', { userName: 'a' })
    assert.equal((await receiver.firstEvents(directory.id, 1)).length, 1)
    const refused = await listing.api('PATCH', `/${directory.id}`, { webhook_url: 'http://10.0.0.5/' })
    assert.deepEqual(problemOf(refused), ['webhook_url'])
  })

  test('a service on localhost only allows loopback addresses', async () => {
    await using local = await startTestService(engine)
    await local.createDirectory({ webhook_url: 'http://localhost:3000/events' })
    const refused = await local.api('POST', '', { tenant: 'a', product: 'b', webhook_url: 'http://192.168.1.1/' })
    assert.deepEqual(problemOf(refused), ['webhook_url'])
  })

  test('an endpoint that was allowed when it was set is not sent to once it is blocked', async () => {
    await using receiver = await startReceiver()
    await using database = await openTestDatabase(engine)
    const allowing = await startTestService(database)
    const directory = await allowing.createDirectory({ ...receiver.endpoint })
    await allowing.api('PATCH', `/${directory.id}`, { log_webhook_events: true })
    await allowing.close()
    await using blocking = await startTestService(database, publicService)
    const { status } = await blocking.api('POST', `/${directory.id}/test-event`)
    await blocking.scim(directory, 'POST', '/Users', { userName: 'a' })
    await blocking.logged(({ msg }) => String(msg).includes('was not delivered'))
    assert.deepEqual([status, receiver.attempts.length, receiver.refusedSignatures()], [200, 0, 0])
  })
})
