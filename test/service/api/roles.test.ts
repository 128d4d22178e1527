import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { eventually } from '../../support/eventually.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

const department = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department'

const mapping = {
  attributes: {
    department: { from: [department, 'title'], transform: [{ map: { it: 'Engineering' } }, { default: 'Other' }] },
  },
  roles: {
    default: ['member'],
    keep_at_least: { admin: 1 },
    rules: [
      { id: 'admins', role: 'admin', when: { group_name: 'Admins' } },
      { id: 'agency', deny: 'admin', when: { filter: 'userType eq "Contractor"' } },
    ],
  },
}

/** Answers as tests read them. */
interface Loose {
  readonly data: Record<string, unknown> & readonly Record<string, unknown>[]
  readonly pageToken?: string
}

async function call(service: TestService, method: string, path: string, body?: unknown): Promise<Loose> {
  const answer = await service.api(method, path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as unknown as Loose
}

const runOf = async (service: TestService, id: string) =>
  (await call(service, 'GET', `/${id}/mapping`)).data['run'] as { state: string } | null

async function put(service: TestService, { id }: DirectoryView, document: object): Promise<void> {
  await call(service, 'PUT', `/${id}/mapping`, { mapping: document })
  await eventually('the run to be completed', async () => (await runOf(service, id))?.state === 'completed')
}

async function create(service: TestService, directory: DirectoryView, path: string, body: object): Promise<string> {
  const { status, text } = await service.scim(directory, 'POST', path, body)
  assert.equal(status, 201, text)
  return (JSON.parse(text) as { id: string }).id
}

const members = (op: string, id: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op, path: op === 'remove' ? `members[value eq "${id}"]` : 'members', value: [{ value: id }] }],
})

