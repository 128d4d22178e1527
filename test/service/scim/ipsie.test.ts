import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../support/client.ts'
import { assertScimError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

/*
 * Requirements of the SCIM interoperability profile and of IPSIE's account lifecycle levels that no other test has, on a strict
 * directory. docs/ipsie.md lists all of them.
 */

const core = 'urn:ietf:params:scim:schemas:core:2.0:'
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

interface Operation {
  readonly op: string
  readonly path: string
  readonly value?: unknown
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  async function strict() {
    const directory = await service().createDirectory({ scim_profile: 'strict' })
    const send = (method: string, path: string, body?: object) => service().scim(directory, method, path, body)
    const created = async (path: string, body: object) => {
      const { status, body: resource, text } = await send('POST', path, body)
      assert.equal(status, 201, text)
      return resource
    }
    return {
      send,
      user: (userName: string, fields: object = {}) =>
        created('/Users', { schemas: [`${core}User`], userName, ...fields }),
      group: (displayName: string, fields: object = {}) =>
        created('/Groups', { schemas: [`${core}Group`], displayName, ...fields }),
      patch: (path: string, ...Operations: Operation[]) => send('PATCH', path, { schemas: [patchOp], Operations }),
      found: async (path: string, filter: string) => {
        const { body, status, text } = await send('GET', `${path}?filter=${encodeURIComponent(filter)}`)
        assert.equal(status, 200, text)
        return body.Resources.map(({ id }) => id)
      },
    }
  }

  const attribute = ({ body }: Pick<Answer, 'body'>, name: string): unknown => Reflect.get(body, name)
  const email = (value: string, type = 'work') => ({ value, type })

  test('users are found by userName, externalId and email address, alone and with its type', async () => {
    const { user, found } = await strict()
    const ann = await user('ann', { externalId: 'Badge-1', emails: [email('ann@acme.example')] })
    await user('bob', { externalId: 'badge-1', emails: [email('ann@acme.example', 'home'), email('bob@acme.example')] })
    assert.deepEqual(await found('/Users', 'userName eq "ANN"'), [ann.id])
    assert.deepEqual(await found('/Users', 'externalId eq "Badge-1"'), [ann.id])
    assert.equal((await found('/Users', 'emails[value eq "ann@acme.example"]')).length, 2)
    assert.deepEqual(await found('/Users', 'emails[type eq "work" and value eq "ann@acme.example"]'), [ann.id])
    assert.deepEqual(await found('/Users', 'userName eq "ann" and externalId eq "Badge-1"'), [ann.id])
  })

  test('groups are found by displayName, externalId and member', async () => {
    const { user, group, found } = await strict()
    const ann = await user('ann')
    const guides = await group('Guides', { externalId: 'g-1', members: [{ value: ann.id }] })
    await group('Pilots')
    assert.deepEqual(await found('/Groups', 'displayName eq "guides"'), [guides.id])
    assert.deepEqual(await found('/Groups', 'externalId eq "g-1"'), [guides.id])
    assert.deepEqual(await found('/Groups', `members[value eq "${ann.id}"]`), [guides.id])
  })

  test('letter case decides about an id and an externalId, not about a userName: in filters and for uniqueness', async () => {
    const { send, user, found } = await strict()
    const ann = await user('ann', { externalId: 'abc' })
    const bob = await user('bob', { externalId: 'ABC' })
    assert.deepEqual(await found('/Users', 'externalId eq "ABC"'), [bob.id])
    assert.deepEqual(await found('/Users', `id eq "${ann.id.toUpperCase()}"`), [])
    assertScimError(await send('GET', `/Users/${ann.id.toUpperCase()}`), 404)
    assertScimError(await send('POST', '/Users', { schemas: [`${core}User`], userName: 'ANN' }), 409, 'uniqueness')
  })

  test('userName, displayName, active and externalId of a user are declared, stored and returned', async () => {
    const { send, user } = await strict()
    const fields = { displayName: 'Ann Archer', active: true, externalId: 'badge-1' }
    const { id } = await user('ann', fields)
    const { body } = await send('GET', `/Users/${id}`)
    assert.partialDeepStrictEqual(body, { userName: 'ann', ...fields })
    const schema = (await send('GET', `/Schemas/${core}User`)).body as unknown as { attributes: Defined[] }
    const names = schema.attributes.map(({ name }) => name)
    // The RFC defines externalId for every resource, outside of the schemas.
    for (const name of ['userName', 'displayName', 'active']) assert(names.includes(name), name)
  })

  test('a user is deactivated, stays, and is reactivated', async () => {
    const { send, user, patch } = await strict()
    const path = `/Users/${(await user('ann')).id}`
    for (const active of [false, true]) {
      assert.equal((await patch(path, { op: 'replace', path: 'active', value: active })).body.active, active)
      assert.equal((await send('GET', path)).body.active, active)
    }
  })

  test('a deleted user is found by nothing, and its userName can be used again', async () => {
    const { send, user, patch, found } = await strict()
    const { id } = await user('ann')
    assert.equal((await send('DELETE', `/Users/${id}`)).status, 204)
    for (const method of ['GET', 'DELETE']) assertScimError(await send(method, `/Users/${id}`), 404)
    assertScimError(await patch(`/Users/${id}`, { op: 'remove', path: 'title' }), 404)
    assert.deepEqual(await found('/Users', 'userName eq "ann"'), [])
    assert.notEqual((await user('ann')).id, id)
  })

  test('add and replace of a simple attribute do the same, and one PATCH changes several attributes', async () => {
    const { user, patch } = await strict()
    const path = `/Users/${(await user('ann', { title: 'Guide' })).id}`
    const answer = await patch(
      path,
      { op: 'add', path: 'title', value: 'Pilot' },
      { op: 'replace', path: 'nickName', value: 'Annie' },
      { op: 'add', path: 'name.givenName', value: 'Ann' },
    )
    assert.deepEqual([attribute(answer, 'title'), attribute(answer, 'nickName')], ['Pilot', 'Annie'])
    assert.deepEqual(attribute(answer, 'name'), { givenName: 'Ann' })
  })

  test('an add to an object merges; an add to a list appends, and a replace exchanges it', async () => {
    const { user, patch } = await strict()
    const first = email('a@acme.example')
    const path = `/Users/${(await user('ann', { name: { familyName: 'Archer' }, emails: [first] })).id}`
    const second = email('b@acme.example', 'home')
    const added = await patch(
      path,
      { op: 'add', path: 'name', value: { givenName: 'Ann' } },
      { op: 'add', path: 'emails', value: [second] },
    )
    assert.deepEqual(attribute(added, 'name'), { familyName: 'Archer', givenName: 'Ann' })
    assert.deepEqual(attribute(added, 'emails'), [first, second])
    const replaced = await patch(path, { op: 'replace', path: 'emails', value: [second] })
    assert.deepEqual(attribute(replaced, 'emails'), [second])
  })

  test('a group is created without members, and one PATCH adds and removes 100 of them in as many operations', async () => {
    const { send, user, group, patch } = await strict()
    const path = `/Groups/${(await group('Guides')).id}`
    const users = await Promise.all(Array.from({ length: 100 }, (_, index) => user(`user-${index}`)))
    const add = users.map(({ id }) => ({ op: 'add', path: 'members', value: [{ value: id }] }))
    assert.equal((await patch(path, ...add)).status, 204)
    assert.equal((await send('GET', path)).body.members?.length, 100)
    const remove = users.map(({ id }) => ({ op: 'remove', path: `members[value eq "${id}"]` }))
    assert.equal((await patch(path, ...remove)).status, 204)
    assert.equal((await send('GET', path)).body.members?.length ?? 0, 0)
  })

  test('pages have 100 resources by default and as many as are requested, up to 1,000', async () => {
    const { send, user } = await strict()
    await Promise.all(Array.from({ length: 101 }, (_, index) => user(`user-${index}`)))
    assert.equal((await send('GET', '/Users')).body.itemsPerPage, 100)
    assert.equal((await send('GET', '/Users?count=101')).body.itemsPerPage, 101)
    const { filter } = (await send('GET', '/ServiceProviderConfig')).body as unknown as { filter: object }
    assert.deepEqual(filter, { supported: true, maxResults: 1000 })
  })

  test('every resource type has its own endpoint, an id that is its name, and schemas that can be read', async () => {
    const { send } = await strict()
    const { body } = await send('GET', '/ResourceTypes')
    const types = body.Resources as unknown as readonly (Record<'id' | 'name' | 'endpoint' | 'schema', string> & {
      readonly schemaExtensions?: readonly { readonly schema: string }[]
    })[]
    for (const { id, name, schema, schemaExtensions = [] } of types) {
      assert.equal(id, name)
      for (const urn of [schema, ...schemaExtensions.map((extension) => extension.schema)])
        assert.equal((await send('GET', `/Schemas/${urn}`)).body.id, urn)
    }
    assert.deepEqual(
      types.map(({ endpoint }) => endpoint),
      ['/Users', '/Groups'],
    )
  })

  test('a resource is addressed by its id alone', async () => {
    const { send, user } = await strict()
    await user('ann', { externalId: 'badge-1' })
    for (const other of ['ann', 'badge-1']) assertScimError(await send('GET', `/Users/${other}`), 404)
  })

  test('the types of emails, phone numbers, ims, photos and addresses are declared', async () => {
    const { send } = await strict()
    const { body } = await send('GET', `/Schemas/${core}User`)
    const lists = body as unknown as { attributes: { name: string; subAttributes?: Defined[] }[] }
    for (const name of ['emails', 'phoneNumbers', 'ims', 'photos', 'addresses']) {
      const type = lists.attributes.find((one) => one.name === name)?.subAttributes?.find((one) => one.name === 'type')
      assert(type?.canonicalValues?.includes(name === 'ims' ? 'skype' : name === 'photos' ? 'photo' : 'work'), name)
    }
  })

  test('responses have the media type of SCIM, errors too', async () => {
    const { send } = await strict()
    for (const path of ['/Users', '/Users/nobody', '/Schemas', '/ServiceProviderConfig']) {
      assert.match(String((await send('GET', path)).headers['content-type']), /^application\/scim\+json/)
    }
  })
})

interface Defined {
  readonly name: string
  readonly canonicalValues?: readonly string[]
}
