import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

const custom = 'urn:ietf:params:scim:schemas:extension:acme:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The ways in which a request can set the members of a group. */
const ways = ['PUT', 'replace', 'add', 'remove', 'replace without path', 'replace in bulk', 'PUT in bulk'] as const

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  async function start() {
    const directory = await service().createDirectory()
    const send = (method: string, path: string, body?: unknown) => service().scim(directory, method, path, body)
    const create = async (userName: string) => String((await send('POST', '/Users', { userName })).body.id)
    const [ann, bob] = [await create('ann'), await create('bob')]
    return { send, ann, bob, directory }
  }

  /** A directory with two users, and the calls that set and read the members of groups. */
  async function startGroups() {
    const { send, ann, bob } = await start()
    const group = async (members: unknown) => (await send('POST', '/Groups', { displayName: 'Crew', members })).body.id
    const membersOf = async (id: string) =>
      ((await send('GET', `/Groups/${id}`)).body.members ?? []).map(({ value }) => value)
    const put = (members: unknown) => ({ displayName: 'Crew', members })
    const patch = (op: string, value: unknown) => ({ Operations: [{ op, path: 'members', value }] })
    const bulk = async (method: string, path: string, data: object) => {
      const { body } = await send('POST', '/Bulk', { Operations: [{ method, path, data }] })
      const { Operations } = body as unknown as { Operations: { status: string; response?: { scimType: string } }[] }
      return { status: Number(Operations[0]?.status), scimType: Operations[0]?.response?.scimType }
    }
    /** The status and the kind of the error of a request, or of the operation of a bulk request. */
    async function change(way: (typeof ways)[number], id: string, value: unknown) {
      const path = `/Groups/${id}`
      if (way === 'PUT in bulk') return bulk('PUT', path, put(value))
      if (way === 'replace in bulk') return bulk('PATCH', path, patch('replace', value))
      const { status, body } =
        way === 'PUT'
          ? await send('PUT', path, put(value))
          : way === 'replace without path'
            ? await send('PATCH', path, { Operations: [{ op: 'replace', value: { members: value } }] })
            : await send('PATCH', path, patch(way === 'add' ? 'Add' : way, value))
      return { status, scimType: status < 300 ? undefined : body['scimType'] }
    }
    return { send, ann, bob, group, membersOf, change }
  }

  for (const way of ways) {
    const keepsOthers = way === 'add' || way === 'remove'

    test(`${way}: members in every shape are those members`, async () => {
      const { ann, bob, group, membersOf, change } = await startGroups()
      const text = JSON.stringify([{ value: ann }])
      for (const shape of [ann, [ann], { value: ann }, text, `["${ann}"]`, [`["${ann}"]`], `{"value":"${ann}"}`]) {
        const id = await group([{ value: bob }])
        assert.ok((await change(way, id, shape)).status < 300, JSON.stringify(shape))
        const left = way === 'add' ? [bob, ann] : way === 'remove' ? [bob] : [ann]
        assert.deepEqual(new Set(await membersOf(id)), new Set(left), JSON.stringify(shape))
      }
      const id = await group([{ value: ann }])
      assert.ok((await change(way, id, '[]')).status < 300)
      assert.deepEqual(await membersOf(id), keepsOthers ? [ann] : [])
    })

    test(`${way}: other text is rejected and removes nobody`, async () => {
      const { send, ann, bob, group, membersOf, change } = await startGroups()
      const id = await group([{ value: ann }, { value: bob }])
      const url = (await send('GET', `/Users/${ann}`)).body.meta.location
      const texts = [
        ...[`${ann},${bob}`, `${ann};${bob}`, ann.toUpperCase(), url, 'nobody', '[', `[${ann}]`, id],
        ...['\u0000', 'x'.repeat(700)],
      ]
      for (const value of [...texts, ...texts.map((one) => [one]), '', 5]) {
        const expected = { status: 400, scimType: 'invalidValue' }
        assert.deepEqual(await change(way, id, value), expected, JSON.stringify(value))
      }
      assert.deepEqual(await membersOf(id), [ann, bob])
    })
  }

  test('POST: a group is created with the members in JSON text or the text of one id, not with other text', async () => {
    const { send, ann, bob, group, membersOf } = await startGroups()
    assert.deepEqual(await membersOf(await group(JSON.stringify([{ value: ann }, bob]))), [ann, bob])
    assert.deepEqual(await membersOf(await group(ann)), [ann])
    const { status, body } = await send('POST', '/Groups', { displayName: 'Crew', members: `${ann},${bob}` })
    assert.deepEqual([status, body['scimType']], [400, 'invalidValue'])
  })

  test('members as JSON text may refer to users that the same bulk request creates', async () => {
    const { send } = await start()
    const { body } = await send('POST', '/Bulk', {
      Operations: [
        { method: 'POST', bulkId: 'g', path: '/Groups', data: { displayName: 'G', members: '[{"value":"bulkId:u"}]' } },
        { method: 'POST', bulkId: 'u', path: '/Users', data: { userName: 'cleo' } },
      ],
    })
    assert.match(JSON.stringify(body), /"status":"201".*"status":"201"/)
    const { body: groups } = await send('GET', '/Groups')
    assert.equal(groups.Resources[0]?.members?.length, 1)
  })

  test('addresses as JSON text are the addresses of the API', async () => {
    const { send, ann, directory } = await start()
    const value = '[{"value":"ann@x.com","type":"work","primary":true}]'
    await send('PATCH', `/Users/${ann}`, { Operations: [{ op: 'replace', path: 'emails', value }] })
    const found = await service().api('GET', `/users/${ann}?directoryId=${directory.id}`)
    assert.equal(found.body.data.email, 'ann@x.com')
  })

  test('a dot after the URN of a customer’s schema is a colon in filters, sorting and projections', async () => {
    const { send, ann, bob } = await start()
    const patch = (id: string, ...operations: object[]) => send('PATCH', `/Users/${id}`, { Operations: operations })
    await patch(ann, { op: 'add', path: `${custom}.badge`, value: 'B-2' })
    await patch(bob, { op: 'add', value: { [`${custom}.badge`]: 'B-1', [`${custom}.sites`]: ['north', 'south'] } })
    const list = async (query: object) => {
      const parameters = new URLSearchParams(Object.entries(query)).toString()
      return (await send('GET', `/Users?${parameters}`)).body.Resources
    }
    for (const separator of ['.', ':']) {
      const named = `${custom}${separator}badge`
      assert.deepEqual(
        (await list({ filter: `${named} eq "B-2"` })).map(({ id }) => id),
        [ann],
      )
      assert.deepEqual(
        (await list({ sortBy: named })).map(({ id }) => id),
        [bob, ann],
      )
      const only = (await list({ attributes: named, filter: 'userName eq "bob"' }))[0]
      assert.deepEqual((only as unknown as Record<string, unknown>)[custom], { badge: 'B-1' })
      const without = (await list({ excludedAttributes: named, filter: 'userName eq "bob"' }))[0]
      assert.deepEqual((without as unknown as Record<string, unknown>)[custom], { sites: ['north', 'south'] })
      const sites = `${custom}${separator}sites`
      for (const filter of [`${sites}[value eq "north"]`, `${sites}.value eq "north"`, `${sites} eq "north"`]) {
        assert.deepEqual(
          (await list({ filter })).map(({ id }) => id),
          [bob],
          filter,
        )
      }
      assert.deepEqual(await list({ filter: `${sites}[value eq "east"]` }), [])
    }
  })

  test('only the manager that a removal names is removed', async () => {
    const { send, ann } = await start()
    const patch = async (...operations: object[]) => {
      const { body } = await send('PATCH', `/Users/${ann}`, { Operations: operations })
      return (body as unknown as Record<string, { manager?: { value: string } } | undefined>)[enterprise]?.manager
        ?.value
    }
    assert.equal(await patch({ op: 'add', path: 'manager', value: 'm-1' }), 'm-1')
    assert.equal(await patch({ op: 'Remove', path: 'manager[value eq "m-2"]' }), 'm-1')
    for (const value of ['m-2', { value: 'm-2' }, [{ $ref: null, value: 'm-2' }]]) {
      assert.equal(await patch({ op: 'Remove', path: `${enterprise}:manager`, value }), 'm-1')
    }
    assert.equal(await patch({ op: 'Remove', path: enterprise, value: { manager: 'm-2' } }), 'm-1')
    assert.equal(await patch({ op: 'Remove', path: 'manager[value eq "m-1"]' }), undefined)
    await patch({ op: 'add', path: 'manager', value: 'm-1' })
    assert.equal(await patch({ op: 'Remove', path: 'manager', value: 'm-1' }), undefined)
  })
})
