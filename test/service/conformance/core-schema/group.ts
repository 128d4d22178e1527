import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { outline, readAttributes } from './definitions.ts'
import type { Fields } from './resources.ts'
import { createGroup, createUser, fieldsOf, groupUrn, patchOf, pathOf, reread } from './resources.ts'

/** RFC 7643 §4.2: groups. */
export const groupRequirements: readonly Requirement[] = [
  {
    section: '4.2',
    level: 'MUST',
    text: 'Groups are described by the Group schema, with every attribute that the RFC defines.',
    coveredBy: {
      test: 'the Group schema has a required displayName and members with immutable sub-attributes',
      run: async (provider) => {
        const lines = outline(await readAttributes(provider, groupUrn))
        const expected = [
          'displayName string required',
          'members complex list',
          'members.value string immutable',
          'members.$ref reference immutable',
          'members.type string immutable',
        ]
        assert.deepEqual(
          expected.filter((line) => !lines.includes(line)),
          [],
          lines.join('\n'),
        )
      },
    },
  },
  {
    section: '4.2',
    level: 'MUST',
    text: 'Every group has a `displayName`.',
    coveredBy: {
      test: 'a group without displayName is rejected with invalidValue',
      run: async (provider) => {
        assertScimError(await provider.send('POST', '/Groups', { schemas: [groupUrn] }), 400, 'invalidValue')
      },
    },
  },
  {
    section: '4.2',
    level: 'MUST',
    text: 'A group always has a `displayName`, after any change.',
    coveredBy: {
      test: 'a PUT without displayName is rejected with invalidValue, and its removal by PATCH as mutability',
      run: async (provider) => {
        const path = pathOf(provider, await createGroup(provider))
        assertScimError(await provider.send('PUT', path, { members: [] }), 400, 'invalidValue')
        const removal = patchOf({ op: 'remove', path: 'displayName' })
        assertScimError(await provider.send('PATCH', path, removal), 400, 'mutability')
      },
    },
  },
  {
    section: '4.2',
    level: 'MUST',
    text: 'The `value` of a member is the id of a resource.',
    coveredBy: {
      test: 'of a user, a group and an unknown id, the first two become members',
      run: async (provider) => {
        const [user, inner] = [await createUser(provider), await createGroup(provider)]
        const ids = [user.body.id, inner.body.id]
        const members = [...ids, '00000000-0000-4000-8000-000000000000'].map((value) => ({ value }))
        const group = await createGroup(provider, { displayName: 'All', members })
        const values = (await reread(provider, group)).body.members?.map(({ value }) => value)
        assert.deepEqual(new Set(values), new Set(ids))
      },
    },
  },
  {
    section: '4.2',
    level: 'MUST',
    text: 'The `$ref` of a member is the URI of that resource, a user or a group.',
    coveredBy: {
      test: 'members that are users or groups are returned with their URLs and types',
      run: async (provider) => {
        const resources = [await createUser(provider), await createGroup(provider)]
        const members = resources.map(({ body }) => ({ value: body.id }))
        const group = await createGroup(provider, { displayName: 'All', members })
        const returned = fieldsOf(await reread(provider, group))['members'] as readonly Fields[]
        assert.deepEqual(
          new Map(returned.map(({ $ref, type }) => [$ref, type])),
          new Map(resources.map(({ body }) => [body.meta.location, body.meta.resourceType])),
        )
      },
    },
  },
  {
    section: '4.2',
    level: 'MUST',
    text: 'A member is added or removed, but its sub-attributes do not change.',
    coveredBy: {
      test: 'a PATCH that changes the value or type of a member is rejected with mutability',
      run: async (provider) => {
        const [user, other] = [await createUser(provider), await createUser(provider, { userName: 'jsmith' })]
        const group = await createGroup(provider, { members: [{ value: user.body.id }] })
        const member = `members[value eq "${user.body.id}"]`
        for (const change of [
          { path: `${member}.value`, value: other.body.id },
          { path: `${member}.type`, value: 'Group' },
        ]) {
          const patch = patchOf({ op: 'replace', ...change })
          assertScimError(await provider.send('PATCH', pathOf(provider, group), patch), 400, 'mutability')
        }
      },
    },
  },
]
