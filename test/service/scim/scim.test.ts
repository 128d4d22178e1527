import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer } from '../../support/client.ts'
import { assertScimError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

const patchOf = (...operations: readonly unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})
const retitled = (title: string) => patchOf({ op: 'replace', path: 'title', value: title })

forEachEngine((engine) => {
  const service = serviceForSuite(engine, { SCIM_BODY_LIMIT: '20000' })
  const scim = (
    directory: DirectoryView,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => service().scim(directory, method, path, body, headers)

  /** A new directory with one user, from the body of the response. */
  async function withUser(
    fields: Record<string, unknown> = {},
  ): Promise<{ directory: DirectoryView; created: Answer; path: string }> {
    const directory = await service().createDirectory()
    const created = await scim(directory, 'POST', '/Users', { userName: 'bjensen@acme.example', ...fields })
    assert.equal(created.status, 201, created.text)
    return { directory, created, path: `/Users/${created.body.id}` }
  }

  test('the response to a creation is the whole user, with its address and version', async () => {
    const { directory, created } = await withUser({ title: 'Tour Guide', active: 'True' })
    const { meta, ...user } = created.body
    const location = `${directory.scim.endpoint}/Users/${created.body.id}`
    assert.deepEqual(user, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: created.body.id,
      userName: 'bjensen@acme.example',
      title: 'Tour Guide',
      active: true,
    })
    assert.equal(created.headers['location'], location)
    assert.equal(created.headers['etag'], meta.version)
    const { resourceType, version, location: inMeta, ...times } = meta
    assert.deepEqual({ resourceType, inMeta, version }, { resourceType: 'User', inMeta: location, version: 'W/"1"' })
    assert.deepEqual(Object.keys(times), ['created', 'lastModified'])
    assert.match(String(created.headers['content-type']), /^application\/scim\+json/)
  })

  test('a GET returns the user as the creation returned it', async () => {
    const { directory, created, path } = await withUser({ nickName: 'Babs' })
    const { status, body, headers } = await scim(directory, 'GET', path)
    assert.equal(status, 200)
    assert.deepEqual(body, created.body)
    assert.equal(headers['etag'], created.headers['etag'])
  })

  test('a change makes a new version; a request that changes nothing does not', async () => {
    const { directory, path } = await withUser()
    const changed = await scim(directory, 'PATCH', path, retitled('a'))
    assert.equal(changed.headers['etag'], 'W/"2"')
    const again = await scim(directory, 'PATCH', path, retitled('a'))
    assert.deepEqual([again.status, again.headers['etag']], [200, 'W/"2"'])
    assert.deepEqual(again.body, changed.body)
  })

  test('a PUT without userName keeps it, even if the email address is the userName of another user', async () => {
    const { directory, path } = await withUser()
    await scim(directory, 'POST', '/Users', { userName: 'taken@acme.example' })
    const emails = [{ value: 'taken@acme.example' }]
    const replaced = await scim(directory, 'PUT', path, { emails, title: 'Guide' })
    assert.deepEqual([replaced.status, replaced.body.userName], [200, 'bjensen@acme.example'], replaced.text)
    const renamed = await scim(directory, 'PUT', path, { userName: 'babs@acme.example', emails })
    assert.equal(renamed.body.userName, 'babs@acme.example')
    const bulk = await scim(directory, 'POST', '/Bulk', { Operations: [{ method: 'PUT', path, data: { emails } }] })
    assert.equal(bulk.status, 200, bulk.text)
    assert.equal((await scim(directory, 'GET', path)).body.userName, 'babs@acme.example')
  })

  test('If-None-Match with the current version returns 304 without a body', async () => {
    const { directory, path } = await withUser()
    const unchanged = await scim(directory, 'GET', path, undefined, { 'if-none-match': 'W/"1"' })
    assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers['etag']], [304, '', 'W/"1"'])
    await scim(directory, 'PATCH', path, retitled('a'))
    assert.equal((await scim(directory, 'GET', path, undefined, { 'if-none-match': 'W/"1"' })).status, 200)
  })

  for (const [method, body] of [
    ['PUT', { userName: 'bjensen@acme.example', title: 'b' }],
    ['PATCH', retitled('b')],
    ['DELETE', undefined],
  ] as const) {
    test(`${method} with If-Match for another version returns 412 and changes nothing`, async () => {
      const { directory, created, path } = await withUser()
      assertScimError(await scim(directory, method, path, body, { 'if-match': 'W/"7"' }), 412)
      assert.deepEqual((await scim(directory, 'GET', path)).body, created.body)
    })

    test(`${method} with If-Match for the current version, or *, succeeds`, async () => {
      for (const tag of ['W/"1"', '"1"', '*', 'W/"9", W/"1"']) {
        const { directory, path } = await withUser()
        const { status, text } = await scim(directory, method, path, body, { 'if-match': tag })
        assert([200, 204].includes(status), text)
      }
    })
  }

  test('a group has its own version, which If-Match checks as well', async () => {
    const { directory, created } = await withUser()
    const group = await scim(directory, 'POST', '/Groups', { displayName: 'Guides' })
    const add = patchOf({ op: 'add', path: 'members', value: [{ value: created.body.id }] })
    const path = `/Groups/${group.body.id}`
    const added = await scim(directory, 'PATCH', path, add, { 'if-match': String(group.headers['etag']) })
    assert.deepEqual([added.status, added.headers['etag']], [204, 'W/"2"'])
    assertScimError(await scim(directory, 'PATCH', path, add, { 'if-match': 'W/"1"' }), 412)
    assertScimError(await scim(directory, 'DELETE', path, undefined, { 'if-match': 'W/"1"' }), 412)
  })

  test('attributes and excludedAttributes apply to reads, lists and changes', async () => {
    const { directory, created, path } = await withUser({
      title: 'a',
      nickName: 'b',
      name: { givenName: 'c', familyName: 'd' },
    })
    const { id, schemas } = created.body
    const only = await scim(directory, 'GET', `${path}?attributes=nickName,name.givenName`)
    assert.deepEqual(only.body, { schemas, id, nickName: 'b', name: { givenName: 'c' } })
    const without = await scim(directory, 'GET', `${path}?excludedAttributes=name,meta,TITLE,id`)
    assert.deepEqual(without.body, { schemas, id, userName: 'bjensen@acme.example', nickName: 'b', active: true })
    const list = await scim(directory, 'GET', '/Users?attributes=title')
    assert.deepEqual(list.body.Resources, [{ schemas, id, title: 'a' }])
    const patched = await scim(directory, 'PATCH', `${path}?attributes=title`, retitled('e'))
    assert.deepEqual(patched.body, { schemas, id, title: 'e' })
    const search = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      attributes: ['title'],
      filter: 'title eq "e"',
    }
    assert.deepEqual((await scim(directory, 'POST', '/Users/.search', search)).body.Resources, [patched.body])
  })

  test('a group is read without its members when they are excluded', async () => {
    const { directory, created } = await withUser()
    const members = [{ value: created.body.id }]
    const { body } = await scim(directory, 'POST', '/Groups', { displayName: 'Guides', members })
    assert.equal(body.members?.length, 1)
    const read = await scim(directory, 'GET', `/Groups/${body.id}?excludedAttributes=members`)
    assert.deepEqual(Object.keys(read.body).sort(), ['displayName', 'id', 'meta', 'schemas'])
    const list = await scim(
      directory,
      'GET',
      '/Groups?excludedAttributes=members&filter=displayName%20eq%20%22guides%22',
    )
    assert.deepEqual(list.body.Resources, [read.body])
  })

  for (const path of ['/users', '/USERS', '/Users/', '/uSeRs/?', '/Users?', '/Users?&']) {
    test(`${path} lists the users`, async () => {
      const { directory, created } = await withUser()
      const { status, body } = await scim(directory, 'GET', path)
      assert.equal(status, 200)
      assert.deepEqual(body.Resources, [created.body])
    })
  }

  test('a list has totalResults and itemsPerPage, in creation order', async () => {
    const { directory, created } = await withUser()
    const second = await scim(directory, 'POST', '/Users', { userName: 'second' })
    const third = await scim(directory, 'POST', '/Users', { userName: 'third' })
    const { body } = await scim(directory, 'GET', '/Users?startIndex=2&count=1')
    assert.deepEqual(body, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 3,
      startIndex: 2,
      itemsPerPage: 1,
      Resources: [second.body],
    })
    const all = await scim(directory, 'GET', '/Users')
    assert.deepEqual(all.body.Resources, [created.body, second.body, third.body])
  })

  for (const [filter, names] of [
    ['userName eq "A@x.example"', ['a@x.example']],
    ['externalId eq "ext-B"', ['b@x.example']],
    ['externalId eq "EXT-b"', []],
    ['emails.value eq "OTHER@x.example"', ['b@x.example']],
    ['emails[value eq "other@x.example"]', ['b@x.example']],
    ['active eq false', ['c@x.example']],
    ['active eq true and userName eq "c@x.example"', []],
    ['userName eq "c@x.example" and active eq "False"', ['c@x.example']],
    ['userName sw "A"', ['a@x.example']],
    ['userName co "x.example" and not (active eq true)', ['c@x.example']],
    ['title pr', ['a@x.example']],
  ] as const) {
    test(`the filter ${filter} finds ${names.join(' and ') || 'no user'}`, async () => {
      const directory = await service().createDirectory()
      for (const user of [
        { userName: 'a@x.example', title: 'a' },
        { userName: 'b@x.example', externalId: 'ext-B', emails: [{ value: 'other@x.example', type: 'home' }] },
        { userName: 'c@x.example', active: false },
      ]) {
        await scim(directory, 'POST', '/Users', user)
      }
      const { status, body, text } = await scim(directory, 'GET', `/Users?filter=${encodeURIComponent(filter)}`)
      assert.equal(status, 200, text)
      assert.deepEqual(
        body.Resources.map(({ userName }) => userName),
        names,
      )
      assert.equal(body.totalResults, names.length)
    })
  }

  test('a userName is unique in its directory, in any letter case', async () => {
    const { directory } = await withUser()
    const second = { userName: 'BJensen@ACME.example' }
    assertScimError(await scim(directory, 'POST', '/Users', second), 409, 'uniqueness')
    const other = await scim(directory, 'POST', '/Users', { userName: 'other' })
    const path = `/Users/${other.body.id}`
    assertScimError(await scim(directory, 'PUT', path, second), 409, 'uniqueness')
    const renamed = patchOf({ op: 'replace', path: 'userName', value: second.userName })
    assertScimError(await scim(directory, 'PATCH', path, renamed), 409, 'uniqueness')
    assert.equal((await scim(await service().createDirectory(), 'POST', '/Users', second)).status, 201)
  })

  test('a userName can be reused after its user is deleted, not after it is deactivated', async () => {
    const { directory, path } = await withUser()
    await scim(directory, 'PATCH', path, patchOf({ op: 'replace', path: 'active', value: false }))
    const again = { userName: 'bjensen@acme.example' }
    assertScimError(await scim(directory, 'POST', '/Users', again), 409, 'uniqueness')
    assert.equal((await scim(directory, 'DELETE', path)).status, 204)
    assert.equal((await scim(directory, 'POST', '/Users', again)).status, 201)
  })

  test('a PUT without active keeps its value', async () => {
    const { directory, path } = await withUser({ active: false, title: 'a' })
    const { body } = await scim(directory, 'PUT', path, { userName: 'bjensen@acme.example' })
    assert.deepEqual([body.active, 'title' in body], [false, false])
  })

  test('a HEAD request returns what a GET returns, without the body', async () => {
    const { directory, path } = await withUser()
    const head = await scim(directory, 'HEAD', path)
    assert.deepEqual([head.status, head.text, head.headers['etag']], [200, '', 'W/"1"'])
    assert.equal((await scim(directory, 'HEAD', '/Users/nobody')).status, 404)
    assert.equal((await scim(directory, 'HEAD', '/Users')).status, 200)
  })

  for (const [path, allow, refused] of [
    ['/Users', 'GET, POST', ['PUT', 'PATCH', 'DELETE']],
    ['/Groups', 'GET, POST', ['PUT', 'PATCH', 'DELETE']],
    ['/Users/some-id', 'GET, PUT, PATCH, DELETE', ['POST']],
    ['/Groups/some-id', 'GET, PUT, PATCH, DELETE', ['POST']],
    ['/Users/.search', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE']],
    ['/ServiceProviderConfig', 'GET', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/ResourceTypes', 'GET', ['POST']],
    ['/Schemas/some-urn', 'GET', ['DELETE']],
  ] as const) {
    test(`${path} allows ${allow} and rejects other methods`, async () => {
      const directory = await service().createDirectory()
      for (const method of refused) {
        const response = await scim(directory, method, path, method === 'DELETE' ? undefined : {})
        assertScimError(response, 405)
        assert.equal(response.headers['allow'], allow)
      }
      const { status, text, headers } = await scim(directory, 'OPTIONS', path)
      assert.deepEqual([status, text, headers['allow']], [204, '', allow])
      assertScimError(await service().request('OPTIONS', directory.scim.path + path), 401)
    })
  }

  test('If-None-Match: * on PUT, PATCH and DELETE returns 412 when the resource exists, and changes nothing', async () => {
    const { directory, path } = await withUser()
    const group = await scim(directory, 'POST', '/Groups', { displayName: 'a' })
    for (const [method, where, body] of [
      ['PUT', path, { userName: 'b' }],
      ['PATCH', path, retitled('b')],
      ['DELETE', path, undefined],
      ['PUT', `/Groups/${group.body.id}`, { displayName: 'b' }],
      ['PATCH', `/Groups/${group.body.id}`, patchOf({ op: 'add', path: 'members', value: [{ value: path.slice(7) }] })],
      ['DELETE', `/Groups/${group.body.id}`, undefined],
    ] as const) {
      for (const tag of ['*', 'W/"1"']) {
        assertScimError(await scim(directory, method, where, body, { 'if-none-match': tag }), 412)
      }
      assert.equal((await scim(directory, 'GET', where)).headers['etag'], 'W/"1"')
    }
    assertScimError(await scim(directory, 'PUT', '/Users/nobody', { userName: 'b' }, { 'if-none-match': '*' }), 404)
    assert.equal((await scim(directory, 'PUT', path, { userName: 'b' }, { 'if-none-match': 'W/"7"' })).status, 200)
  })

  for (const path of ['', '/', '/nonsense', '/nonsense/Users', '/nonsense/Users/1?x=y', '/a/b/c/d']) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      test(`${method} /api/scim/v2.0${path} is a SCIM error`, async () => {
        assertScimError(await service().request(method, `/api/scim/v2.0${path}`), 404)
      })
    }
  }

  for (const path of ['/Me', '/me']) {
    test(`${path} returns 501`, async () => {
      const directory = await service().createDirectory()
      assertScimError(await scim(directory, 'GET', path), 501)
      assertScimError(await scim(directory, 'POST', path, {}), 501)
    })
  }

  test('a body over the limit returns 413', async () => {
    const directory = await service().createDirectory()
    const body = { userName: 'a', title: 'x'.repeat(20_000) }
    assertScimError(await scim(directory, 'POST', '/Users', body), 413)
  })

  test('a body of another media type returns 415', async () => {
    const directory = await service().createDirectory()
    const headers = { 'content-type': 'text/plain' }
    assertScimError(await scim(directory, 'POST', '/Users', '{"userName":"a"}', headers), 415)
  })

  for (const type of [
    'application/scim+json',
    'application/json',
    'application/json; charset=utf-8',
    'Application/SCIM+JSON;charset=UTF-8',
  ]) {
    test(`a body of type ${type} is accepted`, async () => {
      const directory = await service().createDirectory()
      const { status, text } = await scim(directory, 'POST', '/Users', { userName: 'a' }, { 'content-type': type })
      assert.equal(status, 201, text)
    })
  }

  test('a DELETE may have a Content-Type without a body', async () => {
    const { directory, path } = await withUser()
    const headers = { 'content-type': 'application/scim+json' }
    assert.equal((await scim(directory, 'DELETE', path, undefined, headers)).status, 204)
  })

  test('ServiceProviderConfig describes the supported features', async () => {
    const directory = await service().createDirectory()
    const { status, text } = await scim(directory, 'GET', '/ServiceProviderConfig')
    assert.equal(status, 200)
    const { patch, bulk, etag, filter, meta } = JSON.parse(text)
    assert.deepEqual(
      { patch: patch.supported, bulk: bulk.supported, etag: etag.supported, filter: filter.supported },
      { patch: true, bulk: true, etag: true, filter: true },
    )
    assert.equal(meta.location, `${directory.scim.endpoint}/ServiceProviderConfig`)
  })

  test('resource types and schemas can be listed and read one by one', async () => {
    const directory = await service().createDirectory()
    for (const [path, count] of [
      ['/ResourceTypes', 2],
      ['/Schemas', 3],
    ] as const) {
      const { body } = await scim(directory, 'GET', path)
      assert.deepEqual([body.totalResults, body.itemsPerPage, body.Resources.length], [count, count, count])
      for (const resource of body.Resources) {
        assert.deepEqual((await scim(directory, 'GET', `${path}/${resource.id}`)).body, resource)
        assert.equal(resource.meta.location, `${directory.scim.endpoint}${path}/${resource.id}`)
      }
    }
  })

  for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas', '/ResourceTypes/User']) {
    test(`a filter on ${path} returns 403`, async () => {
      const directory = await service().createDirectory()
      assertScimError(await scim(directory, 'GET', `${path}?filter=id%20pr`), 403)
    })
  }

  test('a deactivated directory returns 403 and changes nothing until it is active again', async () => {
    const { directory, created, path } = await withUser()
    await service().api('PATCH', `/${directory.id}`, { deactivated: true })
    for (const [method, at, body] of [
      ['GET', '/Users', undefined],
      ['GET', '/ServiceProviderConfig', undefined],
      ['POST', '/Users', { userName: 'new' }],
      ['PUT', path, { userName: 'renamed' }],
      ['PATCH', path, retitled('a')],
      ['DELETE', path, undefined],
      ['POST', '/Groups', { displayName: 'new' }],
    ] as const) {
      assertScimError(await scim(directory, method, at, body), 403)
    }
    const scope = `directoryId=${directory.id}`
    const users = await service().api('GET', `/users?${scope}`)
    assert.deepEqual(
      users.body.data.map(({ raw }) => raw['userName']),
      ['bjensen@acme.example'],
    )
    await service().api('PATCH', `/${directory.id}`, { deactivated: false })
    assert.deepEqual((await scim(directory, 'GET', path)).body, created.body)
    assert.deepEqual((await scim(directory, 'GET', '/Groups')).body.totalResults, 0)
  })

  test('an unknown directory returns 404 before anything else is checked', async () => {
    const scimOf = (secret: string) => ({ scim: { path: '/api/scim/v2.0/nobody', secret, endpoint: '' } })
    const { scim: ask } = service()
    assertScimError(await ask(scimOf('any'), 'GET', '/Users'), 404)
    assertScimError(await ask(scimOf('any'), 'POST', '/Users', '{"broken'), 404)
    assertScimError(await ask(scimOf('any'), 'PUT', '/nothing/here'), 404)
    assertScimError(await service().request('GET', '/api/scim/v2.0/nobody/Users'), 404)
  })

  for (const { because, authorization, isToken = false } of [
    { because: 'it is missing', authorization: undefined },
    { because: 'it is wrong', authorization: () => 'Bearer wrong', isToken: true },
    { because: 'it is empty', authorization: () => 'Bearer ' },
    { because: 'it has no scheme', authorization: (secret: string) => secret },
    { because: 'its scheme is not Bearer', authorization: (secret: string) => `Basic ${secret}` },
    { because: 'it is cut short', authorization: (secret: string) => `Bearer ${secret.slice(0, -1)}`, isToken: true },
  ]) {
    test(`rejects a secret with 401 when ${because}, before anything else is checked`, async () => {
      const {
        scim: { path, secret },
      } = await service().createDirectory()
      const headers: Record<string, string> =
        authorization === undefined ? {} : { authorization: authorization(secret) }
      for (const [method, at, body] of [
        ['GET', '/Users', undefined],
        ['POST', '/Users', '{"broken'],
        ['DELETE', '/Users', undefined],
        ['GET', '/nothing/here', undefined],
        ['POST', '/Bulk', 'x'.repeat(30_000)],
      ] as const) {
        const response = await service().request(method, path + at, { headers, body })
        assertScimError(response, 401)
        const challenge = String(response.headers['www-authenticate'])
        assert.match(challenge, isToken ? /^Bearer realm="SCIM", error="invalid_token", / : /^Bearer realm="SCIM"$/)
      }
    })
  }

  test('the name of the scheme may be in any letter case', async () => {
    const {
      scim: { path, secret },
    } = await service().createDirectory()
    const { status } = await service().request('GET', `${path}/Users`, {
      headers: { authorization: `bearer ${secret}` },
    })
    assert.equal(status, 200)
  })

  test('a secret is valid for its own directory only', async () => {
    const [first, second] = [await service().createDirectory(), await service().createDirectory({ tenant: 'zeta' })]
    const crossed = { scim: { ...first.scim, secret: second.scim.secret } }
    assertScimError(await service().scim(crossed, 'GET', '/Users'), 401)
  })

  test('a user of another directory cannot be found, changed or referenced', async () => {
    const { path, created } = await withUser()
    const other = await service().createDirectory({ tenant: 'zeta' })
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { userName: 'a' }],
      ['PATCH', retitled('a')],
      ['DELETE', undefined],
    ] as const) {
      assertScimError(await scim(other, method, path, body), 404)
    }
    const group = await scim(other, 'POST', '/Groups', { displayName: 'a', members: [{ value: created.body.id }] })
    assert.deepEqual([group.status, group.body.members ?? []], [201, []])
  })
})
