import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertScimError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

const rename = (displayName: string) => ({ Operations: [{ op: 'replace', path: 'displayName', value: displayName }] })

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  /** A directory with the groups Sales and Support. */
  async function withGroups(fields: Readonly<Record<string, unknown>>) {
    const directory = await service().createDirectory(fields)
    const scim = (method: string, path: string, body?: unknown) => service().scim(directory, method, path, body)
    const create = async (displayName: string) => (await scim('POST', '/Groups', { displayName })).body.id
    return { directory, scim, sales: await create('Sales'), support: await create('Support') }
  }

  test('a second group with the same name is accepted by default', async () => {
    const { directory, scim } = await withGroups({})
    assert.equal(directory.unique_group_names, false)
    assert.equal((await scim('POST', '/Groups', { displayName: 'sales' })).status, 201)
  })

  test('a second group with the same name is rejected where group names are unique, by every kind of request', async () => {
    const { directory, scim, support } = await withGroups({ unique_group_names: true })
    assert.equal(directory.unique_group_names, true)
    assertScimError(await scim('POST', '/Groups', { displayName: 'SALES' }), 409, 'uniqueness')
    assertScimError(await scim('PUT', `/Groups/${support}`, { displayName: 'sales' }), 409, 'uniqueness')
    assertScimError(await scim('PATCH', `/Groups/${support}`, rename('saLes')), 409, 'uniqueness')
    const bulk = await scim('POST', '/Bulk', {
      Operations: [
        { method: 'POST', path: '/Groups', bulkId: 'a', data: { displayName: 'Ops' } },
        { method: 'POST', path: '/Groups', bulkId: 'b', data: { displayName: 'OPS' } },
        { method: 'PATCH', path: `/Groups/${support}`, data: rename('Sales') },
      ],
    })
    const { Operations: results } = bulk.body as unknown as { Operations: { status: string }[] }
    assert.deepEqual(
      results.map(({ status }) => status),
      ['201', '409', '409'],
    )
    const { displayName } = (await scim('GET', `/Groups/${support}`)).body
    assert.equal(displayName, 'Support')
  })

  test('a group keeps its own name, in another letter case too, and a name is free after a rename and a deletion', async () => {
    const { scim, sales, support } = await withGroups({ unique_group_names: 'true' })
    assert.equal((await scim('PUT', `/Groups/${sales}`, { displayName: 'SALES', externalId: 'e' })).status, 200)
    assert.equal((await scim('PATCH', `/Groups/${sales}`, rename('Field'))).status, 204)
    assert.equal((await scim('PATCH', `/Groups/${support}`, rename('Sales'))).status, 204)
    assert.equal((await scim('DELETE', `/Groups/${support}`)).status, 204)
    assert.equal((await scim('POST', '/Groups', { displayName: 'sales' })).status, 201)
  })

  test('one of several concurrent creations with the same name is accepted', async () => {
    const { scim } = await withGroups({ unique_group_names: true })
    const names = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'Ops' : 'OPS'))
    const all = await Promise.all(names.map((displayName) => scim('POST', '/Groups', { displayName })))
    assert.deepEqual(all.map(({ status }) => status).sort(), [201, ...Array(11).fill(409)])
  })

  test('groups that share a name when it becomes unique keep it, and the change is audited', async () => {
    const { directory, scim, support } = await withGroups({})
    assert.equal((await scim('PATCH', `/Groups/${support}`, rename('SALES'))).status, 204)
    const { body } = await service().api('PATCH', `/${directory.id}`, { unique_group_names: true })
    assert.equal(body.data.unique_group_names, true)
    assert.equal((await scim('PUT', `/Groups/${support}`, { displayName: 'SALES', externalId: 'e' })).status, 200)
    assertScimError(await scim('POST', '/Groups', { displayName: 'Sales' }), 409, 'uniqueness')
    await service().api('PATCH', `/${directory.id}`, { unique_group_names: 'false' })
    assert.equal((await scim('POST', '/Groups', { displayName: 'Sales' })).status, 201)
  })
})
