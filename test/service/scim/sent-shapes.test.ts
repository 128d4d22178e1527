import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

const custom = 'urn:ietf:params:scim:schemas:extension:acme:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  async function start(tenant: string) {
    const directory = await service().createDirectory({ tenant })
    const send = (method: string, path: string, body?: unknown) => service().scim(directory, method, path, body)
    const create = async (userName: string, more: object = {}) =>
      String((await send('POST', '/Users', { userName, ...more })).body.id)
    const [ann, bob] = [await create('ann'), await create('bob')]
    return { send, create, ann, bob, directory }
  }

  test('members in every shape are those members, and no text empties a group', async () => {
    const { send, ann, bob } = await start('members')
    const group = async (members: unknown) => (await send('POST', '/Groups', { displayName: 'Crew', members })).body.id
    const patch = (op: string) => async (id: string, value: unknown) =>
      send('PATCH', `/Groups/${id}`, { Operations: [{ op, path: 'members', value }] })
    const ways: Record<
      string,
      (id: string, value: unknown) => Promise<{ status: number; body: { scimType?: string } }>
    > = {
      PUT: (id, members) => send('PUT', `/Groups/${id}`, { displayName: 'Crew', members }),
      replace: patch('replace'),
      add: patch('Add'),
      remove: patch('Remove'),
      'replace without path': (id, members) =>
        send('PATCH', `/Groups/${id}`, { Operations: [{ op: 'replace', value: { members } }] }),
      'replace in bulk': async (id, value) => {
        const data = { Operations: [{ op: 'replace', path: 'members', value }] }
        const { body } = await send('POST', '/Bulk', { Operations: [{ method: 'PATCH', path: `/Groups/${id}`, data }] })
        const [end] = (body as unknown as { Operations: { status: string; response?: { scimType: string } }[] })
          .Operations
        return { status: Number(end?.status), body: end?.response ?? {} }
      },
    }
    const membersOf = async (id: string) =>
      ((await send('GET', `/Groups/${id}`)).body.members ?? []).map(({ value }) => value).sort()
    for (const [way, change] of Object.entries(ways)) {
      const shapes = [
        ann,
        [ann],
        { value: ann },
        `[{"value":"${ann}"}]`,
        `["${ann}"]`,
        [`["${ann}"]`],
        `{"value":"${ann}"}`,
      ]
      for (const shape of shapes) {
        const id = await group([{ value: bob }])
        assert.ok((await change(id, shape)).status < 300, `${way} ${JSON.stringify(shape)}`)
        const left = way === 'add' ? [ann, bob].sort() : way === 'remove' ? [bob] : [ann]
        assert.deepEqual(await membersOf(id), left, `${way} ${JSON.stringify(shape)}`)
      }
      const id = await group([{ value: ann }])
      const url = (await send('GET', `/Users/${ann}`)).body.meta.location
      const texts = [
        `${ann},${bob}`,
        `${ann};${bob}`,
        ann.toUpperCase(),
        url,
        'nobody',
        '[',
        id,
        '\u0000',
        'x'.repeat(700),
      ]
      for (const text of [...texts, ...texts.map((one) => [one])]) {
        const { status, body } = await change(id, text)
        assert.deepEqual([status, body.scimType], [400, 'invalidValue'], `${way} ${JSON.stringify(text)}`)
      }
      assert.deepEqual(await membersOf(id), [ann], way)
      assert.ok((await change(id, '[]')).status < 300)
      assert.deepEqual(await membersOf(id), way === 'add' || way === 'remove' ? [ann] : [], way)
    }
    assert.equal((await send('POST', '/Groups', { displayName: 'Crew', members: `${ann},${bob}` })).status, 400)
    assert.deepEqual(await membersOf(await group(`[{"value":"${ann}"},"${bob}"]`)), [ann, bob].sort())
    assert.deepEqual(await membersOf(await group(ann)), [ann])
  })

  test('members as JSON text may refer to users that the same bulk request creates', async () => {
    const { send } = await start('bulk')
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
    const { send, ann, directory } = await start('emails')
    const value = '[{"value":"ann@x.com","type":"work","primary":true}]'
    await send('PATCH', `/Users/${ann}`, { Operations: [{ op: 'replace', path: 'emails', value }] })
    const found = await service().api('GET', `/users/${ann}?directoryId=${directory.id}`)
    assert.equal(found.body.data.email, 'ann@x.com')
  })

  test('a dot after the URN of a customer’s schema is a colon in filters, sorting and projections', async () => {
    const { send, ann, bob } = await start('dots')
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
    const { send, ann } = await start('manager')
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
