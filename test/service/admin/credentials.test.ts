import assert from 'node:assert/strict'
import { request as rawRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { apiPrefix } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestService } from '../../support/service.ts'
import {
  forEachEngine,
  openTestDatabase,
  serviceForSuite,
  startTestService,
  testApiKey,
} from '../../support/service.ts'
import type { TestAdmin } from './support/admin.ts'
import {
  adminPrefix,
  adminSettings,
  dataOf,
  headerOf,
  login,
  newAddress,
  rootToken,
  sharedAdmin,
} from './support/admin.ts'

/** Every documented route that requires a login. */
async function routes({ request }: TestService): Promise<{ method: string; path: string }[]> {
  const { text: json } = await request('GET', '/openapi.json')
  const { paths } = JSON.parse(json) as { readonly paths: Readonly<Record<string, object>> }
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'nobody') })),
  )
  return listed.filter(({ path }) => path.startsWith(adminPrefix) && !path.endsWith('/_login'))
}

const me = `${adminPrefix}/user/me`

/** The status that the admin API and the directory-sync API return for a header. */
async function opened({ request }: TestService, authorization: string): Promise<[number, number]> {
  const headers = { authorization, 'x-forwarded-for': newAddress() }
  const [own, products] = [
    await request('GET', me, { headers }),
    await request('GET', `${apiPrefix}/product?product=crm`, { headers }),
  ]
  return [own.status, products.status]
}

const other = (text: string) => text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
const otherFirst = (text: string) => text.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))

/** Headers that are almost valid. */
const wrongHeaders: Record<string, (admin: TestAdmin) => string> = {
  'the id is unknown': ({ adminToken }) => headerOf({ ...adminToken, id: 'nobody' }),
  'the id is that of the user': ({ user, adminToken }) => headerOf({ ...adminToken, id: user.id }),
  'the token is wrong': ({ adminToken }) => headerOf({ ...adminToken, token: otherFirst(adminToken.token) }),
  'the token is its hash': ({ adminToken }) => headerOf({ ...adminToken, token: adminToken.tokenBcrypt }),
  'the root token is wrong': ({ header }) => other(header),
  'the root token is missing': ({ header }) => header.replace(/ admin_token=.*$/, ''),
  'the id is missing': ({ header }) => header.replace(/^id=\S+ /, ''),
  'the parts are in another order': ({ header }) => header.split(' ').reverse().join(' '),
  'two blanks are between the parts': ({ header }) => header.replace(' ', '  '),
  'a tab is between the parts': ({ header }) => header.replace(' ', '\t'),
  'commas are between the parts': ({ header }) => header.replaceAll(' ', ', '),
  'a part is there twice': ({ header }) => `${header} ${header.split(' ')[0]}`,
  'a name is in upper case': ({ header }) => header.replace('id=', 'ID='),
  'a space of Unicode is between the parts': ({ header }) => header.replace(' ', '\u00a0'),
  'it is the header of the login': () => `token=${rootToken}`,
  'it is the admin token as a Bearer token': ({ adminToken }) => `Bearer ${adminToken.token}`,
  'the JWT has no scheme': ({ token }) => token,
  'the JWT is an API key': ({ token }) => `Api-Key ${token}`,
  'two blanks are before the JWT': ({ token }) => `Bearer  ${token}`,
  'the JWT lacks its signature': ({ token }) => `Bearer ${token.replace(/[^.]+$/, '')}`,
  'the JWT has another signature': ({ token }) => `Bearer ${token.replace(/[^.]+$/, otherFirst)}`,
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine, adminSettings)
  const somebody = sharedAdmin(service)

  test('both headers authorize every route, and nothing else does', async () => {
    const all = await routes(service())
    assert(all.length >= 11, 'the routes are described')
    const { header, bearer } = await login(service())
    for (const { method, path } of all) {
      for (const authorization of [undefined, `Api-Key ${testApiKey}`, `token=${rootToken}`]) {
        const headers = { 'x-forwarded-for': newAddress(), ...(authorization && { authorization }) }
        const answer = await service().request(method, path, { headers })
        assertApiError(answer, 401)
        assert.equal(answer.headers['www-authenticate'], 'Bearer', path)
        assert.equal(answer.headers['cache-control'], 'no-store', path)
      }
      for (const authorization of path.endsWith('/_logout') ? [] : [header, bearer]) {
        const { status } = await service().request(method, path, { headers: { authorization } })
        assert([200, 400, 404].includes(status), `${method} ${path} is open: ${status}`)
      }
    }
  })

  test('both headers authorize the directory-sync API', async () => {
    const { header, bearer } = await somebody()
    for (const authorization of [header, bearer]) {
      const created = await service().api('POST', '', { tenant: 'acme', product: 'hr' }, { authorization })
      assert.equal(created.status, 201, created.text)
      const { id } = created.body.data
      assert.equal((await service().api('GET', `/${id}`, undefined, { authorization })).body.data.id, id)
      assert.equal((await service().api('DELETE', `/${id}`, undefined, { authorization })).status, 200)
    }
  })

  test('a disabled token is rejected, and so is its JWT', async () => {
    const [ada, grace] = [await somebody(), await login(service(), 'grace@example.com')]
    assert.deepEqual(await opened(service(), grace.header), [200, 200])
    assert.deepEqual(await opened(service(), grace.bearer), [200, 200])
    dataOf(await ada.admin('DELETE', `/token/${grace.adminToken.id}`))
    assert.deepEqual(await opened(service(), grace.header), [401, 401])
    assert.deepEqual(await opened(service(), grace.bearer), [401, 401])
    assert.deepEqual(await opened(service(), ada.header), [200, 200])
  })

  test('after a logout the token and its JWT are rejected; other tokens of the admin are not', async () => {
    const [first, second] = [await login(service()), await login(service())]
    assert.deepEqual(dataOf(await first.admin('POST', '/user/_logout')), {})
    assert.deepEqual(await opened(service(), first.header), [401, 401])
    assert.deepEqual(await opened(service(), first.bearer), [401, 401])
    assert.deepEqual(await opened(service(), second.header), [200, 200])
  })

  test('a token can be disabled only once', async () => {
    const { admin } = await somebody()
    const { adminToken } = await login(service())
    dataOf(await admin('DELETE', `/token/${adminToken.id}`))
    assertApiError(await admin('DELETE', `/token/${adminToken.id}`), 404)
    assertApiError(await admin('DELETE', '/token/nobody'), 404)
  })

  test('the list of tokens has everything except secrets', async () => {
    const { admin, user, adminToken } = await login(service(), 'barbara@example.com')
    const all = await admin('GET', '/token?pageLimit=1000')
    const found = dataOf<{ id: string }[]>(all).find(({ id }) => id === adminToken.id)
    const { createdAt } = adminToken
    assert.deepEqual(found, {
      id: adminToken.id,
      user: { id: user.id, email: user.email },
      disabled: false,
      created_at: createdAt,
      last_used_at: createdAt,
      is_current: true,
    })
    assert(!all.text.includes(adminToken.token) && !all.text.includes('$2'))
  })

  test('the list of tokens is paged', async () => {
    const { admin, adminToken } = await login(service())
    await login(service())
    const all = dataOf<{ id: string }[]>(await admin('GET', '/token?pageLimit=1000')).map(({ id }) => id)
    const paged: string[] = []
    for (let query: string | undefined = '?pageLimit=2'; query !== undefined; ) {
      const page = await admin('GET', `/token${query}`)
      paged.push(...dataOf<{ id: string }[]>(page).map(({ id }) => id))
      const { pageToken } = page.body
      query = pageToken === undefined ? undefined : `?pageLimit=2&pageToken=${pageToken}`
    }
    assert.deepEqual(paged, all)
    assert(all.includes(adminToken.id))
    assertApiError(await admin('GET', '/token?pageToken=x'), 400)
    assertApiError(await admin('GET', '/token?pageLimit=0'), 400)
  })

  test('a token disabled by another process is rejected: immediately, or within ten seconds if it was in use', async (t) => {
    if (engine === 'sqlite') return t.skip('one process has the file')
    await using other = await startTestService(service().database, adminSettings)
    const { admin } = await somebody()
    const [used, fresh] = [await login(service()), await login(service())]
    assert.deepEqual(await opened(other, used.header), [200, 200])
    dataOf(await admin('DELETE', `/token/${used.adminToken.id}`))
    dataOf(await admin('DELETE', `/token/${fresh.adminToken.id}`))
    assert.deepEqual(await opened(other, fresh.header), [401, 401])
    assert.deepEqual(await opened(other, fresh.bearer), [401, 401])
    await eventually('the refusal', async () => {
      await pause(100)
      return (await opened(other, used.header))[0] === 401
    })
    assert.deepEqual(await opened(other, used.header), [401, 401])
  })
})

