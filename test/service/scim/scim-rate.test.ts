import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRollcall } from '../../../src/index.ts'
import { assertScimError } from '../../support/errors.ts'
import type { TestService } from '../../support/service.ts'
import { startTestService } from '../../support/service.ts'

type Directory = Awaited<ReturnType<TestService['createDirectory']>>

/** The answers to requests of several directories, sent at once in turns. */
function requests(service: TestService, directories: readonly Directory[], count: number) {
  const sent = Array.from({ length: count }, (_, index) => directories[index % directories.length])
  return Promise.all(sent.flatMap((directory) => (directory ? [service.scim(directory, 'GET', '/Schemas')] : [])))
}

/** The number of answers with each status. */
function counted(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('with a limit of 0 the requests of a directory are not limited', async () => {
  await using service = await startTestService('sqlite', { SCIM_RATE_LIMIT: '0' })
  const directory = await service.createDirectory()
  assert.deepEqual(counted(await requests(service, [directory], 300)), { 200: 300 })
})

test('a tenant may send ten times its rate at once, over all its directories for a product, then gets 429 with Retry-After', async () => {
  await using service = await startTestService('sqlite', { SCIM_RATE_LIMIT: '25' })
  const directories = [await service.createDirectory(), await service.createDirectory()]
  const wrong = directories.map((directory) => ({ ...directory, scim: { ...directory.scim, secret: 'wrong' } }))
  assert.deepEqual(counted(await requests(service, wrong, 50)), { 401: 50 }, 'strangers use up nothing')
  const answers = await requests(service, directories, 1_000)
  const { 200: accepted = 0 } = counted(answers)
  assert(accepted >= 250, `${accepted} requests were accepted at once`)
  const limited = answers.find(({ status }) => status === 429)
  assert(limited, 'the tenant is limited at last')
  assertScimError(limited, 429)
  assert.equal(limited.headers['retry-after'], '1')
  assert.match(limited.body.detail, /tenant/)
})

test('another tenant, and another product of the tenant, have a rate of their own', async () => {
  await using service = await startTestService('sqlite', { SCIM_RATE_LIMIT: '25' })
  const busy = await service.createDirectory()
  await requests(service, [busy], 1_000)
  for (const fields of [{ tenant: 'globex' }, { product: 'billing' }]) {
    const other = await service.createDirectory(fields)
    assert.deepEqual(counted(await requests(service, [other], 200)), { 200: 200 })
  }
})

for (const { scimRateLimit, isLimited } of [
  { scimRateLimit: 25, isLimited: true },
  { scimRateLimit: 0, isLimited: false },
]) {
  test(`in the library, a scimRateLimit of ${scimRateLimit} ${isLimited ? 'limits' : 'does not limit'} the requests of a tenant`, async () => {
    const rollcall = await createRollcall({
      ...{ databaseUrl: 'sqlite::memory:', externalUrl: 'http://localhost:3000', scimRateLimit },
    })
    try {
      const { data: directory } = await rollcall.directories.create({ tenant: 'acme', product: 'crm' })
      assert(directory)
      const { endpoint = '', secret = '' } = directory.scim
      const headers = { authorization: `Bearer ${secret}` }
      const statuses = new Set<number>()
      for (let sent = 0; sent < 1_000; sent += 1) {
        const { status } = await rollcall.fetch(new Request(`${endpoint}/ServiceProviderConfig`, { headers }))
        statuses.add(status)
      }
      assert.deepEqual(statuses, new Set(isLimited ? [200, 429] : [200]))
    } finally {
      await rollcall.close()
    }
  })
}
