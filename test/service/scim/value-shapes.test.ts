import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

/** The ways in which a request can set the members of a group. */
const ways = [
  'PUT',
  'PATCH replace',
  'PATCH add',
  'PATCH remove',
  'PATCH without a path',
  'bulk PATCH',
  'bulk PUT',
] as const

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  /** A directory with two users, and a group that has both as members. */
  async function openDirectory() {
    const directory = await service().createDirectory()
    const scim = (method: string, path: string, body?: unknown) => service().scim(directory, method, path, body)
    const a: string = (await scim('POST', '/Users', { userName: 'a' })).body.id
    const b: string = (await scim('POST', '/Users', { userName: 'b' })).body.id
    const members = [{ value: a }, { value: b }]
    const group: string = (await scim('POST', '/Groups', { displayName: 'Crew', members })).body.id
    const path = `/Groups/${group}`

    /** Sets the members in one of the ways; the status of the response, or of the bulk operation. */
    async function send(way: (typeof ways)[number], value: unknown): Promise<number> {
      const put = { displayName: 'Crew', members: value }
      const patch = (op: string) => ({ Operations: [{ op, path: 'members', value }] })
      const bulk = async (method: string, data: object) => {
        const { body } = await scim('POST', '/Bulk', { Operations: [{ method, path, data }] })
        return Number((body as unknown as { Operations: { status: string }[] }).Operations[0]?.status)
      }
      switch (way) {
        case 'PUT':
          return (await scim('PUT', path, put)).status
        case 'bulk PUT':
          return bulk('PUT', put)
        case 'bulk PATCH':
          return bulk('PATCH', patch('Replace'))
        case 'PATCH without a path':
          return (await scim('PATCH', path, { Operations: [{ op: 'replace', value: { members: value } }] })).status
        default:
          return (await scim('PATCH', path, patch(way.replace('PATCH ', '')))).status
      }
    }
    async function memberIds(): Promise<string[]> {
      const { body } = await scim('GET', path)
      return (body.members ?? []).map(({ value }) => value)
    }
    return { scim, a, b, send, memberIds, endpoint: directory.scim.endpoint }
  }

  for (const way of ways) {
    test(`${way}: members as JSON text are that list`, async () => {
      const { a, b, send, memberIds } = await openDirectory()
      const left = { 'PATCH add': [a, b], 'PATCH remove': [b] }[way as string] ?? [a]
      assert.ok((await send(way, JSON.stringify([{ value: a }]))) < 300)
      assert.deepEqual(await memberIds(), left)
      assert.ok((await send(way, JSON.stringify([a]))) < 300)
      assert.deepEqual(await memberIds(), left)
      assert.ok((await send(way, '[]')) < 300)
      assert.deepEqual(await memberIds(), way.startsWith('PATCH add') || way === 'PATCH remove' ? left : [])
    })

    test(`${way}: the text of one id is that member`, async () => {
      const { a, b, send, memberIds } = await openDirectory()
      assert.ok((await send(way, a)) < 300)
      assert.deepEqual(await memberIds(), { 'PATCH add': [a, b], 'PATCH remove': [b] }[way as string] ?? [a])
    })

    test(`${way}: other text is rejected and removes nobody`, async () => {
      const { a, b, send, memberIds, endpoint } = await openDirectory()
      const texts = [`${a},${b}`, `${a};${b}`, a.toUpperCase(), `${endpoint}/Users/${a}`, '']
      for (const text of [...texts, `[${a}]`, 'nobody', 5]) {
        assert.equal(await send(way, text), 400, String(text))
        assert.deepEqual(await memberIds(), [a, b])
      }
    })
  }

  test('POST: a group is created with the members in JSON text, and not with other text', async () => {
    const { scim, a, b } = await openDirectory()
    const members = JSON.stringify([{ value: a }, b])
    const created = await scim('POST', '/Groups', { displayName: 'New', members })
    assert.deepEqual(
      (created.body.members ?? []).map(({ value }) => value),
      [a, b],
    )
    const rejected = await scim('POST', '/Groups', { displayName: 'Other', members: `${a},${b}` })
    assert.equal(rejected.status, 400)
    assert.equal(rejected.body['scimType'], 'invalidValue')
  })

  test('a bulk request resolves the references in JSON text', async () => {
    const { scim } = await openDirectory()
    const members = JSON.stringify([{ value: 'bulkId:c' }])
    const { body } = await scim('POST', '/Bulk', {
      Operations: [
        { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName: 'Later', members } },
        { method: 'POST', path: '/Users', bulkId: 'c', data: { userName: 'c' } },
      ],
    })
    const statuses = (body as unknown as { Operations: { status: string }[] }).Operations.map(({ status }) => status)
    assert.deepEqual(statuses, ['201', '201'])
    const found = await scim('GET', `/Groups?filter=${encodeURIComponent('displayName eq "Later"')}`)
    assert.equal(found.body.Resources?.[0]?.members?.length, 1)
  })
})
