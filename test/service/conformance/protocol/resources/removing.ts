import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Requirement } from '../../requirement.ts'
import { patchGroup, patchUser, responseTo, userAfter } from './support/patch.ts'
import { provisionGroup, provisionUser, readGroup } from './support/provision.ts'

const workEmail = { value: 'a@example.com', type: 'work' }
const homeEmail = { value: 'b@example.com', type: 'home' }

/** RFC 7644 §3.5.2.2: the remove operation of PATCH. */
export const removingRequirements: readonly Requirement[] = [
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'A remove without a path is rejected with 400 and `noTarget`.',
    coveredBy: {
      test: 'a remove without a path is rejected with noTarget',
      async run(provider) {
        assertScimError(await responseTo(provider, { title: 'Guide' }, { op: 'remove' }), 400, 'noTarget')
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'Removing a singular attribute leaves it unassigned.',
    coveredBy: {
      test: 'a removed title is no longer returned',
      async run(provider) {
        const user = await userAfter(provider, { title: 'Guide' }, { op: 'remove', path: 'title' })
        assert(!('title' in user))
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'An attribute that is removed may get a default. `active` keeps its value: removing it activates nobody.',
    coveredBy: {
      test: 'removing active, or replacing it by null, leaves an inactive user inactive',
      async run(provider) {
        for (const operation of [
          { op: 'remove', path: 'active' },
          { op: 'replace', path: 'active', value: null },
        ]) {
          const user = await userAfter(await provider.another(), { active: false }, operation)
          assert.equal(user['active'], false)
        }
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'Removing a sub-attribute leaves the other sub-attributes unchanged.',
    coveredBy: {
      test: 'removing a given name leaves the family name unchanged',
      async run(provider) {
        const name = { givenName: 'Ann', familyName: 'Archer' }
        const user = await userAfter(provider, { name }, { op: 'remove', path: 'name.givenName' })
        assert.deepEqual(user['name'], { familyName: 'Archer' })
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'Removing a multi-valued attribute without a filter removes all its values.',
    coveredBy: {
      test: 'removing emails removes all email addresses',
      async run(provider) {
        const user = await userAfter(provider, { emails: [workEmail, homeEmail] }, { op: 'remove', path: 'emails' })
        assert(!('emails' in user))
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'Removing members without a filter removes all of them.',
    coveredBy: {
      test: 'a group whose members are removed has none',
      async run(provider) {
        const group = await provisionGroup(provider, 'Guides', [await provisionUser(provider, { userName: 'ann' })])
        await patchGroup(provider, group, { op: 'remove', path: 'members' })
        assert.deepEqual((await readGroup(provider, group))['members'] ?? [], [])
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'Removing by a filter on `value` removes only the matching values.',
    coveredBy: {
      test: 'only the member that the filter names is removed',
      async run(provider) {
        const ann = await provisionUser(provider, { userName: 'ann' })
        const bob = await provisionUser(provider, { userName: 'bob' })
        const group = await provisionGroup(provider, 'Guides', [ann, bob])
        await patchGroup(provider, group, { op: 'remove', path: `members[value eq "${ann.id}"]` })
        const { members } = await readGroup(provider, group)
        assert(Array.isArray(members))
        assert.deepEqual(
          members.map(({ value }) => value),
          [bob.id],
        )
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'If a filter on `value` removes the last value, the attribute is unassigned.',
    coveredBy: {
      test: 'a user whose only email address is removed by its value has no emails',
      async run(provider) {
        const operation = { op: 'remove', path: 'emails[value eq "a@example.com"]' }
        assert(!('emails' in (await userAfter(provider, { emails: [workEmail] }, operation))))
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'Removing by a filter on other sub-attributes removes every matching value.',
    coveredBy: {
      test: 'both addresses of one type are removed, and the one of another type is not',
      async run(provider) {
        const emails = [workEmail, { value: 'c@example.com', type: 'work' }, homeEmail]
        const user = await userAfter(provider, { emails }, { op: 'remove', path: 'emails[type eq "work"]' })
        assert.deepEqual(user['emails'], [homeEmail])
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'A sub-attribute after the filter is removed from the matching values.',
    coveredBy: {
      test: 'only the street of the work address is removed',
      async run(provider) {
        const work = { type: 'work', streetAddress: '1 Long Street', locality: 'Ghent' }
        const home = { type: 'home', streetAddress: '2 Short Street' }
        const operation = { op: 'remove', path: 'addresses[type eq "work"].streetAddress' }
        const { addresses } = await userAfter(provider, { addresses: [work, home] }, operation)
        assert.deepEqual(addresses, [{ type: 'work', locality: 'Ghent' }, home])
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'If a filter on other sub-attributes removes the last value, the attribute is unassigned.',
    coveredBy: {
      test: 'a user whose only postal address is removed by its type has no addresses',
      async run(provider) {
        const addresses = [{ type: 'work', locality: 'Ghent' }]
        const user = await userAfter(provider, { addresses }, { op: 'remove', path: 'addresses[type eq "work"]' })
        assert(!('addresses' in user))
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'A required attribute cannot be removed: `mutability`.',
    coveredBy: {
      test: 'removing the userName of a user or the displayName of a group is rejected',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        assertScimError(await patchUser(provider, user, { op: 'remove', path: 'userName' }), 400, 'mutability')
        const group = await provisionGroup(provider, 'Guides')
        assertScimError(await patchGroup(provider, group, { op: 'remove', path: 'displayName' }), 400, 'mutability')
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    text: 'A read-only attribute cannot be removed: `mutability`.',
    coveredBy: {
      test: 'removing id, meta or the groups of a user is rejected',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        await provisionGroup(provider, 'Guides', [user])
        for (const path of ['id', 'meta', 'groups', 'groups[display eq "Guides"]']) {
          assertScimError(await patchUser(provider, user, { op: 'remove', path }), 400, 'mutability')
        }
      },
    },
  },
]
