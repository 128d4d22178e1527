import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Requirement } from '../../requirement.ts'
import { patchGroup, responseTo, userAfter } from './support/patch.ts'
import { provisionGroup, provisionUser, readGroup } from './support/provision.ts'

const workEmail = { value: 'a@example.com', type: 'work' }
const homeEmail = { value: 'b@example.com', type: 'home' }
const work = { type: 'work', streetAddress: '1 Long Street', country: 'BE' }
const home = { type: 'home', streetAddress: '2 Short Street', country: 'BE' }
const other = { type: 'other', streetAddress: '3 Wide Street', country: 'NL' }

/** RFC 7644 §3.5.2.3: the replace operation of PATCH. */
export const patchReplacingRequirements: readonly Requirement[] = [
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'A replace without a path replaces each attribute that its value names, and no others.',
    coveredBy: {
      test: 'a replace without a path leaves the attributes that it does not name unchanged',
      async run(provider) {
        const before = { title: 'Guide', nickName: 'Annie', emails: [workEmail] }
        const value = { title: 'Pilot', emails: [homeEmail] }
        const { title, nickName, emails } = await userAfter(provider, before, { op: 'replace', value })
        assert.deepEqual([title, nickName, emails], ['Pilot', 'Annie', [homeEmail]])
      },
      strict: {
        test: 'a replace of simple attributes without a path leaves those that it does not name unchanged',
        async run(provider) {
          const before = { title: 'Guide', nickName: 'Annie' }
          const { title, nickName } = await userAfter(provider, before, { op: 'replace', value: { title: 'Pilot' } })
          assert.deepEqual([title, nickName], ['Pilot', 'Annie'])
        },
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'The value of a replace without a path must be an object of attributes.',
    coveredBy: {
      test: 'a replace without a path whose value is text or missing is rejected',
      async run(provider) {
        for (const operation of [{ op: 'replace', value: 'Pilot' }, { op: 'replace' }]) {
          assertScimError(await responseTo(await provider.another(), {}, operation), 400, 'invalidValue')
        }
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'The value of a singular attribute is replaced.',
    coveredBy: {
      test: 'a title and a given name are replaced',
      async run(provider) {
        const { title, name } = await userAfter(
          provider,
          { title: 'Guide', name: { givenName: 'Ann', familyName: 'Archer' } },
          { op: 'replace', path: 'title', value: 'Pilot' },
          { op: 'replace', path: 'name.givenName', value: 'Anna' },
        )
        assert.deepEqual([title, name], ['Pilot', { givenName: 'Anna', familyName: 'Archer' }])
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'Without a filter, all values of a multi-valued attribute are replaced.',
    coveredBy: {
      test: 'one email address replaces two others',
      async run(provider) {
        const only = { value: 'c@example.com', type: 'other' }
        const operation = { op: 'replace', path: 'emails', value: [only] }
        assert.deepEqual((await userAfter(provider, { emails: [workEmail, homeEmail] }, operation))['emails'], [only])
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'Without a filter, all members of a group are replaced.',
    coveredBy: {
      test: 'another member replaces the previous one',
      async run(provider) {
        const ann = await provisionUser(provider, { userName: 'ann' })
        const bob = await provisionUser(provider, { userName: 'bob' })
        const group = await provisionGroup(provider, 'Guides', [ann])
        await patchGroup(provider, group, { op: 'replace', path: 'members', value: [{ value: bob.id }] })
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
    section: '3.5.2.3',
    level: 'MUST',
    text: 'Replacing an attribute without a value adds it.',
    coveredBy: {
      test: 'replacing a title, a given name and an email address that a user does not have adds them',
      async run(provider) {
        const { title, name, emails } = await userAfter(
          provider,
          {},
          { op: 'replace', path: 'title', value: 'Pilot' },
          { op: 'replace', path: 'name.givenName', value: 'Ann' },
          { op: 'replace', path: 'emails', value: [workEmail] },
        )
        assert.deepEqual([title, name, emails], ['Pilot', { givenName: 'Ann' }, [workEmail]])
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'Replacing a complex attribute replaces or adds the sub-attributes in the value.',
    coveredBy: {
      test: 'a given name is replaced, a middle name is added, and the family name is unchanged',
      async run(provider) {
        const name = { givenName: 'Ann', familyName: 'Archer' }
        const operation = { op: 'replace', path: 'name', value: { givenName: 'Anna', middleName: 'B' } }
        assert.deepEqual((await userAfter(provider, { name }, operation))['name'], {
          givenName: 'Anna',
          familyName: 'Archer',
          middleName: 'B',
        })
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'The value that replaces a complex attribute must be an object of its sub-attributes.',
    coveredBy: {
      test: 'replacing a name by text is rejected',
      async run(provider) {
        const operation = { op: 'replace', path: 'name', value: 'Ann' }
        assertScimError(await responseTo(provider, { name: { givenName: 'Ann' } }, operation), 400, 'invalidValue')
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'With a filter, every matching value is replaced.',
    coveredBy: {
      test: 'two addresses in one country are replaced, and the third is unchanged',
      async run(provider) {
        const operation = { op: 'replace', path: 'addresses[country eq "BE"]', value: { country: 'FR' } }
        const { addresses } = await userAfter(provider, { addresses: [work, other, home] }, operation)
        assert.deepEqual(addresses, [{ country: 'FR' }, other, { country: 'FR' }])
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'A value that a filter selects is replaced as a whole: sub-attributes that the new value does not name are gone.',
    coveredBy: {
      test: 'an entire work address is replaced',
      async run(provider) {
        const value = { type: 'work', locality: 'Ghent', primary: true }
        const operation = { op: 'replace', path: 'addresses[type eq "work"]', value }
        const { addresses } = await userAfter(provider, { addresses: [work, home] }, operation)
        assert.deepEqual(addresses, [value, home])
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'With a filter and a sub-attribute, that sub-attribute of every matching value is replaced.',
    coveredBy: {
      test: 'the streets of two addresses in one country are replaced, and that of the third is unchanged',
      async run(provider) {
        const streetAddress = '4 New Street'
        const operation = { op: 'replace', path: 'addresses[country eq "BE"].streetAddress', value: streetAddress }
        const { addresses } = await userAfter(provider, { addresses: [work, other, home] }, operation)
        assert.deepEqual(addresses, [{ ...work, streetAddress }, other, { ...home, streetAddress }])
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'A filter without matches is rejected with 400 and `noTarget`.',
    coveredBy: {
      test: 'a filter without matches is rejected unless it describes the value to create by type and primary',
      async run(provider) {
        const user = { emails: [workEmail] }
        const created = { op: 'replace', path: 'emails[type eq "home"].value', value: 'b@example.com' }
        assert.deepEqual((await userAfter(await provider.another(), user, created))['emails'], [workEmail, homeEmail])
        for (const path of [
          'emails[value eq "gone@example.com"]',
          'emails[type eq "work" and value eq "gone@example.com"].display',
          'emails[value co "nobody"]',
          'emails[not (type pr)].value',
          'emails[type ne "work"].display',
        ]) {
          const operation = { op: 'replace', path, value: path.endsWith(']') ? homeEmail : 'b@example.com' }
          assertScimError(await responseTo(await provider.another(), user, operation), 400, 'noTarget')
        }
      },
      strict: {
        test: 'a filter without matches is rejected, also if it describes a value to create',
        async run(provider) {
          for (const path of ['emails[type eq "home"].value', 'emails[value co "nobody"].value']) {
            const operation = { op: 'replace', path, value: 'b@example.com' }
            const response = await responseTo(await provider.another(), { emails: [workEmail] }, operation)
            assertScimError(response, 400, 'noTarget')
          }
        },
      },
    },
    deviation: {
      text: 'If the conditions of the filter are `type eq` and `primary eq`, the value is created, as Entra ID expects.',
      endedBy: 'scim_profile: "strict"',
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    text: 'Replacing a member that the filter does not find is rejected with 400 and `noTarget`.',
    coveredBy: {
      test: 'replacing a user who is not a member adds nobody',
      async run(provider) {
        const ann = await provisionUser(provider, { userName: 'ann' })
        const group = await provisionGroup(provider, 'Guides')
        const operation = { op: 'replace', path: `members[value eq "${ann.id}"]`, value: { value: ann.id } }
        assertScimError(await patchGroup(provider, group, operation), 400, 'noTarget')
        assert.deepEqual((await readGroup(provider, group))['members'], [])
      },
    },
  },
]
