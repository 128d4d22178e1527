import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRollcall } from '../../../src/index.ts'
import type { Answer } from '../../support/client.ts'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'
import { openLink } from '../api/support/setup-link.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:'
const messages = 'urn:ietf:params:scim:api:messages:2.0:'
const extension = 'urn:ietf:params:scim:schemas:extension:rollcall:2.0:ServiceProviderConfig'
const user = (fields: object = {}) => ({ schemas: [`${core}User`], userName: 'ann', ...fields })
const group = (displayName: string, fields: object = {}) => ({ schemas: [`${core}Group`], displayName, ...fields })
const patch = (...Operations: object[]) => ({ schemas: [`${messages}PatchOp`], Operations })

type Directory = Awaited<ReturnType<TestService['createDirectory']>>

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const strict = () => service().createDirectory({ scim_profile: 'strict' })
  const scim = (directory: Directory, method: string, path: string, body?: unknown) =>
    service().scim(directory, method, path, body)
  const turn = (directory: Directory, scim_profile: string) =>
    service().api('PATCH', `/${directory.id}`, { scim_profile })
  const profileOf = async (directory: Directory) =>
    Reflect.get((await scim(directory, 'GET', '/ServiceProviderConfig')).body, extension)

  test('a directory is tolerant unless it is created strict, and can be turned both ways', async () => {
    const directory = await service().createDirectory()
    assert.deepEqual([directory.scim_profile, await profileOf(directory)], ['tolerant', undefined])
    assertApiError(await turn(directory, 'lenient'), 400)
    const unknown = user({ helmetSize: 7 })
    assert.equal((await scim(directory, 'POST', '/Users', unknown)).status, 201)
    assert.equal((await turn(directory, 'strict')).body.data.scim_profile, 'strict')
    assert.deepEqual(await profileOf(directory), { scimProfile: 'strict' })
    assertScimError(await scim(directory, 'POST', '/Users', { ...unknown, userName: 'bob' }), 400, 'invalidSyntax')
    assert.equal((await turn(directory, 'tolerant')).body.data.scim_profile, 'tolerant')
    assert.equal((await scim(directory, 'POST', '/Users', { ...unknown, userName: 'bob' })).status, 201)
  })

  test('the schemas of a strict directory have no password, and those of a tolerant one are as before', async () => {
    const passwords = async (directory: Directory) =>
      (await scim(directory, 'GET', '/Schemas')).text.includes('"password"')
    assert.equal(await passwords(await strict()), false)
    assert.equal(await passwords(await service().createDirectory()), true)
    const { text } = await scim(await strict(), 'GET', `/Schemas/${core}User`)
    assert.doesNotMatch(text, /password|isStrict/)
  })

  test('every way of sending something undefined is rejected, and changes nothing', async () => {
    const directory = await strict()
    const { body: ann } = await scim(directory, 'POST', '/Users', user({ title: 'Guide' }))
    const path = `/Users/${ann.id}`
    const rejected: [Answer, string][] = [
      [await scim(directory, 'POST', '/Users', user({ userName: 'bob', helmetSize: 7 })), 'invalidSyntax'],
      [await scim(directory, 'POST', '/Users', { userName: 'bob' }), 'invalidSyntax'],
      [await scim(directory, 'PUT', path, user({ password: 'pw' })), 'invalidSyntax'],
      [await scim(directory, 'PUT', path, { schemas: [`${core}User`], title: 'Pilot' }), 'invalidValue'],
      [await scim(directory, 'PUT', path, user({ active: 'False' })), 'invalidValue'],
      [await scim(directory, 'PATCH', path, { Operations: [{ op: 'remove', path: 'title' }] }), 'invalidSyntax'],
      [await scim(directory, 'PATCH', path, patch({ op: 'add', path: 'helmetSize', value: 7 })), 'invalidPath'],
      [await scim(directory, 'PATCH', path, patch({ op: 'add', path: 'active', value: 'False' })), 'invalidValue'],
      [await scim(directory, 'PATCH', path, patch({ op: 'add', value: { emails: [] } })), 'invalidSyntax'],
      [await scim(directory, 'GET', '/Users?filter=helmetSize%20eq%20%227%22'), 'invalidFilter'],
      [await scim(directory, 'GET', '/Users?sortBy=helmetSize'), 'invalidSyntax'],
      [await scim(directory, 'GET', '/?sortBy=helmetSize'), 'invalidSyntax'],
      [await scim(directory, 'GET', '/Users?attributes=helmetSize'), 'invalidSyntax'],
      [await scim(directory, 'GET', `${path}?excludedAttributes=password`), 'invalidSyntax'],
      [await scim(directory, 'PUT', `${path}?attributes=helmetSize`, user({ title: 'Pilot' })), 'invalidSyntax'],
      [await scim(directory, 'GET', '/?attributes=userName,helmetSize'), 'invalidSyntax'],
      [await scim(directory, 'POST', '/Users/.search', { filter: 'userName pr' }), 'invalidSyntax'],
      [await scim(directory, 'POST', '/.search', { filter: 'userName pr' }), 'invalidSyntax'],
      [await scim(directory, 'POST', '/Bulk', { Operations: [] }), 'invalidSyntax'],
      [await scim(directory, 'POST', '/Groups', group('A', { members: ann.id })), 'invalidValue'],
      [await scim(directory, 'POST', '/Groups', group('A', { members: { value: ann.id } })), 'invalidValue'],
    ]
    for (const [answer, scimType] of rejected) assertScimError(answer, 400, scimType)
    assert.deepEqual((await scim(directory, 'GET', path)).body, ann)
    assert.equal((await scim(directory, 'GET', '/Users')).body.totalResults, 1)
    assert.equal((await scim(directory, 'GET', '/Groups')).body.totalResults, 0)
  })

  test('a query of users and groups together names the attributes of both', async () => {
    const directory = await strict()
    await scim(directory, 'POST', '/Users', user({ title: 'Guide' }))
    await scim(directory, 'POST', '/Groups', group('Guides'))
    const { body } = await scim(directory, 'GET', '/?attributes=userName,displayName')
    assert.deepEqual(
      body.Resources.map(({ userName, displayName }) => [userName, displayName]),
      [
        ['ann', undefined],
        [undefined, 'Guides'],
      ],
    )
  })

  test('operations of a bulk request are read as single requests are', async () => {
    const directory = await strict()
    const { body } = await scim(directory, 'POST', '/Bulk', {
      schemas: [`${messages}BulkRequest`],
      Operations: [
        { method: 'POST', path: '/Users', bulkId: 'a', data: user() },
        { method: 'POST', path: '/Users', bulkId: 'b', data: user({ userName: 'bob', size: 7 }) },
        { method: 'POST', path: '/Groups', bulkId: 'c', data: group('Guides', { members: [{ value: 'bulkId:a' }] }) },
        { method: 'POST', path: '/Groups', bulkId: 'd', data: group('guides') },
      ],
    })
    const results = Reflect.get(body, 'Operations') as { status: string }[]
    assert.deepEqual(
      results.map(({ status }) => status),
      ['201', '400', '201', '409'],
    )
  })

  test('a user is deactivated by a PATCH without a path, as Okta sends it, with its schemas', async () => {
    const directory = await strict()
    const { body: ann } = await scim(directory, 'POST', '/Users', user())
    const { body } = await scim(
      directory,
      'PATCH',
      `/Users/${ann.id}`,
      patch({ op: 'replace', value: { active: false } }),
    )
    assert.equal(body.active, false)
  })

  test('of concurrent groups of one name in different letter cases, one is created in a strict directory', async () => {
    const directory = await strict()
    assert.equal(directory.unique_group_names, false)
    const names = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'Admins' : 'admins'))
    const answers = await Promise.all(names.map((name) => scim(directory, 'POST', '/Groups', group(name))))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(11).fill(409)])
    const [refused] = answers.filter(({ status }) => status === 409)
    assert(refused)
    assertScimError(refused, 409, 'uniqueness')
  })

  test('groups that share a name when a directory becomes strict stay, until one is given a name that is taken', async () => {
    const directory = await service().createDirectory()
    const [first, second] = await Promise.all(
      ['Admins', 'admins'].map(async (name) => (await scim(directory, 'POST', '/Groups', group(name))).body.id),
    )
    await turn(directory, 'strict')
    for (const id of [first, second]) assert.equal((await scim(directory, 'GET', `/Groups/${id}`)).status, 200)
    const rename = (displayName: string) => patch({ op: 'replace', path: 'displayName', value: displayName })
    assert.equal((await scim(directory, 'PATCH', `/Groups/${second}`, rename('Others'))).status, 204)
    assertScimError(await scim(directory, 'PATCH', `/Groups/${second}`, rename('ADMINS')), 409, 'uniqueness')
    await turn(directory, 'tolerant')
    assert.equal((await scim(directory, 'PATCH', `/Groups/${second}`, rename('ADMINS'))).status, 204)
  })

  test('a user with attributes from tolerant times is read and patched; a PUT must leave them out', async () => {
    const directory = await service().createDirectory()
    const { body: ann } = await scim(directory, 'POST', '/Users', user({ helmetSize: 7 }))
    await turn(directory, 'strict')
    const path = `/Users/${ann.id}`
    const { body } = await scim(directory, 'PATCH', path, patch({ op: 'add', path: 'title', value: 'Guide' }))
    assert.equal(Reflect.get(body, 'helmetSize'), 7)
    assertScimError(await scim(directory, 'PUT', path, body), 400, 'invalidSyntax')
    assert.equal(Reflect.get((await scim(directory, 'PUT', path, user())).body, 'helmetSize'), undefined)
  })

  test('a setup link makes a directory of its profile, and names the profile', async () => {
    const { link, call } = await openLink(service(), { tenant: 'linked', scim_profile: 'strict' })
    assert.equal(link.scim_profile, 'strict')
    await call('POST', '/directory', { type: 'okta-scim-v2' })
    const { body } = await service().api('GET', '/?tenant=linked&product=crm')
    assert.deepEqual(
      body.data.map(({ scim_profile }) => scim_profile),
      ['strict'],
    )
    const other = { tenant: 'linked', product: 'crm', scim_profile: 'tolerant' }
    const refused = await service().api('POST', '/setuplinks', other)
    assertApiError(refused, 409)
    assert.match(refused.body.error.message, /scim_profile/)
    const { link: usual } = await openLink(service(), { tenant: 'usual' })
    assert.equal(usual.scim_profile, 'tolerant')
  })
})

test('the library reads the requests of a strict directory in the same way', async () => {
  const rollcall = await createRollcall({ databaseUrl: 'sqlite::memory:', externalUrl: 'http://localhost:3000' })
  const fields = { tenant: 'acme', product: 'crm', scim_profile: 'strict' } as const
  const { data: directory } = await rollcall.directories.create(fields)
  assert.equal(directory?.scim_profile, 'strict')
  const call = { directoryId: directory.id, apiSecret: directory.scim.secret, method: 'POST', resourceType: 'users' }
  const answer = async (body: object) => (await rollcall.requests.handle({ ...call, body })).status
  assert.deepEqual([await answer(user()), await answer(user({ userName: 'bob', size: 7 }))], [201, 400])
  const config = { ...call, method: 'GET', resourceType: 'ServiceProviderConfig' }
  assert.deepEqual(Reflect.get((await rollcall.requests.handle(config)).data ?? {}, extension), {
    scimProfile: 'strict',
  })
  await rollcall.close()
})
