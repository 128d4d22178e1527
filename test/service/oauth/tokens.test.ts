import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OAuthClientView } from '../../../src/oauth/oauth-client.ts'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import { federated, startIssuer } from '../../support/issuer.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'
import { createClient, presentAssertion, requestToken, scimWith, tokenOf } from './support/clients.ts'

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

  test('the keys of an issuer are found by its discovery document', async () => {
    await using issuer = await startIssuer()
    const directory = await service().createDirectory()
    const { jwks_url, ...fields } = federated(issuer)
    await createClient(service(), directory, fields)
    const issued = await presentAssertion(service(), await issuer.sign())
    assert.equal(issued.status, 200, issued.text)
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
