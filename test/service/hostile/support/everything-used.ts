import assert from 'node:assert/strict'
import type { DirectoryView } from '../../../../src/directory/directory-view.ts'
import { newSecret } from '../../../../src/directory/secret.ts'
import { openState } from '../../../../src/google/authorization/state.ts'
import { adminPrefix } from '../../../../src/http/admin/routes.ts'
import type { FakeGoogle } from '../../../../tools/fake-google/server.ts'
import { settingsOf, startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { authorizationPath, cookieOf } from '../../../support/client.ts'
import { connectDirectory, syncWell } from '../../../support/extdir.ts'
import { federated, startIssuer } from '../../../support/issuer.ts'
import { startReceiver } from '../../../support/receiver.ts'
import type { Engine, TestDatabase, TestService } from '../../../support/service.ts'
import { openTestDatabase, startTestService, testApiKey } from '../../../support/service.ts'
import { createClient, presentAssertion, requestToken, scimWith, tokenOf } from '../../oauth/support/clients.ts'
import { admin, adminSettings, logIn, rootToken } from './admin.ts'
import type { Secrets } from './grep.ts'
import { rawStatus, tornRequest } from './raw-request.ts'
import { plantSecret } from './service-secret.ts'

const endpointToken = 'token-in-the-query-of-an-endpoint'
/** A different address, so that only this one is limited. */
const stranger = { 'x-forwarded-for': '203.0.113.9' }
const encryptionKey = Buffer.from(newSecret(), 'base64url').toString('base64')

/**
 * A service at `LOG_LEVEL=debug` that has received every kind of secret, valid and invalid, and the list of these
 * secrets.
 */
export async function openUsedService(engine: Engine) {
  const database = await openTestDatabase(engine)
  const keyed = { ...database, env: { ...database.env, ENCRYPTION_KEY: encryptionKey } }
  const made = await plantSecrets(keyed)
  const [google, receiver, failing] = [await startFakeGoogle(), await startReceiver(), await startReceiver()]
  failing.answerWith(500)
  const service = await startTestService(keyed, { ...settingsOf(google), ...adminSettings, LOG_LEVEL: 'debug' })
  const secrets: Secrets = {
    ...{ 'the key of the configuration': testApiKey, 'the root token': rootToken, 'the encryption key': encryptionKey },
    ...{ 'the client secret': google.clientSecret, ...made },
    ...(await useManagement(service)),
    ...(await useDirectory(service, receiver.endpoint)),
    ...(await useOAuthClients(service)),
    ...(await useFailingEndpoint(service, failing.endpoint)),
    ...(await useTokens(service, google)),
    ...(await useServiceAccount(service, google)),
    ...(await useConsent(service, google, made['authorization-state'])),
    ...(await useWrongSecrets(service)),
    ...(await usePasswords(service)),
    ...(await useTornConnections(service)),
  }
  return {
    ...{ service, secrets, database: keyed },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      for (const one of [google, receiver, failing, database]) await one[Symbol.asyncDispose]()
    },
  }
}

/** A secret that the service would generate, chosen by the test. */
async function plantSecrets(database: TestDatabase) {
  const made = {
    ...{ 'audit-chain': newSecret(), 'admin-jwt': newSecret(), 'authorization-state': newSecret() },
    'first-api-key': `rck_${newSecret()}`,
  }
  for (const name of ['audit-chain', 'admin-jwt', 'authorization-state', 'first-api-key'] as const) {
    await plantSecret(database, name, made[name])
  }
  return made
}

async function useManagement(service: TestService): Promise<Secrets> {
  const [ada, eve] = [await logIn(service), await logIn(service, 'eve@example.com')]
  const made = await admin(service, ada.threePart, 'POST', '/apikey', { name: 'used', scope: { tenant: 'acme' } })
  const { key, id } = made.body.data as unknown as { key: string; id: string }
  await service.request('GET', '/api/v1/dsync/providers', { headers: { authorization: `Api-Key ${key}` } })
  for (const header of [ada.threePart, ada.bearer]) {
    for (const path of ['/user/me', '/token', '/apikey', '/event', '/event/export', '/event/verify']) {
      assert.equal((await admin(service, header, 'GET', path)).status, 200, path)
    }
    assert.equal((await service.api('GET', '/providers', undefined, { authorization: header })).status, 200)
  }
  await admin(service, ada.bearer, 'PUT', '/user/me', { timezone: 'Europe/Berlin' })
  await admin(service, ada.bearer, 'DELETE', `/token/${eve.answer.adminToken.id}`)
  await admin(service, eve.threePart, 'GET', '/user/me')
  await admin(service, ada.bearer, 'DELETE', `/apikey/${id}`)
  await admin(service, ada.bearer, 'POST', '/rotate-keys')
  await admin(service, ada.threePart, 'POST', '/user/_logout')
  return {
    ...{ 'a managed key': key, 'an admin token': ada.answer.adminToken.token, 'a JWT': ada.answer.token },
    ...{ 'a disabled admin token': eve.answer.adminToken.token, "a dead token's JWT": eve.answer.token },
  }
}

