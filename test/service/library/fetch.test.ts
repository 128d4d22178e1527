import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { EmbeddedRollcall } from '../../../src/index.ts'
import { createRollcall } from '../../../src/index.ts'
import { eventually } from '../../support/eventually.ts'

const origin = 'https://app.example.com/rollcall'
const apiKey = 'an-api-key-of-this-test'
const rootToken = 'root-token-of-this-test-0123456789'
const authorization = `Api-Key ${apiKey}`

interface Made {
  readonly id: string
  readonly scim: { readonly endpoint: string; readonly secret: string }
}

let folder: string
let rollcall: EmbeddedRollcall

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-fetch-'))
  rollcall = await createRollcall({
    databaseUrl: `sqlite:${join(folder, 'rollcall.db')}`,
    externalUrl: origin,
    apiKeys: [apiKey],
    adminRootToken: rootToken,
  })
})

after(async () => {
  await rollcall.close()
  await rm(folder, { recursive: true })
})

function api(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization, 'content-type': 'application/json', ...init.headers }
  return rollcall.fetch(new Request(`${origin}/api/v1/directory-sync${path}`, { ...init, headers }))
}

async function makeDirectory(): Promise<Made> {
  const response = await api('/', { method: 'POST', body: JSON.stringify({ tenant: 'acme', product: 'crm' }) })
  assert.equal(response.status, 201)
  return ((await response.json()) as { data: Made }).data
}

test('fetch serves SCIM and the API below the path of externalUrl', async () => {
  const { id, scim } = await makeDirectory()
  assert.equal(scim.endpoint, `${origin}/api/scim/v2.0/${id}`)
  const created = await rollcall.fetch(
    new Request(`${scim.endpoint}/Users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${scim.secret}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ userName: 'bjensen@example.com' }),
    }),
  )
  assert.equal(created.status, 201)
  assert.match(created.headers.get('content-type') ?? '', /^application\/scim\+json/)
  assert.match(created.headers.get('location') ?? '', new RegExp(`^${origin}/api/scim/`))
  assert.equal(created.headers.get('connection'), null)
  const deleted = await rollcall.fetch(
    new Request(created.headers.get('location') ?? '', {
      method: 'DELETE',
      headers: { authorization: `Bearer ${scim.secret}` },
    }),
  )
  assert.deepEqual([deleted.status, deleted.body], [204, null])
  assert.equal((await rollcall.fetch(new Request(`${origin}/healthz`))).status, 200)
})

test('fetch returns the same errors as the service', async () => {
  assert.equal((await api('/', { headers: { authorization: 'Api-Key wrong' } })).status, 401)
  assert.equal((await rollcall.fetch(new Request(`${origin}/nothing`))).status, 404)
  const tooLarge = await api('/', { method: 'POST', body: JSON.stringify({ name: 'x'.repeat(300_000) }) })
  assert.equal(tooLarge.status, 413)
})

test('the address passed to fetch is recorded in the audit trail', async () => {
  const request = new Request(`${origin}/api/v1/directory-sync`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ tenant: 'globex', product: 'crm' }),
  })
  const response = await rollcall.fetch(request, { remoteAddress: '192.0.2.7' })
  assert.equal(response.status, 201)
  const admin = `${origin}/auditlog/admin/v1`
  const login = await rollcall.fetch(
    new Request(`${admin}/user/_login`, {
      method: 'POST',
      headers: { authorization: `token=${rootToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ claims: { upstreamToken: rootToken, email: 'ada@example.com' } }),
    }),
  )
  const { token } = (await login.json()) as { readonly token: string }
  const audit = await rollcall.fetch(
    new Request(`${admin}/event?action=directory.created&tenant=globex`, {
      headers: { authorization: `Bearer ${token}` },
    }),
  )
  const { data } = (await audit.json()) as { readonly data: readonly { readonly address: string }[] }
  assert.deepEqual(
    data.map(({ address }) => address),
    ['192.0.2.7'],
  )
})

test('fetch streams the feed, and cancelling the response ends the stream', async () => {
  const { id, scim } = await makeDirectory()
  const query = `/feed?directoryId=${id}`
  const response = await api(query, { headers: { accept: 'text/event-stream' } })
  const reader = response.body?.getReader()
  assert(reader !== undefined)
  await rollcall.requests.handle({
    ...{ method: 'POST', directoryId: id, resourceType: 'users', apiSecret: scim.secret, query: {} },
    ...{ resourceId: undefined, body: { userName: 'streamed@example.com' } },
  })
  assert.equal(response.status, 200)
  let text = ''
  while (!text.includes('streamed@example.com')) {
    const { done, value } = await reader.read()
    assert(!done, text)
    text += new TextDecoder().decode(value)
  }
  await reader.cancel()
  // The default limit is 50 streams of a tenant: more than that can be opened only if each ends.
  for (let n = 0; n < 60; n += 1) {
    await eventually('the streams that were cancelled to end', async () => {
      const next = await api(query, { headers: { accept: 'text/event-stream' } })
      await next.body?.cancel()
      return next.status === 200
    })
  }
})

test('the listener serves the same routes from a server of the product', async () => {
  const server = createServer(rollcall.listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/rollcall/api/v1/directory-sync?tenant=acme&product=crm`
  const response = await fetch(url, { headers: { authorization } })
  assert.equal(response.status, 200)
  server.close()
})

for (const { options, says } of [
  { options: { externalUrl: 'https://app.example.com/a//b' }, says: /externalUrl must have a path of letters/ },
  { options: { externalUrl: 'https://app.example.com/?a=b' }, says: /externalUrl must have no query/ },
  { options: { apiKeys: ['short'] }, says: /at least 16 characters/ },
  { options: { databaseUrl: 'mysql://localhost/x' }, says: /must begin with sqlite: or postgres:/ },
  { options: { databaseUrl: 'postgres://localhost/x' }, says: /needs an encryptionKey: 32 bytes/ },
  { options: { databaseUrl: 'sqlite::memory:', encryptionKey: 'short' }, says: /encryptionKey must be 32 bytes/ },
]) {
  test(`the library rejects ${JSON.stringify(options)}`, async () => {
    await assert.rejects(createRollcall({ externalUrl: origin, ...options }), says)
  })
}
