import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Requirement } from '../../requirement.ts'
import { patchGroup, patchUser, responseTo, userAfter } from './support/patch.ts'
import { provisionGroup, provisionUser, readGroup, readUser } from './support/provision.ts'
import { enterpriseUrn, patchOpUrn, userUrn } from './support/urns.ts'

/** RFC 7644 §3.5.2: applying a PATCH, and the response. */
export const patchingRequirements: readonly Requirement[] = [
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'Adding an attribute by the URN of its extension adds the URN to `schemas`.',
    coveredBy: {
      test: 'adding a department by its full name adds the extension to schemas',
      async run(provider) {
        const operation = { op: 'add', path: `${enterpriseUrn}:department`, value: 'Tours' }
        assert.deepEqual((await userAfter(provider, {}, operation))['schemas'], [userUrn, enterpriseUrn])
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'A change to `schemas` applies to the operations after it.',
    coveredBy: {
      test: 'the next operation can set attributes of an extension that was added to schemas',
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
    text: 'Operations are applied in order, each to the result of the previous one.',
    coveredBy: {
      test: 'an email address added by one operation is changed by the next and left alone by the last',
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
    text: 'Making a value primary makes the others non-primary.',
    coveredBy: {
      test: 'the previous primary address is not primary after another one is made primary',
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
    text: 'Adding a primary value makes the others non-primary.',
    coveredBy: {
      test: 'the previous primary address is not primary after a primary one is added',
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
    text: 'A PATCH of several operations is atomic.',
    coveredBy: {
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
    text: 'The members of a group are unchanged if an operation fails.',
    coveredBy: {
      test: 'a group is unchanged when one operation adds a member and the next cannot remove the name',
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
    text: 'A failed PATCH returns the status of the failure and a SCIM error.',
    coveredBy: {
      test: 'a userName that is taken is rejected with 409 and uniqueness',
      async run(provider) {
        await provisionUser(provider, { userName: 'bob' })
        const operation = { op: 'replace', path: 'userName', value: 'BOB' }
        assertScimError(await responseTo(provider, {}, operation), 409, 'uniqueness')
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'A successful PATCH returns 200 with the resource or 204 without: users get 200.',
    coveredBy: {
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
    text: 'A 204 response to a PATCH has no body, but the usual headers: groups get 204.',
    coveredBy: {
      test: 'a PATCH of a group returns 204 with the entity tag of its new version',
      async run(provider) {
        const group = await provisionGroup(provider, 'Guides')
        const response = await patchGroup(provider, group, { op: 'replace', path: 'displayName', value: 'Pilots' })
        assert.deepEqual([response.status, response.text], [204, ''])
        const { headers } = await provider.send('GET', `/Groups/${group.id}`)
        assert(headers['etag'])
        assert.equal(response.headers['etag'], headers['etag'])
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'A PATCH with `attributes` returns 200 and these attributes.',
    coveredBy: {
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
