import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { OAuthClientView } from '../../../src/oauth/oauth-client.ts'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { audience, federated, newIssuerKey, startIssuer } from '../../support/issuer.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, openTestDatabase, serviceForSuite, startTestService } from '../../support/service.ts'
import { createClient, lastProblem, presentAssertion, requestToken, scimWith, tokenOf } from './support/clients.ts'

const dayMs = 24 * 3_600_000

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  test('a client signs in with its secret in the body, and its token is accepted over SCIM', async () => {
    const directory = await service().createDirectory()
    const {
      client_id,
      client_secret = '',
      ...shown
    } = await createClient(service(), directory, {
      ...{ type: 'secret', name: 'Entra ID' },
    })
    assert.match(client_secret, /^rcs_[\w-]{43}$/)
    const lifeMs = Date.parse(shown.expires_at ?? '') - Date.parse(shown.created_at)
    assert.equal(lifeMs, 730 * dayMs)
    const issued = await requestToken(service(), { client_id, client_secret, scope: 'scim.readwrite' })
    assert.equal(issued.status, 200, issued.text)
    assert.equal(issued.headers['cache-control'], 'no-store')
    const { access_token, ...rest } = issued.body
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3_600, scope: 'scim' })
    assert.equal((await scimWith(service(), directory, access_token)).status, 200)
    const user = await scimWith(service(), directory, access_token, 'POST', '/Users', { userName: 'ann' })
    assert.equal(user.status, 201, user.text)
  })

  test('a client signs in with its secret in HTTP Basic', async () => {
    const directory = await service().createDirectory()
    const { client_id, client_secret } = await createClient(service(), directory)
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    const issued = await requestToken(service(), {}, { authorization: `Basic ${basic}` })
    assert.equal(issued.status, 200, issued.text)
    assert.equal((await scimWith(service(), directory, issued.body.access_token)).status, 200)
  })

  test('a federated client signs in with an assertion, with and without its client_id', async () => {
    await using issuer = await startIssuer()
    const directory = await service().createDirectory()
    const { client_id, client_secret } = await createClient(service(), directory, federated(issuer))
    assert.equal(client_secret, undefined)
    for (const more of [{ client_id }, {}]) {
      const issued = await presentAssertion(service(), await issuer.sign(), { scope: 'scim', ...more })
      assert.equal(issued.status, 200, issued.text)
      assert.equal((await scimWith(service(), directory, issued.body.access_token)).status, 200)
    }
    assert.equal(issuer.fetches, 1)
  })

  for (const { what, before } of [
    { what: 'before', before: true },
    { what: 'after', before: false },
  ]) {
    test(`a client without client_id signs in, also if other tenants have created clients with its values ${what}`, async () => {
      await using issuer = await startIssuer()
      await using stranger = await startIssuer()
      const { jwks_url, ...byDiscovery } = federated(issuer)
      const spoil = async () => {
        const [hostile, other] = await Promise.all(
          ['hostile', 'other'].map((tenant) => service().createDirectory({ tenant })),
        )
        assert(hostile !== undefined && other !== undefined)
        for (let n = 0; n < 20; n += 1) {
          await createClient(service(), hostile, { ...byDiscovery, jwks_url: `${stranger.jwksUrl}?${n}` })
        }
        await createClient(service(), other, byDiscovery)
        return { hostile, other }
      }
      const early = before ? await spoil() : undefined
      const directory = await service().createDirectory()
      await createClient(service(), directory, federated(issuer))
      const { hostile, other } = early ?? (await spoil())
      const issued = await presentAssertion(service(), await issuer.sign())
      assert.equal(issued.status, 200, issued.text)
      const statusAt = async (one: DirectoryView) => (await scimWith(service(), one, issued.body.access_token)).status
      assert.equal(await statusAt(directory), 200)
      assert.equal(await statusAt(other), 200, 'it trusts the same issuer, subject and audience, and the same keys')
      assert.equal(await statusAt(hostile), 401, 'its client has other keys')
      const forged = await presentAssertion(service(), await stranger.sign({ iss: issuer.issuer }))
      assert.equal(forged.status, 200, forged.text)
      assert.equal((await scimWith(service(), directory, forged.body.access_token)).status, 401)
    })
  }

  test('clients with the same values in one directory need no client_id, and one is used', async () => {
    await using issuer = await startIssuer()
    const directory = await service().createDirectory()
    const first = await createClient(service(), directory, federated(issuer))
    await createClient(service(), directory, federated(issuer))
    const issued = await presentAssertion(service(), await issuer.sign())
    assert.equal(issued.status, 200, issued.text)
    assert.equal((await scimWith(service(), directory, issued.body.access_token)).status, 200)
    await service().api('DELETE', `/${directory.id}/oauth-clients/${first.client_id}`)
    assert.equal((await scimWith(service(), directory, issued.body.access_token)).status, 401)
  })

  test('an assertion without client_id that no client accepts is a failure of each directory that it names', async () => {
    await using issuer = await startIssuer()
    const [one, other] = [await service().createDirectory(), await service().createDirectory({ tenant: 'globex' })]
    for (const directory of [one, other]) await createClient(service(), directory, federated(issuer))
    const refused = await presentAssertion(service(), await issuer.sign({ aud: 'api://x' }))
    assert.equal(refused.body.error, 'invalid_client')
    for (const directory of [one, other]) {
      assert.match((await lastProblem(service(), directory)) ?? '', /audience is `api:\/\/x`/)
    }
  })

  test('the keys of an issuer are found by its discovery document', async () => {
    await using issuer = await startIssuer()
    const directory = await service().createDirectory()
    const { jwks_url, ...fields } = federated(issuer)
    await createClient(service(), directory, fields)
    const issued = await presentAssertion(service(), await issuer.sign())
    assert.equal(issued.status, 200, issued.text)
  })

  test('an assertion may be signed with PS256 or ES256, and its audience may be one of several', async () => {
    await using issuer = await startIssuer()
    issuer.keys = [await newIssuerKey('key-ps', 'PS256'), await newIssuerKey('key-ec', 'ES256')]
    await createClient(service(), await service().createDirectory(), federated(issuer))
    for (const key of issuer.keys) {
      const assertion = await issuer.sign({ aud: ['api://x', `${audience}/.default`] }, key)
      const issued = await presentAssertion(service(), assertion)
      assert.equal(issued.status, 200, issued.text)
    }
  })

  test('clients are listed in creation order, without secrets, with the time of the last token', async () => {
    await using issuer = await startIssuer()
    const directory = await service().createDirectory()
    const first = await createClient(service(), directory, { type: 'secret', expires_in_days: 365 })
    const second = await createClient(service(), directory, federated(issuer))
    await tokenOf(service(), first)
    const { body, text } = await service().api('GET', `/${directory.id}/oauth-clients`)
    assert(!text.includes(first.client_secret ?? '-'))
    const listed = body.data as unknown as OAuthClientView[]
    const { client_secret, ...shown } = first
    assert.deepEqual({ ...listed[0], last_used_at: null }, shown)
    assert.deepEqual(listed[1], second)
    assert.equal(second.audience, federated(issuer).audience.replace('/.default', ''))
  })

  test('deleting a client ends its tokens, and the other clients of the directory remain', async () => {
    const directory = await service().createDirectory()
    const [old, current] = [await createClient(service(), directory), await createClient(service(), directory)]
    const [oldToken, currentToken] = [await tokenOf(service(), old), await tokenOf(service(), current)]
    const path = `/${directory.id}/oauth-clients/${old.client_id}`
    assert.equal((await service().api('DELETE', path)).status, 200)
    assertApiError(await service().api('DELETE', path), 404)
    assertScimError(await scimWith(service(), directory, oldToken), 401)
    assert.equal((await scimWith(service(), directory, currentToken)).status, 200)
    const { client_id, client_secret = '' } = old
    assert.equal((await requestToken(service(), { client_id, client_secret })).body.error, 'invalid_client')
  })

  test('a directory with scim_auth oauth refuses its secret, until it is any again', async () => {
    const directory = await service().createDirectory()
    const token = await tokenOf(service(), await createClient(service(), directory))
    const { body } = await service().api('PATCH', `/${directory.id}`, { scim_auth: 'oauth' })
    assert.equal(body.data.scim_auth, 'oauth')
    assertScimError(await service().scim(directory, 'GET', '/Users'), 401)
    assert.equal((await scimWith(service(), directory, token)).status, 200)
    await service().api('PATCH', `/${directory.id}`, { scim_auth: 'any' })
    assert.equal((await service().scim(directory, 'GET', '/Users')).status, 200)
    assert.equal((await service().createDirectory({ tenant: 'new', scim_auth: 'oauth' })).scim_auth, 'oauth')
  })

  test('a directory has at most 20 clients', async () => {
    const directory = await service().createDirectory()
    const create = () => service().api('POST', `/${directory.id}/oauth-clients`, { type: 'secret' })
    const statuses = (await Promise.all(Array.from({ length: 24 }, create))).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 201).length, 20)
    assert.equal(statuses.filter((status) => status === 409).length, 4)
  })
})

