import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, forSuite, serviceForSuite } from '../../support/service.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const userSchemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
const groupSchemas = ['urn:ietf:params:scim:schemas:core:2.0:Group']

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const receiver = forSuite(() => startReceiver())
  const open = () => service().createDirectory(receiver().endpoint)
  const scim = (directory: DirectoryView, method: string, path: string, body?: unknown) =>
    service().scim(directory, method, path, body)
  const create = async (directory: DirectoryView, path: string, body: unknown) =>
    (await scim(directory, 'POST', path, body)).body.id
  const patch = (directory: DirectoryView, path: string, ...Operations: readonly unknown[]) =>
    scim(directory, 'PATCH', path, { Operations })

  /** All events of a directory so far. A last user marks the end; its event is left out. */
  async function eventsOf(directory: DirectoryView): Promise<readonly ReceivedEvent[]> {
    const id = await create(directory, '/Users', { userName: 'last' })
    const events = () => receiver().events(directory.id)
    await receiver().until(() => events().some(({ data }) => data.id === id), 'the last event')
    return events().slice(0, -1)
  }
  const typesOf = (events: readonly ReceivedEvent[]) => events.map(({ event }) => event)

  test('user.created contains the user, its directory and the time', async () => {
    const directory = await open()
    const startedAt = Date.now()
    const id = await create(directory, '/Users', {
      userName: 'bjensen',
      name: { givenName: 'Barbara', familyName: 'Jensen' },
      emails: [
        { value: 'home@acme.example', type: 'home' },
        { value: 'work@acme.example', type: 'work' },
      ],
      nickName: 'Babs',
    })
    const [event] = await eventsOf(directory)
    assert(event !== undefined)
    const { id: eventId, created_at, request_id, ...rest } = event
    assert.match(eventId, uuid)
    assert.match(request_id, uuid)
    const at = Date.parse(created_at)
    // The time of the database may differ from that of this process.
    assert(Math.abs(at - startedAt) < 60_000 && created_at === new Date(at).toISOString())
    assert.deepEqual(rest, {
      sequence: 1,
      event: 'user.created',
      tenant: 'acme',
      product: 'crm',
      directory_id: directory.id,
      data: {
        id,
        account_id: null,
        first_name: 'Barbara',
        last_name: 'Jensen',
        email: 'work@acme.example',
        active: true,
        raw: {
          schemas: userSchemas,
          id,
          userName: 'bjensen',
          name: { givenName: 'Barbara', familyName: 'Jensen' },
          emails: [
            { value: 'home@acme.example', type: 'home' },
            { value: 'work@acme.example', type: 'work' },
          ],
          nickName: 'Babs',
          active: true,
        },
      },
    })
  })

  test('user.updated contains the user after the change and the changed top-level attributes', async () => {
    const directory = await open()
    const id = await create(directory, '/Users', {
      userName: 'a',
      title: 'x',
      name: { givenName: 'A', familyName: 'B' },
    })
    await patch(
      directory,
      `/Users/${id}`,
      { op: 'replace', path: 'name.givenName', value: 'C' },
      { op: 'remove', path: 'title' },
      { op: 'add', path: 'nickName', value: 'n' },
      { op: 'replace', path: 'active', value: 'False' },
    )
    const [, event] = await eventsOf(directory)
    assert.deepEqual([event?.event, event?.sequence], ['user.updated', 2])
    assert.deepEqual(event?.changes, {
      name: { from: { givenName: 'A', familyName: 'B' }, to: { givenName: 'C', familyName: 'B' } },
      title: { from: 'x', to: null },
      nickName: { from: null, to: 'n' },
      active: { from: true, to: false },
    })
    assert.deepEqual(event?.data, {
      id,
      account_id: null,
      first_name: 'C',
      last_name: 'B',
      email: 'a',
      active: false,
      raw: {
        schemas: userSchemas,
        id,
        userName: 'a',
        name: { givenName: 'C', familyName: 'B' },
        nickName: 'n',
        active: false,
      },
    })
  })

  test('a PUT reports only the attributes that really changed', async () => {
    const directory = await open()
    const id = await create(directory, '/Users', { userName: 'a', title: 'x', nickName: 'n' })
    await scim(directory, 'PUT', `/Users/${id}`, { userName: 'a', title: 'x', emails: [{ value: 'b@acme.example' }] })
    const [, event] = await eventsOf(directory)
    assert.deepEqual(event?.changes, {
      nickName: { from: 'n', to: null },
      emails: { from: null, to: [{ value: 'b@acme.example' }] },
    })
  })

  test('user.deleted contains the last state', async () => {
    const directory = await open()
    const id = await create(directory, '/Users', { userName: 'a' })
    await patch(directory, `/Users/${id}`, { op: 'add', path: 'title', value: 'x' })
    await scim(directory, 'DELETE', `/Users/${id}`)
    const events = await eventsOf(directory)
    assert.deepEqual(typesOf(events), ['user.created', 'user.updated', 'user.deleted'])
    assert.deepEqual(events[2]?.data, events[1]?.data)
    assert.equal(events[2]?.changes, undefined)
  })

  test('a group created with members emits group.created, then group.user_added for each member', async () => {
    const directory = await open()
    const [a, b] = [
      await create(directory, '/Users', { userName: 'a' }),
      await create(directory, '/Users', { userName: 'b' }),
    ]
    const members = [{ value: a }, { value: b }, { value: 'nobody' }]
    const id = await create(directory, '/Groups', { displayName: 'Guides', externalId: 'g', members })
    const [, , ...events] = await eventsOf(directory)
    const group = { id, name: 'Guides', raw: { schemas: groupSchemas, id, displayName: 'Guides', externalId: 'g' } }
    assert.deepEqual(typesOf(events), ['group.created', 'group.user_added', 'group.user_added'])
    assert.deepEqual(events[0]?.data, group)
    assert.deepEqual(events[1]?.data, {
      id: a,
      account_id: null,
      first_name: '',
      last_name: '',
      email: 'a',
      active: true,
      raw: { schemas: userSchemas, id: a, userName: 'a', active: true },
      group,
    })
    assert.equal(events[2]?.data.id, b)
  })

  test('group.updated contains the group after the change, without its members', async () => {
    const directory = await open()
    const a = await create(directory, '/Users', { userName: 'a' })
    const id = await create(directory, '/Groups', { displayName: 'Guides', members: [{ value: a }] })
    await patch(directory, `/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'Renamed' })
    const event = (await eventsOf(directory)).at(-1)
    assert.equal(event?.event, 'group.updated')
    assert.deepEqual(event?.data, { id, name: 'Renamed', raw: { schemas: groupSchemas, id, displayName: 'Renamed' } })
    assert.deepEqual(event?.changes, { displayName: { from: 'Guides', to: 'Renamed' } })
  })

  test('replacing the members emits events for the difference only', async () => {
    const directory = await open()
    const ids = []
    for (const userName of ['a', 'b', 'c']) ids.push(await create(directory, '/Users', { userName }))
    const [a, b, c] = ids
    const id = await create(directory, '/Groups', { displayName: 'Guides', members: [{ value: a }, { value: b }] })
    const path = `/Groups/${id}`
    await scim(directory, 'PUT', path, { displayName: 'Guides', members: [{ value: b }, { value: c }] })
    await patch(directory, path, { op: 'replace', path: 'members', value: [{ value: a }] })
    const events = (await eventsOf(directory)).slice(6).map(({ event, data }) => `${event} ${data.raw['userName']}`)
    assert.deepEqual(events.slice(0, 2).sort(), ['group.user_added c', 'group.user_removed a'])
    assert.deepEqual(events.slice(2).sort(), ['group.user_added a', 'group.user_removed b', 'group.user_removed c'])
  })

  test('the event of a member has at most 16 KB, however large the user and the group are', async () => {
    const directory = await open()
    const [small, large] = [
      await create(directory, '/Users', { userName: 'small' }),
      await create(directory, '/Users', { userName: 'large', nickName: '語'.repeat(250_000), displayName: 'Large' }),
    ]
    const extension = { 'urn:example:1.0:Group': { purpose: 'x'.repeat(250_000) } }
    const id = await create(directory, '/Groups', { displayName: 'Guides', ...extension })
    await patch(directory, `/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: small }] })
    await patch(directory, `/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: large }] })
    await patch(directory, `/Groups/${id}`, { op: 'remove', path: 'members' })
    await eventsOf(directory)
    const attempts = receiver().attempts.filter(({ event }) => event.directory_id === directory.id)
    const memberships = attempts.filter(({ event }) => event.event.startsWith('group.user_'))
    assert.equal(memberships.length, 4)
    for (const { body, event } of memberships) {
      assert(Buffer.byteLength(body) <= 16_384)
      assert.deepEqual(event.data.group, { id, name: 'Guides', raw_omitted: true })
      const isSmall = event.data.id === small
      assert.deepEqual(['raw' in event.data, 'raw_omitted' in event.data], [isSmall, !isSmall])
    }
  })

  test('an added or removed member is reported with the group as of that time', async () => {
    const directory = await open()
    const a = await create(directory, '/Users', { userName: 'a' })
    const id = await create(directory, '/Groups', { displayName: 'Guides' })
    await patch(
      directory,
      `/Groups/${id}`,
      { op: 'replace', path: 'displayName', value: 'Renamed' },
      { op: 'add', path: 'members', value: [{ value: a }] },
    )
    await patch(directory, `/Groups/${id}`, { op: 'remove', path: `members[value eq "${a}"]` })
    const events = (await eventsOf(directory)).slice(2)
    assert.deepEqual(typesOf(events), ['group.updated', 'group.user_added', 'group.user_removed'])
    assert.deepEqual(
      events.slice(1).map(({ data }) => data.group?.name),
      ['Renamed', 'Renamed'],
    )
    assert.deepEqual(events[1]?.data, events[2]?.data)
  })

  test('a nested group emits group.updated, and nothing for its users', async () => {
    const directory = await open()
    const a = await create(directory, '/Users', { userName: 'a' })
    const inner = await create(directory, '/Groups', { displayName: 'Inner', members: [{ value: a }] })
    const outer = await create(directory, '/Groups', { displayName: 'Outer' })
    await patch(directory, `/Groups/${outer}`, { op: 'add', path: 'members', value: [{ value: inner }] })
    await patch(directory, `/Groups/${outer}`, { op: 'remove', path: 'members' })
    const events = (await eventsOf(directory)).slice(4)
    assert.deepEqual(typesOf(events), ['group.updated', 'group.updated'])
    const nested = [{ value: inner, type: 'Group' }]
    assert.deepEqual(
      events.map(({ changes }) => changes),
      [{ members: { from: [], to: nested } }, { members: { from: nested, to: [] } }],
    )
    assert.deepEqual(
      events.map(({ data }) => data.id),
      [outer, outer],
    )
  })

  test('deleting a user or a group emits no member events', async () => {
    const directory = await open()
    const [a, b] = [
      await create(directory, '/Users', { userName: 'a' }),
      await create(directory, '/Users', { userName: 'b' }),
    ]
    const id = await create(directory, '/Groups', { displayName: 'Guides', members: [{ value: a }, { value: b }] })
    await scim(directory, 'DELETE', `/Users/${a}`)
    await scim(directory, 'DELETE', `/Groups/${id}`)
    const events = (await eventsOf(directory)).slice(5)
    assert.deepEqual(typesOf(events), ['user.deleted', 'group.deleted'])
    assert.deepEqual(events[1]?.data, { id, name: 'Guides', raw: { schemas: groupSchemas, id, displayName: 'Guides' } })
  })

  test('a request that changes nothing emits no event', async () => {
    const directory = await open()
    const user = { userName: 'a', emails: [{ value: 'a@acme.example', type: 'work', primary: true }], active: true }
    const a = await create(directory, '/Users', user)
    const id = await create(directory, '/Groups', { displayName: 'Guides', members: [{ value: a }] })
    const [userPath, groupPath] = [`/Users/${a}`, `/Groups/${id}`]
    for (const response of [
      await scim(directory, 'PUT', userPath, { ...user, active: 'True', groups: [], password: 'ignored' }),
      await patch(directory, userPath, { op: 'replace', path: 'active', value: true }),
      await patch(directory, userPath, {
        op: 'replace',
        path: 'emails[type eq "work"].value',
        value: 'a@acme.example',
      }),
      await patch(directory, userPath, { op: 'remove', path: 'title' }),
      await patch(directory, userPath, { op: 'replace', value: { password: 'ignored' } }),
      await scim(directory, 'PUT', groupPath, { displayName: 'Guides', members: [{ value: a }] }),
      await scim(directory, 'PUT', groupPath, { displayName: 'Guides' }),
      await patch(directory, groupPath, { op: 'add', path: 'members', value: [{ value: a }] }),
      await patch(directory, groupPath, { op: 'remove', path: 'members[value eq "nobody"]' }),
      await patch(directory, groupPath, { op: 'add', path: 'members', value: [{ value: 'nobody' }] }),
    ]) {
      assert([200, 204].includes(response.status), response.text)
    }
    assert.deepEqual(typesOf(await eventsOf(directory)), ['user.created', 'group.created', 'group.user_added'])
  })

  test('a rejected request emits no event', async () => {
    const directory = await open()
    const a = await create(directory, '/Users', { userName: 'a' })
    for (const [method, path, body] of [
      ['POST', '/Users', { userName: 'A' }],
      ['POST', '/Users', {}],
      ['PATCH', `/Users/${a}`, { Operations: [{ op: 'replace', path: 'title', value: 'x' }, { op: 'remove' }] }],
      ['PUT', '/Users/nobody', { userName: 'b' }],
      ['DELETE', '/Groups/nobody', undefined],
    ] as const) {
      const { status } = await scim(directory, method, path, body)
      assert(status >= 400)
    }
    assert.deepEqual(typesOf(await eventsOf(directory)), ['user.created'])
  })

  test('each directory has its own sequence without gaps', async () => {
    const directories = [await open(), await open()] as const
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        create(directories[index % 3 === 0 ? 0 : 1], '/Users', { userName: `u${index}` }),
      ),
    )
    for (const directory of directories) {
      const events = await eventsOf(directory)
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        events.map((_, index) => index + 1),
      )
      assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
      assert(events.every(({ directory_id }) => directory_id === directory.id))
    }
  })

  test('an endpoint that is set later receives the events from then on', async () => {
    const directory = await service().createDirectory()
    await create(directory, '/Users', { userName: 'before' })
    await service().api('PATCH', `/${directory.id}`, receiver().endpoint)
    const [first] = [...(await eventsOf(directory)), ...receiver().events(directory.id)]
    assert.deepEqual([first?.data.raw['userName'], first?.sequence], ['last', 2])
  })

  test('nothing is sent for a directory without an endpoint or a deleted one', async () => {
    const directory = await service().createDirectory()
    await create(directory, '/Users', { userName: 'silent' })
    const other = await open()
    await eventsOf(other)
    assert.deepEqual(receiver().events(directory.id), [])
  })
})
