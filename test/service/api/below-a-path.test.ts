import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, serviceForSuite, startTestService, testApiKey } from '../../support/service.ts'

const externalUrl = 'https://sync.example.com/sync'

/** A request of a proxy that passes the path on, and one of a proxy that strips it. */
const ways = [
  { way: 'with the path', base: '/sync' },
  { way: 'without it, as from a proxy that strips it', base: '' },
]

async function newDirectory(service: TestService): Promise<DirectoryView> {
  return (await service.api('POST', '', { tenant: 'acme', product: 'crm' })).body.data
}

forEachEngine((engine) => {
  const open = serviceForSuite(engine, { EXTERNAL_URL: `${externalUrl}/` })

  for (const { way, base } of ways) {
    test(`${engine}: every kind of route answers below the path of EXTERNAL_URL: ${way}`, async () => {
      const service = open()
      for (const path of [
        ...[
          '/healthz',
          '/readyz',
          '/metrics',
          '/openapi.json',
          '/openapi-product.json',
          '/docs',
          '/console/assets/scalar.js',
        ],
        ...['/.well-known/jwks.json', '/.well-known/oauth-authorization-server/api/scim/oauth', '/console/session'],
      ]) {
        assert.equal((await service.request('GET', base + path)).status, 200, path)
      }
      const headers = { authorization: `Api-Key ${testApiKey}` }
      for (const prefix of ['/api/v1/directory-sync', '/api/v1/dsync']) {
        const query = `${base}${prefix}?tenant=acme&product=crm`
        assert.equal((await service.request('GET', query, { headers })).status, 200, prefix)
      }
    })

    test(`${engine}: SCIM links are below the path, and requests are recorded without it: ${way}`, async () => {
      const service = open()
      const { id, scim } = await newDirectory(service)
      assert.equal(scim.endpoint, `${externalUrl}/api/scim/v2.0/${id}`)
      const headers = { authorization: `Bearer ${scim.secret}`, 'content-type': 'application/scim+json' }
      const users = `${base}/api/scim/v2.0/${id}/Users`
      const created = await service.request('POST', `${users}?excludedAttributes=title`, {
        headers,
        body: { userName: 'ada@example.com' },
      })
      assert.equal(created.status, 201)
      assert.equal(created.body.meta.location, `${scim.endpoint}/Users/${created.body.id}`)
      assert.equal(created.headers['location'], created.body.meta.location)
      assert.match(String(created.headers['x-request-id']), /^[0-9a-f-]{36}$/)
      const { pathname } = new URL(String(created.headers['location']))
      assert.equal((await service.request('GET', pathname, { headers })).status, 200)
      const { body } = await service.api('GET', `/${id}/requests`)
      const paths = (body.data as unknown as readonly { path: string }[]).map((row) => row.path)
      assert.deepEqual(paths.toSorted(), [`/Users/${created.body.id}`, '/Users?excludedAttributes=title'])
    })

    test(`${engine}: what does not exist is refused in the format of its API: ${way}`, async () => {
      const service = open()
      for (const path of ['/api/scim/v2.0', '/api/scim/v2.0/nothing/at/all/', '/api/scim/v2.0/%']) {
        const refused = await service.request('GET', base + path)
        assert.ok([400, 404].includes(refused.status), path)
        assert.deepEqual(refused.body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'], path)
      }
      assert.equal((await service.request('GET', `${base}/nothing`)).body.error.reason, 'resource-not-found')
    })
  }

  test(`${engine}: a path that only begins like that of EXTERNAL_URL leads nowhere`, async () => {
    for (const path of ['/syncing/healthz', '/sync2/healthz', '/syn/healthz', '/sync/sync/healthz']) {
      assert.equal((await open().request('GET', path)).status, 404, path)
    }
  })

  test(`${engine}: redirects, the API description and the metadata of the authorization server name the path`, async () => {
    const service = open()
    assert.equal((await service.request('GET', '/')).headers['location'], '/sync/docs')
    const described = (await service.request('GET', '/openapi.json')).body as unknown as { servers: { url: string }[] }
    assert.deepEqual(
      described.servers.map(({ url }) => url),
      [externalUrl],
    )
    const issuer = `${externalUrl}/api/scim/oauth`
    // RFC 8414 §3.1 puts the path of the issuer behind the well-known one.
    const metadata = await service.request('GET', '/.well-known/oauth-authorization-server/sync/api/scim/oauth')
    assert.deepEqual(
      [metadata.status, (metadata.body as object as { issuer: string; token_endpoint: string }).issuer],
      [200, issuer],
    )
    assert.equal((await service.request('GET', '/docs')).text.includes('/sync/console/assets/scalar.js'), true)
  })

  test(`${engine}: the cookie of a session is for the path only`, async () => {
    const service = open()
    const signedIn = await service.request('POST', '/sync/console/session', {
      body: { api_key: testApiKey },
      headers: { origin: new URL(externalUrl).origin },
    })
    assert.match(
      String(signedIn.headers['set-cookie']),
      /^__Secure-rollcall-session=[\w-]{43}; Path=\/sync; .*; Secure$/,
    )
  })
})

test('a path that is also the beginning of a route is served with and without it', async () => {
  await using service = await startTestService('sqlite', { EXTERNAL_URL: 'https://example.com/api' })
  const headers = { authorization: `Api-Key ${testApiKey}` }
  const query = '/api/v1/directory-sync?tenant=acme&product=crm'
  for (const path of [query, `/api${query}`]) {
    assert.equal((await service.request('GET', path, { headers })).status, 200, path)
  }
  assert.equal((await service.request('GET', '/.well-known/oauth-authorization-server/api/scim/oauth')).status, 200)
})
