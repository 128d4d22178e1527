import assert from 'node:assert/strict'
import type { Loose } from '../../../../support/client.ts'
import type { Provider, Requirement } from '../../requirement.ts'
import type { Fields } from './support/fields.ts'
import { fieldsOf } from './support/fields.ts'
import { provisionGroup, provisionUser, readGroup, readUser } from './support/provision.ts'

/** RFC 7644 §3.5 and §3.5.1: replacing with PUT. */
export const replacingRequirements: readonly Requirement[] = [
  {
    section: '3.5',
    level: 'MUST',
    text: 'PUT is supported.',
    coveredBy: {
      test: 'a user and a group are replaced with PUT',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        assert.equal((await put(provider, user, { userName: 'anna' })).userName, 'anna')
        const group = await provisionGroup(provider, 'Guides')
        const { status, body } = await provider.send('PUT', `/Groups/${group.id}`, { displayName: 'Pilots' })
        assert.deepEqual([status, body.displayName], [200, 'Pilots'])
      },
    },
  },
  {
    section: '3.5',
    level: 'SHOULD',
    text: 'PATCH is supported because groups can be large, and the configuration says so.',
    coveredBy: {
      test: 'the configuration says that PATCH is supported',
      async run(provider) {
        const { body } = await provider.send('GET', '/ServiceProviderConfig')
        assert.deepEqual(fieldsOf(body)['patch'], { supported: true })
      },
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'A PUT replaces the value of a singular attribute.',
    coveredBy: {
      test: 'a PUT with another title leaves only that title',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann', title: 'Guide' })
        await put(provider, user, { userName: 'ann', title: 'Pilot' })
        assert.equal((await readUser(provider, user))['title'], 'Pilot')
      },
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'A PUT replaces all values of a multi-valued attribute.',
    coveredBy: {
      test: 'a PUT with one email address leaves only that one',
      async run(provider) {
        const emails = [
          { value: 'a@example.com', type: 'work' },
          { value: 'b@example.com', type: 'home' },
        ]
        const user = await provisionUser(provider, { userName: 'ann', emails })
        await put(provider, user, { userName: 'ann', emails: [{ value: 'c@example.com', type: 'home' }] })
        assert.deepEqual((await readUser(provider, user))['emails'], [{ value: 'c@example.com', type: 'home' }])
      },
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'A PUT replaces a complex attribute with all its sub-attributes.',
    coveredBy: {
      test: 'a PUT with a given name leaves no family name',
      async run(provider) {
        const user = await provisionUser(provider, {
          userName: 'ann',
          name: { givenName: 'Ann', familyName: 'Archer' },
        })
        await put(provider, user, { userName: 'ann', name: { givenName: 'Anna' } })
        assert.deepEqual((await readUser(provider, user))['name'], { givenName: 'Anna' })
      },
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'A PUT replaces the members of a group.',
    coveredBy: {
      test: 'a PUT of a group with another member leaves only that one',
      async run(provider) {
        const ann = await provisionUser(provider, { userName: 'ann' })
        const bob = await provisionUser(provider, { userName: 'bob' })
        const group = await provisionGroup(provider, 'Guides', [ann])
        const body = { displayName: 'Guides', members: [{ value: bob.id }] }
        await provider.send('PUT', `/Groups/${group.id}`, body)
        assert.deepEqual(memberIdsOf(await readGroup(provider, group)), [bob.id])
      },
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'A PUT replaces a write-only value without returning it.',
    coveredBy: {
      because:
        'The only write-only attribute is `password`, which is accepted and never stored: users do not sign in to this service.',
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'null for a singular attribute, or an empty list for a multi-valued one, clears it.',
    coveredBy: {
      test: 'a PUT with a title of null and no email addresses clears both',
      async run(provider) {
        const fields = { userName: 'ann', title: 'Guide', emails: [{ value: 'a@example.com' }] }
        const user = await provisionUser(provider, fields)
        await put(provider, user, { userName: 'ann', title: null, emails: [] })
        const { title, emails } = await readUser(provider, user)
        assert.deepEqual([title, emails], [undefined, undefined])
      },
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'An attribute that a PUT omits may be cleared or get a default. `active` keeps its value: an omission activates nobody.',
    coveredBy: {
      test: 'a PUT without active leaves an inactive user inactive',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann', active: false, title: 'Guide' })
        assert.equal((await put(provider, user, { userName: 'ann' })).active, false)
        assert.equal((await readUser(provider, user))['title'], undefined)
      },
    },
  },
  {
    section: '3.5.1',
    level: 'SHOULD',
    text: 'A PUT that changes the value of an immutable attribute is rejected with `mutability`.',
    coveredBy: {
      because:
        'Only the sub-attributes of members are immutable, and a list with another member replaces the whole member.',
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'A PUT can set an immutable attribute that has no value.',
    coveredBy: {
      test: 'a PUT of an empty group adds a member',
      async run(provider) {
        const ann = await provisionUser(provider, { userName: 'ann' })
        const group = await provisionGroup(provider, 'Guides')
        await provider.send('PUT', `/Groups/${group.id}`, { displayName: 'Guides', members: [{ value: ann.id }] })
        assert.deepEqual(memberIdsOf(await readGroup(provider, group)), [ann.id])
      },
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'A PUT ignores read-only attributes: `id` and `meta` are unchanged.',
    coveredBy: {
      test: 'a PUT with another id and meta leaves those of the user unchanged',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        const meta = { created: '2001-01-01T00:00:00Z', resourceType: 'Group', location: 'https://example.com' }
        const { id, meta: after } = await put(provider, user, { userName: 'ann', title: 'Pilot', id: 'chosen', meta })
        assert.equal(id, user.id)
        const { created, resourceType, location } = user.meta as Fields & Loose['meta']
        assert.partialDeepStrictEqual(after, { created, resourceType, location })
      },
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'A PUT ignores the groups of a user, which are read-only.',
    coveredBy: {
      test: 'a PUT with an empty list of groups leaves the user in the group',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        const group = await provisionGroup(provider, 'Guides', [user])
        await put(provider, user, { userName: 'ann', groups: [] })
        assert.deepEqual(memberIdsOf(await readGroup(provider, group)), [user.id])
      },
    },
  },
  {
    section: '3.5.1',
    level: 'MUST',
    text: 'A successful PUT returns status 200 and the whole resource.',
    coveredBy: {
      test: 'a PUT returns the same user as a later GET',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        const updated = await put(provider, user, { userName: 'ann', title: 'Pilot', name: { givenName: 'Ann' } })
        assert.deepEqual(updated, await readUser(provider, user))
      },
    },
  },
]

/** The body of the response to a successful PUT of a user. */
async function put(provider: Provider, { id }: Loose, fields: Fields): Promise<Loose> {
  const { status, body, text } = await provider.send('PUT', `/Users/${id}`, fields)
  assert.equal(status, 200, text)
  return body
}

function memberIdsOf({ members }: Fields): unknown[] {
  return Array.isArray(members) ? members.map(({ value }) => value) : []
}
