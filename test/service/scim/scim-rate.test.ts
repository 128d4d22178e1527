import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertScimError } from '../../support/errors.ts'
import { startTestService } from '../../support/service.ts'

test('with a limit of 0 the requests of a directory are not limited', async () => {
  await using service = await startTestService('sqlite', { SCIM_RATE_LIMIT: '0' })
  const directory = await service.createDirectory()
  const responses = await Promise.all(Array.from({ length: 30 }, () => service.scim(directory, 'GET', '/Users')))
  assert(responses.every(({ status }) => status === 200))
})

test('an identity provider over its rate gets 429 with Retry-After; requests without the secret do not count', async () => {
  await using service = await startTestService('sqlite', { SCIM_RATE_LIMIT: '2' })
  const directory = await service.createDirectory()
  const wrong = { scim: { ...directory.scim, secret: 'wrong' } }
  for (let n = 0; n < 5; n++) assert.equal((await service.scim(wrong, 'GET', '/Users')).status, 401)
  const responses = await Promise.all(Array.from({ length: 8 }, () => service.scim(directory, 'GET', '/Users')))
  const limited = responses.filter(({ status }) => status === 429)
  assert(responses.some(({ status }) => status === 200))
  const [first] = limited
  assert(first)
  assertScimError(first, 429)
  assert.equal(first.headers['retry-after'], '1')
})