const service = serviceForSuite('sqlite', adminSettings)
const somebody = sharedAdmin(service)

for (const [because, headerOfAdmin] of Object.entries(wrongHeaders)) {
  test(`a request is rejected when ${because}`, async () => {
    assert.deepEqual(await opened(service(), headerOfAdmin(await somebody())), [401, 401])
  })
}

test('the Bearer scheme is case-insensitive', async () => {
  const { token } = await somebody()
  assert.deepEqual(await opened(service(), `bEARER ${token}`), [200, 200])
})

test('a repeated header is rejected', async () => {
  const { header } = await somebody()
  const headers = ['host', 'localhost', 'authorization', header, 'authorization', header]
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  rawRequest(`${service().origin}${me}`, { headers }, async (response) => {
    await text(response)
    resolve(response.statusCode ?? 0)
  })
    .on('error', reject)
    .end()
  assert.equal(await promise, 401)
})

test('without a root token there is no admin API', async () => {
  await using closed = await startTestService('sqlite')
  const { header } = await somebody()
  const logIn = { method: 'POST', path: `${adminPrefix}/user/_login`, authorization: `token=${rootToken}` }
  const others = (await routes(service())).map((route) => ({ ...route, authorization: header }))
  for (const { method, path, authorization } of [logIn, ...others]) {
    const answer = await closed.request(method, path, { headers: { authorization } })
    assertApiError(answer, 404)
    const unknown = await closed.request(method, '/no/such/page')
    assert.equal(answer.body.error.message, unknown.body.error.message)
  }
  assert(!(await closed.request('GET', '/openapi.json')).text.includes(adminPrefix))
})

test('a token of one service is rejected by another', async () => {
  await using stranger = await openTestDatabase('sqlite')
  await using other = await startTestService(stranger, adminSettings)
  const { header, bearer } = await somebody()
  assert.deepEqual(await opened(other, header), [401, 401])
  assert.deepEqual(await opened(other, bearer), [401, 401])
})