/** A directory with the mapping, an administrator by a group, and a contractor in the same group. */
async function world(service: TestService) {
  const directory = await service.createDirectory()
  const ann = await create(service, directory, '/Users', { userName: 'ann', title: 'it' })
  const bob = await create(service, directory, '/Users', { userName: 'bob', userType: 'Contractor' })
  const group = await create(service, directory, '/Groups', {
    displayName: 'admins',
    members: [{ value: ann }, { value: bob }],
  })
  await put(service, directory, mapping)
  return { directory, ann, bob, group, at: `/${directory.id}` }
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  test('users get roles and attributes by a run, are found by role, and the feed says why', async () => {
    const { directory, ann, bob, group, at } = await world(service())
    const scope = `directoryId=${directory.id}`
    const user = (await call(service(), 'GET', `/users/${ann}?${scope}`)).data
    assert.deepEqual([user['roles'], user['attributes']], [['admin'], { department: 'Engineering' }])
    const admins = await call(service(), 'GET', `/users?${scope}&role=admin`)
    assert.deepEqual(
      admins.data.map(({ id }) => id),
      [ann],
    )
    const both = await call(service(), 'GET', `/users?${scope}`)
    assert.deepEqual(
      both.data.map(({ roles }) => roles),
      [['admin'], ['member']],
    )
    const events = (await call(service(), 'GET', `/feed?${scope}`)).data
    const changed = events.filter(({ event }) => event === 'user.updated')
    assert.deepEqual(changed[0]?.['changes'], {
      roles: {
        from: [],
        to: ['admin'],
        because: [{ role: 'admin', rule: 'admins', group: { id: group, name: 'admins' } }],
      },
      'attributes.department': { from: null, to: 'Engineering' },
    })
    const why = (await call(service(), 'GET', `${at}/users/${bob}/roles`)).data
    assert.deepEqual(why, {
      roles: [{ role: 'member', because: [{ rule: null }] }],
      denied: [{ role: 'admin', because: [{ rule: 'agency', filter: 'userType eq "Contractor"' }] }],
    })
    const seen = (await call(service(), 'GET', `${at}/mapping/attributes`)).data
    assert.deepEqual(
      seen.find(({ path }) => path === 'title'),
      { path: 'title', users: 1, examples: ['it'] },
    )
    const timeline = (await call(service(), 'GET', `${at}/users/${ann}/timeline`)).data
    assert.match(JSON.stringify(timeline), /"rule":"admins"/)
  })

  test('a change over SCIM changes roles in its own commit, and the last administrator is held', async () => {
    const { directory, ann, bob, group, at } = await world(service())
    await service().scim(directory, 'PUT', `/Users/${bob}`, { userName: 'bob', userType: 'Employee' })
    const roles = async (id: string) =>
      (await call(service(), 'GET', `/users/${id}?directoryId=${directory.id}`)).data['roles']
    assert.deepEqual(await roles(bob), ['admin'])
    await service().scim(directory, 'PATCH', `/Groups/${group}`, members('remove', bob))
    assert.deepEqual(await roles(bob), ['member'])
    assert.equal((await call(service(), 'GET', `${at}/hold`)).data['held'], false)
    await service().scim(directory, 'PATCH', `/Groups/${group}`, members('remove', ann))
    const hold = (await call(service(), 'GET', `${at}/hold`)).data
    assert.partialDeepStrictEqual(hold, { held: true, reason: 'roles', role: 'admin', role_users: 0, keep_at_least: 1 })
    const health = (await call(service(), 'GET', `${at}/health`)).data
    assert.match(JSON.stringify(health['reasons']), /a change left 0 users with the role admin, and 1 must keep it/)
    assert.equal((await call(service(), 'POST', `${at}/hold/release`)).data['held'], false)
    const events = (await call(service(), 'GET', `/feed?directoryId=${directory.id}`)).data
    assert.partialDeepStrictEqual(events.at(-1), { event: 'user.updated', data: { id: ann, roles: ['member'] } })
  })

  test('a preview changes nothing, says what the run then does, and pages the users', async () => {
    const { directory, ann, at } = await world(service())
    const wanted = {
      mapping: {
        attributes: mapping.attributes,
        roles: { rules: [{ id: 'x', role: 'owner', when: { group_name: 'Owners' } }] },
      },
    }
    const first = await call(service(), 'POST', `${at}/mapping/preview?pageLimit=1`, wanted)
    assert.partialDeepStrictEqual(first.data, {
      ...{ version: 1, evaluated: 2, changed: 2, attributes: {} },
      roles: { admin: { gain: 0, lose: 1 }, member: { gain: 0, lose: 1 } },
      users: [{ id: ann, before: { roles: ['admin'] }, after: { roles: [] }, because: [] }],
    })
    assert.deepEqual(
      (first.data['warnings'] as { code: string }[]).map(({ code }) => code),
      ['group-missing', 'rule-for-nobody'],
    )
    const second = await call(
      service(),
      'POST',
      `${at}/mapping/preview?pageLimit=1&pageToken=${first.pageToken}`,
      wanted,
    )
    assert.deepEqual([(second.data['users'] as unknown[]).length, second.pageToken], [1, undefined])
    assert.equal((await call(service(), 'GET', `${at}/mapping`)).data['version'], 1)
    await put(service(), directory, wanted.mapping)
    assert.partialDeepStrictEqual(await runOf(service(), directory.id), { evaluated: 2, changed: 2 })
  })

  test('a mapping that is wrong is refused with the rule and the reason, and one of another version with 409', async () => {
    const { id } = await service().createDirectory()
    const wrong = {
      roles: {
        rules: [
          { id: 'a', role: 'admin', when: { filter: 'name.givenNam eq "x"' } },
          { role: 'b', when: {} },
        ],
      },
    }
    const refused = await service().api('PUT', `/${id}/mapping`, { mapping: wrong })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /rules\[0\] \(a\).*name\.givenName/)
    assert.match(refused.text, /rules\[1\].when: name a group/)
    assert.equal((await service().api('PUT', `/${id}/mapping`, { mapping: {}, version: 3 })).status, 409)
    assert.equal((await service().api('PUT', `/${id}/mapping`, { mapping: {}, version: 0 })).status, 200)
    assert.equal((await service().api('DELETE', `/${id}/mapping`)).status, 200)
    assert.equal((await service().api('DELETE', `/${id}/mapping`)).status, 404)
    const versions = (await call(service(), 'GET', `/${id}/mapping/versions`)).data
    assert.deepEqual(
      versions.map(({ version, mapping: document }) => [version, document]),
      [
        [2, null],
        [1, {}],
      ],
    )
  })

  test('the mapping of a product reaches its directories, and those of its own keep theirs', async () => {
    const product = `roles-${engine}`
    const [one, other] = [await service().createDirectory({ product }), await service().createDirectory({ product })]
    await put(service(), other, { roles: { default: ['guest'] } })
    const ann = await create(service(), one, '/Users', { userName: 'ann' })
    const bob = await create(service(), other, '/Users', { userName: 'bob' })
    await call(service(), 'PUT', `/mapping?product=${product}`, { mapping })
    const roles = async (directory: DirectoryView, id: string) =>
      (await call(service(), 'GET', `/users/${id}?directoryId=${directory.id}`)).data['roles']
    await eventually('the mapping to reach the user', async () => String(await roles(one, ann)) === 'member')
    assert.deepEqual(await roles(other, bob), ['guest'])
    assert.partialDeepStrictEqual((await call(service(), 'GET', `/${one.id}/mapping`)).data, {
      inherited: true,
      version: 0,
    })
    const third = await service().createDirectory({ product })
    const cid = await create(service(), third, '/Users', { userName: 'cid' })
    assert.deepEqual(await roles(third, cid), ['member'])
    await call(service(), 'DELETE', `/mapping?product=${product}`)
    await eventually('the roles to be gone', async () => (await roles(third, cid)) === undefined)
  })

  test('a version that was read with the mapping of the product does not replace a directory’s own one', async () => {
    const product = `versions-${engine}`
    await call(service(), 'PUT', `/mapping?product=${product}`, { mapping: { roles: { default: ['guest'] } } })
    const { id } = await service().createDirectory({ product })
    const { version } = (await call(service(), 'GET', `/${id}/mapping`)).data
    await call(service(), 'PUT', `/${id}/mapping`, { mapping: { roles: { default: ['first'] } }, version })
    const second = await service().api('PUT', `/${id}/mapping`, {
      mapping: { roles: { default: ['second'] } },
      version,
    })
    assert.equal(second.status, 409)
    assert.match(second.text, /last version of this mapping is 1, not 0/)
    await call(service(), 'DELETE', `/${id}/mapping`)
    const again = await service().api('PUT', `/${id}/mapping`, {
      mapping: { roles: { default: ['third'] } },
      version: 1,
    })
    assert.equal(again.status, 409)
    assert.partialDeepStrictEqual((await call(service(), 'GET', `/${id}/mapping`)).data, {
      inherited: true,
      version: 2,
    })
  })

  test('a directory that extends the mapping of its product follows it, and previews of both say so', async () => {
    const product = `extended-${engine}`
    const directory = await service().createDirectory({ product })
    const at = `/${directory.id}/mapping`
    const ann = await create(service(), directory, '/Users', { userName: 'ann', title: 'it' })
    const own = { extends: 'product', roles: { rules: [{ id: 'it', role: 'it', when: { filter: 'title eq "it"' } }] } }
    const refused = await service().api('PUT', `/mapping?product=${product}`, { mapping: own })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /extends: the mapping of a product extends none/)
    await put(service(), directory, own)
    const first = { roles: { rules: [{ id: 'all', role: 'guest', when: { filter: 'userName pr' } }] } }
    const change = { before: { roles: ['it'] }, after: { roles: ['guest', 'it'] }, because: [{ rule: 'all' }] }
    assert.partialDeepStrictEqual(
      (await call(service(), 'POST', `/mapping/preview?product=${product}`, { mapping: first })).data,
      { changed: 1, roles: { guest: { gain: 1 } }, warnings: [], users: [{ id: ann, ...change }] },
    )
    await call(service(), 'PUT', `/mapping?product=${product}`, { mapping: first })
    const roles = async () =>
      (await call(service(), 'GET', `/users/${ann}?directoryId=${directory.id}`)).data['roles'] as string[]
    await eventually('the mapping of the product to be followed', async () => String(await roles()) === 'guest,it')
    assert.partialDeepStrictEqual((await call(service(), 'GET', at)).data, {
      mapping: own,
      inherited: false,
      version: 1,
    })
    const why = (await call(service(), 'GET', `/${directory.id}/users/${ann}/roles`)).data
    assert.deepEqual(
      (why['roles'] as { because: { rule: string }[] }[]).map(({ because }) => because[0]?.rule),
      ['all', 'it'],
    )
    const replacing = { ...own, roles: { rules: [{ id: 'all', role: 'staff', when: { filter: 'userName pr' } }] } }
    const preview = (await call(service(), 'POST', `${at}/preview`, { mapping: replacing })).data
    assert.partialDeepStrictEqual(preview, { changed: 1, users: [{ after: { roles: ['staff'] } }] })
    await put(service(), directory, replacing)
    assert.deepEqual(await roles(), ['staff'])
    await call(service(), 'DELETE', at)
    await eventually('the mapping of the product to be inherited', async () => String(await roles()) === 'guest')
  })
})
