import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import type { TestSettings } from '../../support/service.ts'
import { openTestDatabase, startTestService } from '../../support/service.ts'
import {
  adminPrefix,
  adminSettings,
  claims,
  events,
  headerOf,
  login,
  newAddress,
  rootToken,
  tryLogin,
} from './support/admin.ts'

const wrong = { authorization: `token=${rootToken.slice(1)}` }
const attempts = 10

const open = (settings: TestSettings = {}) => startTestService('sqlite', { ...adminSettings, ...settings })

function assertLimited(response: Answer): void {
  assertApiError(response, 429)
  const seconds = Number(response.headers['retry-after'])
  assert(Number.isInteger(seconds) && seconds > 0 && seconds <= 900, `Retry-After: ${seconds}`)
}

/** Fails as often as an address may, from the address that the function returns. */
async function failOften(service: Awaited<ReturnType<typeof open>>, addressOf: (attempt: number) => string) {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    assertApiError(await tryLogin(service, { ...wrong, address: addressOf(attempt) }), 401)
  }
}

test('failures of an address that has failed often are too many; the right tokens are accepted from everywhere', async () => {
  await using service = await open()
  const address = newAddress()
  await failOften(service, () => address)
  assertLimited(await tryLogin(service, { ...wrong, address }))
  for (const from of [address, newAddress()]) assert.equal((await tryLogin(service, { address: from })).status, 200)
})

test('guessing the root token in the header of a request is limited as well', async () => {
  await using service = await open()
  const { adminToken, header, bearer } = await login(service)
  const address = newAddress()
  const ask = (authorization: string, from = address) =>
    service.request('GET', `${adminPrefix}/user/me`, { headers: { authorization, 'x-forwarded-for': from } })
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    assertApiError(await ask(headerOf(adminToken).replace(rootToken, `guess-${attempt}-of-the-root-token`)), 401)
  }
  assertLimited(await ask(headerOf(adminToken).replace(rootToken, 'another-guess-of-the-root-token')))
  assertLimited(await tryLogin(service, { ...wrong, address }))
  for (const right of [bearer, header]) assert.equal((await ask(right)).status, 200)
})

test('attempts that the rate limit rejects are counted in the audit trail', async () => {
  await using database = await openTestDatabase('sqlite')
  const service = await startTestService(database, adminSettings)
  const address = newAddress()
  await failOften(service, () => address)
  for (let attempt = 0; attempt < 3; attempt += 1) assertLimited(await tryLogin(service, { ...wrong, address }))
  // counted attempts are audited once a minute and at shutdown
  await service[Symbol.asyncDispose]()
  await using again = await startTestService(database, adminSettings)
  const found = await events(await login(again), { action: 'admin.login_failed', pageLimit: '1' })
  assert.deepEqual(found[0]?.changes, {
    reason: { from: null, to: 'too many attempts' },
    attempts: { from: null, to: 3 },
  })
})

test('forged X-Forwarded-For headers count as one address', async () => {
  await using service = await open({ TRUST_PROXY: '' })
  await failOften(service, newAddress)
  assertLimited(await tryLogin(service, { ...wrong, address: newAddress() }))
})

for (const TRUST_PROXY of ['127.0.0.1', '127.0.0.0/8', '10.0.0.0/8, 127.0.0.1/32', '1']) {
  test(`behind a proxy trusted by TRUST_PROXY=${TRUST_PROXY}, only the address it added counts`, async () => {
    await using service = await open({ TRUST_PROXY })
    const address = newAddress()
    await failOften(service, () => `${newAddress()}, ${address}`)
    assertLimited(await tryLogin(service, { ...wrong, address: `${newAddress()}, ${address}` }))
    assertApiError(await tryLogin(service, { ...wrong, address: `${address}, ${newAddress()}` }), 401)
  })
}

test('the headers of an untrusted proxy are ignored', async () => {
  await using service = await open({ TRUST_PROXY: '10.0.0.0/8' })
  await failOften(service, newAddress)
  assertLimited(await tryLogin(service, { ...wrong, address: newAddress() }))
})

test('the audit trail has the address that the trusted proxy sent', async () => {
  await using service = await open({ TRUST_PROXY: '2' })
  const [client, between] = [newAddress(), newAddress()]
  await tryLogin(service, { body: claims(), address: `192.0.2.66, ${client}, ${between}` })
  const [, entry] = await events(await login(service))
  assert.equal(entry?.address, client)
})
