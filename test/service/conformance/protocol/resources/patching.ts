import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { answerTo, patchGroup, patchUser, userAfter } from './support/patch.ts'
import { provisionGroup, provisionUser, readGroup, readUser } from './support/provision.ts'
import { enterpriseUrn, patchOpUrn, userUrn } from './support/urns.ts'

/** RFC 7644 §3.5.2: how a PATCH is done and answered. */
export const patchingRequirements: readonly Requirement[] = [
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'An attribute that is named with the URN of its extension brings the URN into `schemas`.',
    shownBy: {
      test: 'a department that is added by its full name makes the user one with the extension',
      async run(provider) {
        const operation = { op: 'add', path: `${enterpriseUrn}:department`, value: 'Tours' }
        assert.deepEqual((await userAfter(provider, {}, operation))['schemas'], [userUrn, enterpriseUrn])
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'A change to `schemas` applies to the operations after it.',
    shownBy: {
      test: 'an extension that is added to schemas can be filled by the next operation',
      async run(provider) {
        const user = await userAfter(
          provider,
          {},
          { op: 'add', path: 'schemas', value: [enterpriseUrn] },
          { op: 'add', path: `${enterpriseUrn}:employeeNumber`, value: '7' },
        )
        assert.deepEqual([user['schemas'], user[enterpriseUrn]], [[userUrn, enterpriseUrn], { employeeNumber: '7' }])
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'Operations are applied in order, each to the result of the previous one.',
    shownBy: {
      test: 'an email address that one operation adds is changed by the next and kept by the last',
      async run(provider) {
        const { emails, title } = await userAfter(
          provider,
          {},
          { op: 'add', path: 'emails', value: [{ value: 'a@example.com', type: 'work' }] },
          { op: 'replace', path: 'emails[type eq "work"].type', value: 'home' },
          { op: 'remove', path: 'emails[type eq "work"]' },
          { op: 'add', path: 'title', value: 'Guide' },
          { op: 'replace', path: 'title', value: 'Pilot' },
        )
        assert.deepEqual([emails, title], [[{ value: 'a@example.com', type: 'home' }], 'Pilot'])
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'Making a value primary makes the others non-primary.',
    shownBy: {
      test: 'the former primary address is primary no more when another becomes it',
      async run(provider) {
        const { emails } = await userAfter(
          provider,
          {
            emails: [
              { value: 'a@example.com', type: 'work', primary: true },
              { value: 'b@example.com', type: 'home' },
            ],
          },
          { op: 'replace', path: 'emails[type eq "home"].primary', value: true },
        )
        assert.deepEqual(emails, [
          { value: 'a@example.com', type: 'work', primary: false },
          { value: 'b@example.com', type: 'home', primary: true },
        ])
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'Adding a primary value makes the others non-primary.',
    shownBy: {
      test: 'the former primary address is primary no more when a primary one is added',
      async run(provider) {
        const { emails } = await userAfter(
          provider,
          { emails: [{ value: 'a@example.com', primary: true }] },
          { op: 'add', path: 'emails', value: [{ value: 'b@example.com', primary: true }] },
        )
        assert.deepEqual(emails, [
          { value: 'a@example.com', primary: false },
          { value: 'b@example.com', primary: true },
        ])
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'A PATCH of several operations is atomic.',
    shownBy: {
      test: 'a user is unchanged when the last of three operations fails',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann', title: 'Guide' })
        const before = await readUser(provider, user)
        const { status } = await patchUser(
          provider,
          user,
          { op: 'replace', path: 'title', value: 'Pilot' },
          { op: 'add', path: 'emails', value: [{ value: 'a@example.com' }] },
          { op: 'replace', path: 'active', value: 'perhaps' },
        )
        assert.equal(status, 400)
        assert.deepEqual(await readUser(provider, user), before)
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'When an operation fails, the members of a group are unchanged, too.',
    shownBy: {
      test: 'a group stays as before when a member was added and its name cannot be removed',
      async run(provider) {
        const ann = await provisionUser(provider, { userName: 'ann' })
        const group = await provisionGroup(provider, 'Guides')
        const before = await readGroup(provider, group)
        const add = { op: 'add', path: 'members', value: [{ value: ann.id }] }
        const { status } = await patchGroup(provider, group, add, { op: 'remove', path: 'displayName' })
        assert.equal(status, 400)
        assert.deepEqual(await readGroup(provider, group), before)
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'A failed PATCH returns the status of the failure and a SCIM error.',
    shownBy: {
      test: 'a userName that is taken is rejected with 409 and uniqueness',
      async run(provider) {
        await provisionUser(provider, { userName: 'bob' })
        const operation = { op: 'replace', path: 'userName', value: 'BOB' }
        assertScimRefusal(await answerTo(provider, {}, operation), 409, 'uniqueness')
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'A successful PATCH returns 200 with the resource or 204 without: users get 200.',
    shownBy: {
      test: 'a PATCH of a user returns the changed user',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann', nickName: 'Annie' })
        const { status, body } = await patchUser(provider, user, { op: 'add', path: 'title', value: 'Guide' })
        assert.deepEqual([status, body], [200, await readUser(provider, user)])
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'A 204 response to a PATCH has no body but the usual headers: groups get 204.',
    shownBy: {
      test: 'a PATCH of a group returns 204 with the entity tag of its new version',
      async run(provider) {
        const group = await provisionGroup(provider, 'Guides')
        const answer = await patchGroup(provider, group, { op: 'replace', path: 'displayName', value: 'Pilots' })
        assert.deepEqual([answer.status, answer.text], [204, ''])
        const { headers } = await provider.send('GET', `/Groups/${group.id}`)
        assert(headers['etag'])
        assert.equal(answer.headers['etag'], headers['etag'])
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'A PATCH with `attributes` returns 200 and these attributes.',
    shownBy: {
      test: 'a PATCH of a group with attributes=displayName returns 200 and the name',
      async run(provider) {
        const { id, schemas } = await provisionGroup(provider, 'Guides')
        const Operations = [{ op: 'replace', path: 'displayName', value: 'Pilots' }]
        const request = { schemas: [patchOpUrn], Operations }
        const { status, body } = await provider.send('PATCH', `/Groups/${id}?attributes=displayName`, request)
        assert.deepEqual([status, body], [200, { schemas, id, displayName: 'Pilots' }])
      },
    },
  },
]