async function useDirectory(service: TestService, endpoint: Readonly<Record<string, unknown>>): Promise<Secrets> {
  const directory = await service.createDirectory(endpoint)
  const { id } = directory
  await service.api('PATCH', `/${id}`, { log_webhook_events: true })
  await service.scim(directory, 'POST', '/Users', { userName: 'ada' })
  const rotated = (await service.api('POST', `/${id}/rotate-secret`, { grace_seconds: 600 })).body.data
  await service.scim(directory, 'GET', '/Users?count=1&cursor')
  await service.scim(rotated, 'POST', '/Bulk', { Operations: [] })
  const hooked = (await service.api('POST', `/${id}/rotate-webhook-secret`, { grace_seconds: 600 })).body.data
  await service.api('POST', `/${id}/test-event`)
  await service.api('GET', `/events?directoryId=${id}`)
  const gone = await service.createDirectory({
    webhook_url: directory.webhook.endpoint,
    webhook_secret: 'a-secret-of-an-endpoint',
  })
  await service.api('DELETE', `/${gone.id}`)
  return {
    ...{ 'a SCIM secret': directory.scim.secret, 'a rotated SCIM secret': rotated.scim.secret },
    ...{ 'a webhook secret': directory.webhook.secret, 'a rotated webhook secret': hooked.webhook.secret },
    ...{ "a deleted directory's SCIM secret": gone.scim.secret, 'its webhook secret': 'a-secret-of-an-endpoint' },
  }
}

async function useOAuthClients(service: TestService): Promise<Secrets> {
  await using issuer = await startIssuer()
  const directory = await service.createDirectory()
  const [client, gone] = [await createClient(service, directory), await createClient(service, directory)]
  const trusted = await createClient(service, directory, federated(issuer))
  const [token, endedToken] = [await tokenOf(service, client), await tokenOf(service, gone)]
  await scimWith(service, directory, token, 'POST', '/Users', { userName: 'ada' })
  await service.api('DELETE', `/${directory.id}/oauth-clients/${gone.client_id}`)
  await scimWith(service, directory, endedToken)
  const wrong = `rcs_${newSecret()}`
  const basic = { authorization: `Basic ${btoa(`${client.client_id}:${wrong}`)}` }
  assert.equal((await requestToken(service, {}, basic)).status, 401)
  const [assertion, refused] = [await issuer.sign(), await issuer.sign({ aud: 'api://x' })]
  for (const sent of [assertion, refused]) await presentAssertion(service, sent, { client_id: trusted.client_id })
  return {
    ...{ 'the secret of an OAuth client': client.client_secret ?? '', 'an access token': token },
    ...{ 'the secret of a deleted OAuth client': gone.client_secret ?? '', 'its access token': endedToken },
    ...{ 'a wrong secret of an OAuth client': wrong, 'an assertion': assertion, 'a refused assertion': refused },
  }
}

/** A failing endpoint appears in the log and in the delivery log. */
async function useFailingEndpoint(service: TestService, endpoint: { readonly webhook_url: string }): Promise<Secrets> {
  const directory = await service.createDirectory({ webhook_url: `${endpoint.webhook_url}?token=${endpointToken}` })
  await service.api('PATCH', `/${directory.id}`, { log_webhook_events: true })
  await service.scim(directory, 'POST', '/Users', { userName: 'ada' })
  await service.logged(({ msg }) => /was not delivered/.test(String(msg)), 'a failed delivery')
  return { 'the secret of an endpoint that fails': directory.webhook.secret }
}

async function useTokens(service: TestService, google: FakeGoogle): Promise<Secrets> {
  google.knobs.rotatesRefreshTokens = true
  const before = await connectDirectory(service, google)
  await syncWell(service, before)
  google.expireAccessTokens()
  await syncWell(service, before)
  const { data: after } = (await service.api('GET', `/${before.id}`)).body
  google.revokeAll()
  await service.api('POST', `/${before.id}/sync?wait=true`)
  return { ...tokensOf('given', before), ...tokensOf('renewed', after) }
}

function tokensOf(
  how: string,
  { extdir_access_token: access = '', extdir_refresh_token: refresh = '' }: DirectoryView,
): Secrets {
  return { [`an access token that was ${how}`]: access, [`a refresh token that was ${how}`]: refresh }
}

async function useServiceAccount(service: TestService, google: FakeGoogle): Promise<Secrets> {
  const account = google.registerServiceAccount()
  const fields = { extdir_service_account: account, extdir_subject: google.adminEmail }
  await syncWell(service, await service.createDirectory({ type: 'extdir', ...fields }))
  const broken = { ...account, client_email: 'nobody@example.com' }
  const refused = await service.createDirectory({ type: 'extdir', ...fields, extdir_service_account: broken })
  await service.api('POST', `/${refused.id}/sync?wait=true`)
  const lines = account.private_key.split('\n').filter((line) => line.length === 64)
  assert(lines.length > 10)
  return Object.fromEntries(lines.map((line, number) => [`line ${number + 2} of a private key`, line]))
}