test('postgres: a token is accepted by another process at once, and refused there when its client is deleted', async () => {
  await using database = await openTestDatabase('postgres')
  await using one = await startTestService(database)
  await using other = await startTestService(database)
  const directory = await one.createDirectory()
  assert.equal((await other.scim(directory, 'GET', '/Users?count=1')).status, 200)
  const client = await createClient(one, directory)
  const token = await tokenOf(one, client)
  assert.equal((await scimWith(other, directory, token)).status, 200)
  await one.api('DELETE', `/${directory.id}/oauth-clients/${client.client_id}`)
  const written = await scimWith(other, directory, token, 'POST', '/Users', { userName: 'ann' })
  assertScimError(written, 401)
  await eventually('the reads to be refused', async () => (await scimWith(other, directory, token)).status === 401)
})

test('postgres: the operator is notified once of a secret that expires within 30 days', async () => {
  await using database = await openTestDatabase('postgres')
  await using operator = await startReceiver()
  const { webhook_url, webhook_secret } = operator.endpoint
  const settings = { OPERATOR_WEBHOOK_URL: webhook_url, OPERATOR_WEBHOOK_SECRET: webhook_secret }
  const client = await (async () => {
    await using service = await startTestService(database, settings)
    return await createClient(service, await service.createDirectory(), { type: 'secret', name: 'Entra ID' })
  })()
  const connection = new Client({ connectionString: database.env['DATABASE_URL'] })
  await connection.connect()
  const expiresAt = Date.now() + 29 * dayMs
  await connection.query('update oauth_clients set expires_at = $1', [expiresAt])
  await connection.end()
  await using service = await startTestService(database, settings)
  await operator.until(() => operator.attempts.length > 0, 'the notice')
  const { type, data } = JSON.parse(operator.attempts[0]?.body ?? '')
  assert.equal(type, 'directory.credential_expiring')
  const { client_id } = client
  assert.partialDeepStrictEqual(data, { client_id, name: 'Entra ID', expires_at: new Date(expiresAt).toISOString() })
  assert.match(data.message, /secret of the OAuth client Entra ID \(.*\) expires at/)
  assert.equal((await service.request('GET', '/readyz')).status, 200)
})

test('the metadata of the authorization server names the token endpoint, and the service provider its schemes', async () => {
  await using service = await startTestService('sqlite', { EXTERNAL_URL: 'https://rollcall.example' })
  const { body } = await service.request('GET', '/.well-known/oauth-authorization-server/api/scim/oauth')
  assert.partialDeepStrictEqual(body as unknown, {
    issuer: 'https://rollcall.example/api/scim/oauth',
    token_endpoint: 'https://rollcall.example/api/scim/oauth/token',
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  })
  const config = await service.scim(await service.createDirectory(), 'GET', '/ServiceProviderConfig')
  const { authenticationSchemes } = config.body as unknown as { authenticationSchemes: readonly { type: string }[] }
  assert.deepEqual(
    authenticationSchemes.map(({ type }) => type),
    ['oauthbearertoken', 'oauth2'],
  )
})
