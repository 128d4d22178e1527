import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimit } from '../../../src/http/rate-limit.ts'
import { assertScimError } from '../../support/errors.ts'
import { startTestService } from '../../support/service.ts'

test('a directory may send the requests of one second in a burst, then as many as the rate allows', () => {
  let now = 0
  const rate = createRateLimit(10, () => now)
  const take = (count: number) => Array.from({ length: count }, () => rate.take('d1')).filter((wait) => !wait).length
  assert.equal(take(15), 10)
  assert.equal(rate.take('d1'), 1)
  assert.equal(rate.take('d2'), undefined, 'another directory has its own')
  now += 500
  assert.equal(take(15), 5)
  now += 60_000
  assert.equal(take(15), 10)
})

test('a limit of 0 means unlimited', () => {
  const rate = createRateLimit(0, () => 0)
  for (let n = 0; n < 1000; n++) assert.equal(rate.take('d1'), undefined)
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
