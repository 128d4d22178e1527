import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Requirement } from '../../requirement.ts'
import type { Fields } from './support/fields.ts'
import { list } from './support/list.ts'
import { provisionUser, readGroup, readUser } from './support/provision.ts'

/** RFC 7644 §3.3: creating resources. */
export const creatingRequirements: readonly Requirement[] = [
  {
    section: '3.3',
    level: 'MUST',
    text: 'Read-only attributes sent by a client are ignored: the service provider assigns the id.',
    coveredBy: {
      test: 'an id chosen by the client is ignored',
      async run(provider) {
        const { id } = await provisionUser(provider, { userName: 'ann', id: 'chosen' })
        assert.notEqual(id, 'chosen')
        assertScimError(await provider.send('GET', '/Users/chosen'), 404)
      },
    },
  },
  {
    section: '3.3',
    level: 'MUST',
    text: 'A `meta` sent by a client is ignored.',
    coveredBy: {
      test: 'times, version and location in a meta sent by the client are ignored',
      async run(provider) {
        const created = '2001-01-01T00:00:00Z'
        const meta = { created, lastModified: created, version: 'W/"99"', location: 'https://example.com/Users/1' }
        const user = await provisionUser(provider, { userName: 'ann', meta })
        const stored: Fields = user.meta
        for (const [name, value] of Object.entries(meta)) assert.notEqual(stored[name], value)
      },
    },
  },
  {
    section: '3.3',
    level: 'MUST',
    text: "A user's groups sent by a client are ignored.",
    coveredBy: {
      test: 'a user created with a list of groups is in none of them',
      async run(provider) {
        const { body: group } = await provider.send('POST', '/Groups', { displayName: 'Guides' })
        const user = await provisionUser(provider, { userName: 'ann', groups: [{ value: group.id }] })
        assert.equal((await readUser(provider, user))['groups'], undefined)
        assert.deepEqual((await readGroup(provider, group))['members'] ?? [], [])
      },
    },
  },
  {
    section: '3.3',
    level: 'MUST',
    text: 'null for a singular attribute, or an empty list for a multi-valued one, leaves it without a value.',
    coveredBy: {
      test: 'a title of null and an empty list of email addresses are unassigned',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann', title: null, emails: [] })
        const { title, emails } = await readUser(provider, user)
        assert.deepEqual([title, emails], [undefined, undefined])
      },
    },
  },
  {
    section: '3.3',
    level: 'MUST',
    text: 'A created resource is returned with status 201.',
    coveredBy: {
      test: 'a new user and a new group return 201',
      async run(provider) {
        const user = await provider.send('POST', '/Users', { userName: 'ann' })
        const group = await provider.send('POST', '/Groups', { displayName: 'Guides' })
        assert.deepEqual([user.status, group.status], [201, 201])
      },
    },
  },
  {
    section: '3.3',
    level: 'SHOULD',
    text: 'The response contains the new resource as it is stored.',
    coveredBy: {
      test: 'the response to a POST equals a later GET',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann', title: 'Guide', name: { givenName: 'Ann' } })
        assert.deepEqual(user, await readUser(provider, user))
      },
    },
  },
  {
    section: '3.3',
    level: 'MUST',
    text: 'The URL of the new resource is in the `Location` header.',
    coveredBy: {
      test: 'a new user can be read at its Location',
      async run(provider) {
        const { headers } = await provider.send('POST', '/Users', { userName: 'ann' })
        const location = String(headers['location'])
        assert(location.startsWith(`${provider.scimUrl}/Users/`), location)
        const read = await provider.send('GET', location.slice(provider.scimUrl.length))
        assert.equal(read.body.userName, 'ann')
      },
    },
  },
  {
    section: '3.3',
    level: 'MUST',
    text: 'The URL of the new resource is also in its `meta.location`.',
    coveredBy: {
      test: 'meta.location of a new user and of a new group is the Location',
      async run(provider) {
        const user = await provider.send('POST', '/Users', { userName: 'ann' })
        const group = await provider.send('POST', '/Groups', { displayName: 'Guides' })
        for (const { headers, body } of [user, group]) assert.equal(body.meta.location, headers['location'])
      },
    },
  },
  {
    section: '3.3',
    level: 'MUST',
    text: 'A new resource that conflicts with one that exists is rejected with 409 and `uniqueness`.',
    coveredBy: {
      test: 'a second user of the same userName is rejected, in any letter case',
      async run(provider) {
        await provisionUser(provider, { userName: 'ann' })
        assertScimError(await provider.send('POST', '/Users', { userName: 'Ann' }), 409, 'uniqueness')
        assert.equal((await list(provider, '/Users')).totalResults, 1)
      },
    },
  },
  {
    section: '3.3.1',
    level: 'MUST',
    text: 'The endpoint, not the client, determines `meta.resourceType`.',
    coveredBy: {
      test: 'a user who is posted as another resource type is a User',
      async run(provider) {
        const { meta } = await provisionUser(provider, { userName: 'ann', meta: { resourceType: 'Group' } })
        assert.equal(meta.resourceType, 'User')
      },
    },
  },
  {
    section: '3.3.1',
    level: 'MUST',
    text: 'A resource posted to `/Groups` has the resource type `Group`.',
    coveredBy: {
      test: 'a group that is posted is a Group',
      async run(provider) {
        const { body } = await provider.send('POST', '/Groups', { displayName: 'Guides' })
        assert.equal(body.meta.resourceType, 'Group')
      },
    },
  },
]
