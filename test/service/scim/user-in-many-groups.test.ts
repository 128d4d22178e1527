import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstGroups } from '../../../src/directory/directory-store.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'

const count = firstGroups + 350

/** A directory with a user in many groups, and another in a few. */
async function openSubject(engine: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(engine)
  const directory = await service.createDirectory()
  const create = async (userName: string) =>
    (await service.scim(directory, 'POST', '/Users', { userName, title: 'Guide' })).body.id
  const [many, few] = [await create('many'), await create('few')]
  const members = [{ value: many }]
  const Operations = Array.from({ length: count }, (_, n) => ({
    ...{ method: 'POST', path: '/Groups', bulkId: `${n}` },
    data: { displayName: `Group ${n}`, members: n < 3 ? [...members, { value: few }] : members },
  }))
  const { text } = await service.scim(directory, 'POST', '/Bulk', { Operations })
  const made = JSON.parse(text).Operations as readonly { readonly location: string }[]
  const groupIds = made.map(({ location }) => location.split('/').at(-1) ?? assert.fail())
  return { service, directory, many, few, groupIds, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

interface Reference {
  readonly value: string
  readonly display: string
}

forEachEngine((engine) => {
  const subject = forSuite(() => openSubject(engine))
  const scim = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    subject().service.scim(subject().directory, method, path, body, headers)
  const groupsOf = ({ body }: { readonly body: unknown }) => (body as { groups?: readonly Reference[] }).groups ?? []
  const idsOf = (groups: readonly Reference[]) => new Set(groups.map(({ value }) => value))

  test('a user has all of its groups wherever it is read, with one entity tag', async () => {
    const { service, directory, many, few, groupIds } = subject()
    const all = new Set(groupIds)
    const read = await scim('GET', `/Users/${many}`)
    const { body, headers } = read
    assert.deepEqual(idsOf(groupsOf(read)), all)
    assert.equal(groupsOf(read).length, count)
    assert.equal(body.meta.version, headers['etag'])
    const listed = await scim('GET', '/Users')
    const [first, second] = listed.body.Resources
    assert.deepEqual(first, body)
    assert.equal(second?.id, few)
    assert.equal(groupsOf({ body: second }).length, 3)
    const filters = ['userName eq "many"', 'title eq "Guide" and userName sw "ma"', `id eq "${many}"`]
    for (const filter of [...filters, `groups.display eq "Group ${count - 1}"`]) {
      const found = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      assert.deepEqual(found.body.Resources, [body], filter)
    }
    const named = await service.api('GET', `/users/${many}?directoryId=${directory.id}`)
    assert.deepEqual(named.body.data.raw['groups'], body.groups)
  })

  test('the entity tag of a user in many groups changes with them', async () => {
    const { many, groupIds } = subject()
    const first = await scim('GET', `/Users/${many}`)
    const tag = String(first.headers['etag'])
    const again = () => scim('GET', `/Users/${many}`, undefined, { 'if-none-match': tag })
    assert.equal((await again()).status, 304)
    const last = `/Groups/${groupIds.at(-1)}`
    await scim('PATCH', last, { Operations: [{ op: 'replace', path: 'displayName', value: 'Renamed' }] })
    const renamed = await again()
    assert.equal(renamed.status, 200)
    assert.ok(groupsOf(renamed).some(({ display }) => display === 'Renamed'))
    await scim('PATCH', last, { Operations: [{ op: 'replace', path: 'displayName', value: `Group ${count - 1}` }] })
    assert.equal((await again()).status, 304)
  })

  test('a request can select attributes of many groups, and responses to changes contain them', async () => {
    const { many, groupIds } = subject()
    const path = `/Users/${many}`
    const read = await scim('GET', path)
    const whole: object = read.body
    const values = await scim('GET', `${path}?attributes=groups.value`)
    assert.deepEqual(
      groupsOf(values),
      groupsOf(read).map(({ value }) => ({ value })),
    )
    assert.equal(values.body.id, many)
    assert.equal(values.body.userName, undefined)
    const withoutTitle = await scim('GET', `${path}?excludedAttributes=title`)
    assert.deepEqual({ title: 'Guide', ...withoutTitle.body }, whole)
    for (const query of ['attributes=userName', 'excludedAttributes=groups']) {
      assert.equal((await scim('GET', `${path}?${query}`)).body.groups, undefined)
    }
    const rename = (value: string) => ({ Operations: [{ op: 'replace', path: 'nickName', value }] })
    const patched = await scim('PATCH', path, rename('a'))
    assert.equal(groupsOf(patched).length, count)
    assert.equal(patched.body.meta.version, patched.headers['etag'])
    assert.equal((await scim('PATCH', `${path}?excludedAttributes=groups`, rename('b'))).body.groups, undefined)
    const replaced = await scim('PUT', path, { userName: 'many', title: 'Guide' })
    assert.deepEqual(idsOf(groupsOf(replaced)), new Set(groupIds))
    assert.deepEqual((await scim('GET', path)).body, replaced.body)
  })
})
