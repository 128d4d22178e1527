import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { answerTo, patchGroup, patchUser, userAfter } from './support/patch.ts'
import { provisionGroup, provisionUser, readGroup, readUser } from './support/provision.ts'
import { enterpriseUrn } from './support/urns.ts'

const workEmail = { value: 'a@example.com', type: 'work' }
const homeEmail = { value: 'b@example.com', type: 'home' }

/** RFC 7644 §3.5.2.1: the add operation of PATCH. */
export const addingRequirements: readonly Requirement[] = [
  {
    section: '3.5.2.1',
    level: 'MUST',
    asks: 'An add must have a value.',
    shownBy: {
      test: 'an add without a value is rejected, with a path and without',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        assertScimRefusal(await patchUser(provider, user, { op: 'add', path: 'title' }), 400, 'invalidValue')
        assertScimRefusal(await patchUser(provider, user, { op: 'add' }), 400, 'invalidValue')
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    asks: 'An add without a path adds each attribute of its value to the resource.',
    shownBy: {
      test: 'attributes of the core and of an extension are added without a path',
      async run(provider) {
        const value = { title: 'Guide', emails: [homeEmail], [enterpriseUrn]: { department: 'Tours' } }
        const user = await userAfter(provider, { emails: [workEmail] }, { op: 'add', value })
        const { title, emails, [enterpriseUrn]: extension } = user
        assert.deepEqual([title, emails, extension], ['Guide', [workEmail, homeEmail], { department: 'Tours' }])
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    asks: 'An attribute that has no value gets the one that is added.',
    shownBy: {
      test: 'a title, a part of the name and an email address are added where none was',
      async run(provider) {
        const { title, name, emails } = await userAfter(
          provider,
          {},
          { op: 'add', path: 'title', value: 'Guide' },
          { op: 'add', path: 'name.givenName', value: 'Ann' },
          { op: 'add', path: 'emails', value: [workEmail] },
        )
        assert.deepEqual([title, name, emails], ['Guide', { givenName: 'Ann' }, [workEmail]])
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    asks: 'To a complex attribute, parts are added; the other parts stay.',
    shownBy: {
      test: 'a family name that is added leaves the given name',
      async run(provider) {
        const operation = { op: 'add', path: 'name', value: { familyName: 'Archer' } }
        const { name } = await userAfter(provider, { name: { givenName: 'Ann' } }, operation)
        assert.deepEqual(name, { givenName: 'Ann', familyName: 'Archer' })
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    asks: 'What is added to a complex attribute must be an object of its parts.',
    shownBy: {
      test: 'text is not added to a name',
      async run(provider) {
        assertScimRefusal(await answerTo(provider, {}, { op: 'add', path: 'name', value: 'Ann' }), 400, 'invalidValue')
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    asks: 'To a multi-valued attribute, a value is added beside those that it has.',
    shownBy: {
      test: 'an email address is added to another',
      async run(provider) {
        const operation = { op: 'add', path: 'emails', value: [homeEmail] }
        const { emails } = await userAfter(provider, { emails: [workEmail] }, operation)
        assert.deepEqual(emails, [workEmail, homeEmail])
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    asks: 'A member is added beside those that a group has.',
    shownBy: {
      test: 'a group has the member that it had and the one that was added',
      async run(provider) {
        const ann = await provisionUser(provider, { userName: 'ann' })
        const bob = await provisionUser(provider, { userName: 'bob' })
        const group = await provisionGroup(provider, 'Guides', [ann])
        await patchGroup(provider, group, { op: 'add', path: 'members', value: [{ value: bob.id }] })
        const { members } = await readGroup(provider, group)
        assert(Array.isArray(members))
        assert.deepEqual(members.map(({ value }) => value).sort(), [ann.id, bob.id].sort())
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    asks: 'A singular attribute that has a value gets the one that is added instead.',
    shownBy: {
      test: 'adding a title replaces the previous one',
      async run(provider) {
        const { title } = await userAfter(provider, { title: 'Guide' }, { op: 'add', path: 'title', value: 'Pilot' })
        assert.equal(title, 'Pilot')
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    asks: 'A part that exists gets the value that is added instead.',
    shownBy: {
      test: 'a given name that is added replaces the one before and leaves the family name',
      async run(provider) {
        const operation = { op: 'add', path: 'name.givenName', value: 'Anna' }
        const { name } = await userAfter(provider, { name: { givenName: 'Ann', familyName: 'Archer' } }, operation)
        assert.deepEqual(name, { givenName: 'Anna', familyName: 'Archer' })
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'SHOULD',
    asks: 'An existing value is not added again.',
    shownBy: {
      test: 'an email address that is added twice is there once',
      async run(provider) {
        const operation = { op: 'add', path: 'emails', value: [workEmail] }
        assert.deepEqual((await userAfter(provider, { emails: [workEmail] }, operation))['emails'], [workEmail])
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'SHOULD',
    asks: 'Adding an existing value succeeds.',
    shownBy: {
      test: 'a member who is added again is there once, and the request succeeds',
      async run(provider) {
        const ann = await provisionUser(provider, { userName: 'ann' })
        const group = await provisionGroup(provider, 'Guides', [ann])
        const add = { op: 'add', path: 'members', value: [{ value: ann.id }] }
        assert.equal((await patchGroup(provider, group, add)).status, 204)
        assert.deepEqual(await readGroup(provider, group), group)
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    asks: 'Adding an existing value does not change lastModified.',
    shownBy: {
      test: 'adding an existing title and email leaves meta unchanged',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann', title: 'Guide', emails: [workEmail] })
        await patchUser(provider, user, { op: 'add', value: { title: 'Guide', emails: [workEmail] } })
        assert.deepEqual((await readUser(provider, user))['meta'], user.meta)
      },
    },
  },
]
