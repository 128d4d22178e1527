import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../support/database.ts'
import { eventually, poll } from '../../support/eventually.ts'
import type { TestIssuer } from '../../support/issuer.ts'
import { claimsAt, federated, newIssuerKey, startIssuer } from '../../support/issuer.ts'
import { startServiceProcess } from '../../support/service.ts'
import { createSteppedClock } from '../../support/shifted-clock.ts'
import { adminPrefix, adminSettings, login } from '../admin/support/admin.ts'
import { createClient, presentAssertion, requestToken, scimWith, tokenOf } from './support/clients.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The service in a process whose clock the test sets, with an issuer. */
async function startStepped() {
  const stack = new AsyncDisposableStack()
  try {
    const clock = stack.use(await createSteppedClock())
    const database = stack.use(await openTestDatabase('sqlite'))
    const issuer = stack.use(await startIssuer())
    const settings = { ...adminSettings, ...clock.env }
    const service = stack.use(await startServiceProcess(database, settings))
    const directory = await service.createDirectory()
    const parts = { service, issuer, directory, step: (aheadMs: number) => clock.step(service.pid, aheadMs) }
    const moved = stack.move()
    return { ...parts, [Symbol.asyncDispose]: () => moved.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

/** An assertion that was issued so much later. */
const signAt = (issuer: TestIssuer, aheadMs: number, key = issuer.keys[0]) =>
  issuer.sign(claimsAt(Date.now() + aheadMs, issuer.issuer), key)

test('no request fails while the issuer replaces its keys in the middle of a sync, and is then down for an hour', async () => {
  await using stepped = await startStepped()
  const { service, issuer, directory, step } = stepped
  await createClient(service, directory, federated(issuer))
  const signIn = async (aheadMs: number) => {
    const answer = await presentAssertion(service, await signAt(issuer, aheadMs))
    return answer.status === 200 ? answer.body.access_token : undefined
  }
  let created = 0
  const provision = async (token: string | undefined) => {
    created += 1
    const body = { userName: `user-${created}` }
    const { status, text } = await scimWith(service, directory, token ?? '', 'POST', '/Users', body)
    assert.equal(status, 201, text)
  }
  const first = await signIn(0)
  await provision(first)

  issuer.keys = [await newIssuerKey('key-2')]
  step(2 * minute)
  const second = await poll(
    () => signIn(2 * minute),
    isDefined,
    () => 'a token for an assertion with the new key',
  )
  await provision(first)
  await provision(second)

  await issuer.close()
  step(hour + 3 * minute)
  await eventually('the token to expire', async () => (await scimWith(service, directory, second ?? '')).status === 401)
  const expired = await scimWith(service, directory, first ?? '')
  assert.match(String(expired.headers['www-authenticate']), /error="invalid_token", error_description=".*expired/)
  await provision(await signIn(hour + 3 * minute))
})

test('tokens outlive the key that signed them, and a secret ends after its days, with a warning before', async () => {
  await using stepped = await startStepped()
  const { service, directory, step } = stepped
  const client = await createClient(service, directory, { type: 'secret', expires_in_days: 365 })
  const before = await tokenOf(service, client)
  const { header: authorization } = await login(service)
  const rotated = await service.request('POST', `${adminPrefix}/rotate-keys`, { headers: { authorization } })
  assert.equal(rotated.status, 200, rotated.text)
  step(4 * minute)
  const keyOf = (token: string) => token.split('.')[0]
  const isNew = (token: string) => keyOf(token) !== keyOf(before)
  const after = await poll(
    () => tokenOf(service, client),
    isNew,
    () => 'a token of the new key',
  )
  for (const token of [before, after]) assert.equal((await scimWith(service, directory, token)).status, 200)

  const health = async () => (await service.api('GET', `/${directory.id}/health`)).text
  assert(!(await health()).includes('credential-expiring'))
  step(336 * day)
  await eventually('the warning', async () => (await health()).includes('credential-expiring'))
  await tokenOf(service, client)
  step(365 * day + hour)
  const { client_id, client_secret = '' } = client
  const request = () => requestToken(service, { client_id, client_secret })
  const refused = await poll(
    request,
    ({ status }) => status === 401,
    () => 'the secret to expire',
  )
  const { error, error_description } = refused.body
  assert.deepEqual([error, error_description], ['invalid_client', 'The secret of this client has expired.'])
  assert.match(await health(), /secret of the OAuth client `.*` has expired/)
})

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined
}
