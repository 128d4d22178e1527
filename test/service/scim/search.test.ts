import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'

/** Three directories of two products, with users of the same name. */
async function openSubject(engine: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(engine)
  const directories = [
    await service.createDirectory({ name: 'Okta of Acme' }),
    await service.createDirectory({ tenant: 'zeta', name: 'Zeta' }),
    await service.createDirectory({ tenant: 'zeta', product: 'hr', name: 'Zeta HR' }),
  ] as const
  const ids = new Map(directories.map(({ id }, index) => [id, `directory ${index}`]))
  const add = async (index: 0 | 1 | 2, path: string, body: object, name: string) => {
    const created = await service.scim(directories[index], 'POST', path, body)
    assert.equal(created.status, 201, created.text)
    ids.set(created.body.id, name)
  }
  for (const index of [0, 1, 2] as const) {
    const name = { givenName: 'Maya', familyName: 'Chen' }
    await add(index, '/Users', { userName: `mc${index}@x.example`, name, externalId: `e${index}` }, `maya ${index}`)
  }
  await add(0, '/Groups', { displayName: 'Mayors of Acme' }, 'mayors')
  return { service, directories, ids, [Symbol.asyncDispose]: (): PromiseLike<void> => service[Symbol.asyncDispose]() }
}

forEachEngine((engine) => {
  const subject = forSuite(() => openSubject(engine))
  const search = async (query: string) => {
    const response = await subject().service.api('GET', `/search?${query}`)
    assert.equal(response.status, 200, response.text)
    return response.body
  }
  const found = async (query: string) => (await search(query)).data.map(({ id }) => subject().ids.get(id))

  for (const [query, expected] of [
    ['q=maya', ['maya 0', 'maya 1', 'maya 2']],
    ['q=CHEN&product=crm', ['maya 0', 'maya 1']],
    ['q=maya%20ch&tenant=zeta', ['maya 1', 'maya 2']],
    ['q=chen&tenant=zeta&product=hr', ['maya 2']],
    ['q=mc1', ['maya 1']],
    ['q=e2', ['maya 2']],
    ['q=may', ['maya 0', 'maya 1', 'maya 2', 'mayors']],
    ['q=may&type=group', ['mayors']],
    ['q=acme', ['directory 0', 'mayors']],
    ['q=zeta&type=directory', ['directory 1', 'directory 2']],
    ['q=zeta&type=user', []],
    ['q=aya', []],
    ['q=maya&product=none', []],
  ] as const) {
    test(`search?${query} finds ${expected.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual((await found(query)).sort(), expected)
    })
  }

  test('a hit names the directory and the tenant that it is in', async () => {
    const { directories } = subject()
    const body = await search('q=mc0')
    const [hit] = body.data
    assert.partialDeepStrictEqual(hit, {
      ...{ type: 'user', name: 'Maya Chen', email: 'mc0@x.example', user_name: 'mc0@x.example', active: true },
      ...{ directory_id: directories[0].id, directory_name: 'Okta of Acme', tenant: 'acme', product: 'crm' },
    })
    assert.partialDeepStrictEqual(body, { error: null })
  })

  test('pages follow each other by their token', async () => {
    const hits: string[] = []
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page = await search(`q=ma&pageLimit=1${token && `&pageToken=${token}`}`)
      assert.ok(page.data.length <= 1)
      hits.push(...page.data.map(({ id }) => id))
      token = page.pageToken
    }
    const all = await search('q=ma')
    assert.deepEqual(
      hits,
      all.data.map(({ id }) => id),
    )
    assert.equal(hits.length, 4)
  })

  for (const [query, message] of [
    ['', /q: /],
    ['q=', /q: /],
    ['q=%20', /q: /],
    [`q=${'x'.repeat(257)}`, /q: /],
    ['q=a&type=member', /type: /],
    ['q=a&pageLimit=101', /pageLimit: /],
    ['q=a&pageToken=x', /pageToken: /],
    [`q=a&pageToken=${tokenWith('no-number')}`, /pageToken: /],
    [`q=a&pageToken=${tokenWith('9'.repeat(19))}`, /pageToken: /],
  ] as const) {
    test(`search?${query.slice(0, 90)} is rejected`, async () => {
      const response = await subject().service.api('GET', `/search?${query}`)
      assertApiError(response, 400)
      assert.match(response.text, message)
    })
  }
})

/** A token of a page with a place that the service has not given. */
function tokenWith(place: string): string {
  return Buffer.from(JSON.stringify(['a', 'product', 'user', place])).toString('base64url')
}
