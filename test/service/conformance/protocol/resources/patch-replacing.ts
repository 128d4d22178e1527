import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { answerTo, patchGroup, userAfter } from './support/patch.ts'
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
    asks: 'A replace without a path replaces each attribute that its value names, and no others.',
    shownBy: {
      test: 'attributes are replaced without a path, and those that are not named stay',
      async run(provider) {
        const before = { title: 'Guide', nickName: 'Annie', emails: [workEmail] }
        const value = { title: 'Pilot', emails: [homeEmail] }
        const { title, nickName, emails } = await userAfter(provider, before, { op: 'replace', value })
        assert.deepEqual([title, nickName, emails], ['Pilot', 'Annie', [homeEmail]])
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    asks: 'A replace without a path must have an object of attributes for its value.',
    shownBy: {
      test: 'a replace without a path, of text or without a value, is rejected',
      async run(provider) {
        for (const operation of [{ op: 'replace', value: 'Pilot' }, { op: 'replace' }]) {
          assertScimRefusal(await answerTo(await provider.another(), {}, operation), 400, 'invalidValue')
        }
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    asks: 'The value of a singular attribute is replaced.',
    shownBy: {
      test: 'a title and a part of the name are replaced',
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
    asks: 'Without a filter, all values of a multi-valued attribute are replaced.',
    shownBy: {
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
    asks: 'Without a filter, all members of a group are replaced.',
    shownBy: {
      test: 'another member replaces the one before',
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
    asks: 'Replacing an attribute without a value adds it.',
    shownBy: {
      test: 'a title, a part of the name and an email address are replaced where none was',
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
    asks: 'Of a complex attribute, the parts that are given are replaced, or added where there was none.',
    shownBy: {
      test: 'a given name is replaced, a middle name added, and the family name stays',
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
    asks: 'What replaces a complex attribute must be an object of its parts.',
    shownBy: {
      test: 'text does not replace a name',
      async run(provider) {
        const operation = { op: 'replace', path: 'name', value: 'Ann' }
        assertScimRefusal(await answerTo(provider, { name: { givenName: 'Ann' } }, operation), 400, 'invalidValue')
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    asks: 'With a filter, every value that it picks is replaced.',
    shownBy: {
      test: 'two addresses of one country get another, and the third stays',
      async run(provider) {
        const operation = { op: 'replace', path: 'addresses[country eq "BE"]', value: { country: 'FR' } }
        const { addresses } = await userAfter(provider, { addresses: [work, other, home] }, operation)
        assert.deepEqual(addresses, [{ ...work, country: 'FR' }, other, { ...home, country: 'FR' }])
      },
    },
  },
  {
    section: '3.5.2.3',
    level: 'MUST',
    asks: 'With a filter and a sub-attribute, that sub-attribute of every matching value is replaced.',
    shownBy: {
      test: 'the street of two addresses in one country is replaced, and that of the third stays',
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
    asks:
      'A filter that picks no value is rejected with 400 and `noTarget`. We depart from this where the filter itself ' +
      'says with `eq` what the value is: it is created then, as Entra ID expects.',
    shownBy: {
      test: 'a filter that picks no value is rejected when it does not say which to create',
      async run(provider) {
        const user = { emails: [workEmail] }
        for (const path of [
          'emails[value co "nobody"]',
          'emails[not (type pr)].value',
          'emails[type ne "work"].display',
        ]) {
          const operation = { op: 'replace', path, value: path.endsWith(']') ? homeEmail : 'b@example.com' }
          assertScimRefusal(await answerTo(await provider.another(), user, operation), 400, 'noTarget')
        }
      },
    },
  },
]