/** An administrator consents in the browser. */
async function useConsent(service: TestService, google: FakeGoogle, stateKey: string): Promise<Secrets> {
  const directory = await service.createDirectory({ type: 'extdir' })
  const { id } = directory
  const begun = await service.request('GET', authorizationPath(directory))
  const state = new URL(String(begun.headers['location'])).searchParams.get('state') ?? ''
  const consented = await fetch(String(begun.headers['location']), { redirect: 'manual' })
  const back = new URL(consented.headers.get('location') ?? '')
  for (const expected of [200, 400]) {
    const page = await service.request('GET', back.pathname + back.search, { headers: cookieOf(begun) })
    assert.equal(page.status, expected, page.text)
  }
  const { codeVerifier } = await openState(state, stateKey, Date.now())
  const { data } = (await service.api('GET', `/${id}`)).body
  google.revokeAll()
  return {
    ...{
      'a state': state,
      'an authorization link': authorizationPath(directory).split('=')[1] ?? '',
      'a PKCE verifier': codeVerifier,
      'a code': back.searchParams.get('code') ?? '',
    },
    ...tokensOf('consented to', data),
  }
}

/** Secrets that are almost valid, or valid elsewhere, must not be readable either. */
async function useWrongSecrets(service: TestService): Promise<Secrets> {
  const guesses = { 'a guess': 'guessed-secret-of-somebody', 'a guess of another': `${newSecret()}` }
  const directory = await service.createDirectory()
  for (const guess of Object.values(guesses)) {
    for (const authorization of [
      `Api-Key ${guess}`,
      `Bearer ${guess}`,
      `token=${guess}`,
      `id=x token=${guess} admin_token=${guess}`,
      guess,
    ]) {
      await service.api('GET', '/providers', undefined, { authorization, ...stranger })
      await service.request('GET', `${adminPrefix}/user/me`, { headers: { authorization, ...stranger } })
      await service.request('POST', `${adminPrefix}/user/_login`, {
        headers: { authorization, ...stranger },
        body: { claims: { upstreamToken: guess, email: guess } },
      })
      await service.scim(directory, 'GET', '/Users', undefined, { authorization })
    }
    for (const path of [
      `/api/v1/dsync/${guess}x`,
      `/api/v1/dsync/users?tenant=${guess}&api_key=${guess}`,
      `/${guess}/%E0%A4%A`,
      `/api/scim/v2.0/${guess}/Users`,
      `/api/scim/v2.0/${directory.id}/Users/${guess}`,
    ]) {
      await service.api('GET', path)
    }
    for (const head of ['GET / HTTP/9.9\r\n', 'BREW / HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nA B: c\r\n']) {
      await rawStatus(service.origin, `${head}Authorization: Bearer ${guess}`)
    }
  }
  return guesses
}

async function usePasswords(service: TestService): Promise<Secrets> {
  const password = 'Pa55-of-nobody-at-all'
  const directory = await service.createDirectory()
  const { body } = await service.scim(directory, 'POST', '/Users', { userName: 'eve', password })
  const patch = { Operations: [{ op: 'replace', path: 'password', value: `${password}-2` }] }
  await service.scim(directory, 'PATCH', `/Users/${body.id}`, patch)
  await service.scim(directory, 'POST', '/Users', `{"userName":"mallory","password":"${password}"`)
  await service.scim(directory, 'POST', '/Bulk', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [{ method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'bulk', password } }],
  })
  return { 'a password': password }
}

/** Clients that disconnect in the middle of a request or a response. */
async function useTornConnections(service: TestService): Promise<Secrets> {
  const { id, scim } = await service.createDirectory()
  const withKey = `Host: x\r\nAuthorization: Api-Key ${testApiKey}\r\n`
  for (const beginning of [
    `GET /api/v1/dsync/feed?directoryId=${id} HTTP/1.1\r\nAccept: text/event-stream\r\n${withKey}\r\n`,
    `GET /api/v1/dsync/users?directoryId=${id} HTTP/1.1\r\n${withKey}\r\n`,
    `POST /api/v1/dsync HTTP/1.1\r\nContent-Length: 99\r\nContent-Type: application/json\r\n${withKey}\r\n{"tenant"`,
    `POST ${scim.path}/Users HTTP/1.1\r\nContent-Length: 9\r\nHost: x\r\nAuthorization: Bearer ${scim.secret}\r\n\r\n{`,
    `GET /api/v1/dsync/providers HTTP/1.1\r\n${withKey}`,
  ]) {
    await tornRequest(service.origin, beginning)
  }
  return { 'the SCIM secret of a torn request': scim.secret }
}

/** A secret in the query of an endpoint's URL. */
export const secretOfQuery: Secrets = { 'the query of an endpoint': endpointToken }
