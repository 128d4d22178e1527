import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** PATCH operations that unassign `active`. */
const unassigning: readonly object[] = [
  { op: 'remove', path: 'active' },
  { op: 'Remove', path: `${core}:active` },
  { op: 'remove', path: 'active', value: false },
  ...[null, '', []].flatMap((value) => [
    { op: 'replace', path: 'active', value },
    { op: 'add', path: 'active', value },
    { op: 'replace', value: { active: value } },
    { op: 'replace', value: { [core]: { active: value } } },
  ]),
]

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  for (const active of [false, true]) {
    test(`a PATCH or PUT that unassigns active leaves a user with active: ${active} as it is`, async () => {
      const directory = await service().createDirectory()
      const created = await service().scim(directory, 'POST', '/Users', { userName: 'ann', active })
      const path = `/Users/${created.body.id}`
      const requests = [
        ...unassigning.map((operation) => ['PATCH', { Operations: [operation] }] as const),
        ['PATCH', { Operations: unassigning }] as const,
        ['PUT', { userName: 'ann' }] as const,
        ['PUT', { userName: 'ann', active: null }] as const,
        ['PUT', { userName: 'ann', active: [] }] as const,
      ]
      for (const [method, body] of requests) {
        const { status, body: user, text } = await service().scim(directory, method, path, body)
        assert.deepEqual([status, user.active, user.meta.version], [200, active, 'W/"1"'], JSON.stringify(body) + text)
      }
      const found = await service().scim(directory, 'GET', '/Users?filter=active%20eq%20true')
      assert.equal(found.body.totalResults, active ? 1 : 0)
      assert.equal(
        (await service().api('GET', `/users/${created.body.id}?directoryId=${directory.id}`)).body.data.active,
        active,
      )
    })
  }

  test('a bulk request that unassigns active activates nobody', async () => {
    const directory = await service().createDirectory()
    const { id } = (await service().scim(directory, 'POST', '/Users', { userName: 'ann', active: 'False' })).body
    const operations = [
      { method: 'PATCH', path: `/Users/${id}`, data: { Operations: [{ op: 'remove', path: 'active' }] } },
      { method: 'PUT', path: `/Users/${id}`, data: { userName: 'ann' } },
    ]
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest']
    await service().scim(directory, 'POST', '/Bulk', { schemas, Operations: operations })
    assert.equal((await service().scim(directory, 'GET', `/Users/${id}`)).body.active, false)
  })
})
