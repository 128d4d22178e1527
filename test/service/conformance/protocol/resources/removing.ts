import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { answerTo, patchGroup, patchUser, userAfter } from './support/patch.ts'
import { provisionGroup, provisionUser, readGroup } from './support/provision.ts'

const workEmail = { value: 'a@example.com', type: 'work' }
const homeEmail = { value: 'b@example.com', type: 'home' }

/** RFC 7644 §3.5.2.2: the remove operation of PATCH. */
export const removingRequirements: readonly Requirement[] = [
  {
    section: '3.5.2.2',
    level: 'MUST',
    asks: 'A remove without a path is rejected with 400 and `noTarget`.',
    shownBy: {
      test: 'a remove that does not say what is rejected',
      async run(provider) {
        assertScimRefusal(await answerTo(provider, { title: 'Guide' }, { op: 'remove' }), 400, 'noTarget')
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    asks: 'A singular attribute that is removed has no value any more.',
    shownBy: {
      test: 'a title that is removed is gone',
      async run(provider) {
        const user = await userAfter(provider, { title: 'Guide' }, { op: 'remove', path: 'title' })
        assert(!('title' in user))
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    asks: 'A part of a complex attribute that is removed has no value any more; the other parts stay.',
    shownBy: {
      test: 'a given name that is removed leaves the family name',
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
    asks: 'A multi-valued attribute that is removed without a filter has no values any more.',
    shownBy: {
      test: 'all email addresses are removed at once',
      async run(provider) {
        const user = await userAfter(provider, { emails: [workEmail, homeEmail] }, { op: 'remove', path: 'emails' })
        assert(!('emails' in user))
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    asks: 'Members that are removed without a filter are gone, all of them.',
    shownBy: {
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
    asks: 'A filter on `value` removes the values that it picks and no others.',
    shownBy: {
      test: 'the member whom the filter names is removed and the other stays',
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
    asks: 'When a filter on `value` removes the last one, the attribute has no value any more.',
    shownBy: {
      test: 'a user whose one email address is removed by its value has none',
      async run(provider) {
        const operation = { op: 'remove', path: 'emails[value eq "a@example.com"]' }
        assert(!('emails' in (await userAfter(provider, { emails: [workEmail] }, operation))))
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    asks: 'A filter on other parts removes every value that it picks.',
    shownBy: {
      test: 'both addresses of one kind are removed and one of another kind stays',
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
    asks: 'A part after the filter is removed from the values that it picks and has no value there any more.',
    shownBy: {
      test: 'the street of the work address is removed and the rest stays',
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
    asks: 'When a filter on other parts removes the last value, the attribute has no value any more.',
    shownBy: {
      test: 'a user whose one postal address is removed by its type has none',
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
    asks: 'A required attribute cannot be removed: `mutability`.',
    shownBy: {
      test: 'the userName of a user and the displayName of a group are not removed',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        assertScimRefusal(await patchUser(provider, user, { op: 'remove', path: 'userName' }), 400, 'mutability')
        const group = await provisionGroup(provider, 'Guides')
        assertScimRefusal(await patchGroup(provider, group, { op: 'remove', path: 'displayName' }), 400, 'mutability')
      },
    },
  },
  {
    section: '3.5.2.2',
    level: 'MUST',
    asks: 'A read-only attribute cannot be removed: `mutability`.',
    shownBy: {
      test: 'id, meta and the groups of a user are not removed',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        await provisionGroup(provider, 'Guides', [user])
        for (const path of ['id', 'meta', 'groups', 'groups[display eq "Guides"]']) {
          assertScimRefusal(await patchUser(provider, user, { op: 'remove', path }), 400, 'mutability')
        }
      },
    },
  },
]
