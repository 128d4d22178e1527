import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Requirement } from '../../requirement.ts'
import { patchGroup, patchUser, responseTo, userAfter } from './support/patch.ts'
import { provisionGroup, provisionUser, readGroup, readUser } from './support/provision.ts'
import { enterpriseUrn } from './support/urns.ts'

const workEmail = { value: 'a@example.com', type: 'work' }
const homeEmail = { value: 'b@example.com', type: 'home' }

/** RFC 7644 §3.5.2.1: the add operation of PATCH. */
export const addingRequirements: readonly Requirement[] = [
  {
    section: '3.5.2.1',
    level: 'MUST',
    text: 'An add must have a value.',
    coveredBy: {
      test: 'an add without a value is rejected, with a path and without',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        assertScimError(await patchUser(provider, user, { op: 'add', path: 'title' }), 400, 'invalidValue')
        assertScimError(await patchUser(provider, user, { op: 'add' }), 400, 'invalidValue')
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    text: 'An add without a path adds each attribute of its value to the resource.',
    coveredBy: {
      test: 'attributes of the core schema and of an extension are added without a path',
      async run(provider) {
        const value = { title: 'Guide', emails: [homeEmail], [enterpriseUrn]: { department: 'Tours' } }
        const user = await userAfter(provider, { emails: [workEmail] }, { op: 'add', value })
        const { title, emails, [enterpriseUrn]: extension } = user
        assert.deepEqual([title, emails, extension], ['Guide', [workEmail, homeEmail], { department: 'Tours' }])
      },
      strict: {
        test: 'simple attributes are added without a path; others are rejected, as the interoperability profile requires',
        async run(provider) {
          const user = await userAfter(provider, {}, { op: 'add', value: { title: 'Guide', active: false } })
          assert.deepEqual([user['title'], user['active']], ['Guide', false])
          for (const value of [{ emails: [homeEmail] }, { name: { givenName: 'Ann' } }, { [enterpriseUrn]: {} }]) {
            const response = await responseTo(await provider.another(), {}, { op: 'add', value })
            assertScimError(response, 400, 'invalidSyntax')
          }
        },
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    text: 'An attribute without a value gets the added value.',
    coveredBy: {
      test: 'a title, a given name and an email address are added to a user without them',
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
    text: 'Adding to a complex attribute adds sub-attributes and leaves the others unchanged.',
    coveredBy: {
      test: 'adding a family name leaves the given name unchanged',
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
    text: 'A value added to a complex attribute must be an object of its sub-attributes.',
    coveredBy: {
      test: 'adding text to a name is rejected',
      async run(provider) {
        assertScimError(await responseTo(provider, {}, { op: 'add', path: 'name', value: 'Ann' }), 400, 'invalidValue')
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'MUST',
    text: 'Adding to a multi-valued attribute keeps its existing values.',
    coveredBy: {
      test: 'a second email address is added to the first',
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
    text: 'Adding a member to a group keeps its other members.',
    coveredBy: {
      test: 'a group has its previous member and the added one',
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
    text: 'Adding to a singular attribute replaces its value.',
    coveredBy: {
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
    text: 'Adding an existing sub-attribute replaces its value.',
    coveredBy: {
      test: 'adding a given name replaces the previous one and leaves the family name unchanged',
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
    text: 'An existing value is not added again.',
    coveredBy: {
      test: 'an email address that is added twice is stored once',
      async run(provider) {
        const operation = { op: 'add', path: 'emails', value: [workEmail] }
        assert.deepEqual((await userAfter(provider, { emails: [workEmail] }, operation))['emails'], [workEmail])
      },
    },
  },
  {
    section: '3.5.2.1',
    level: 'SHOULD',
    text: 'Adding an existing value succeeds.',
    coveredBy: {
      test: 'adding an existing member succeeds, and the member is listed once',
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
    text: 'Adding an existing value does not change lastModified.',
    coveredBy: {
      test: 'adding an existing title and email leaves meta unchanged',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann', title: 'Guide', emails: [workEmail] })
        await patchUser(provider, user, { op: 'add', value: { title: 'Guide', emails: [workEmail] } })
        assert.deepEqual((await readUser(provider, user))['meta'], user.meta)
      },
    },
  },
]
