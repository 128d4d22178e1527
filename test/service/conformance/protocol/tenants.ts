import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { bulkStatuses } from './bulk/send-bulk.ts'
import { createGroup, createUser } from './support/create-resource.ts'
import { group, patchOf, retitled, user } from './support/messages.ts'
import { idsAt, memberIds, read, usersFound } from './support/read-resources.ts'

/** RFC 7644 §6. */
export const tenants: readonly Requirement[] = [
  {
    section: '6.1',
    level: 'SHOULD',
    text: "A tenant cannot access another tenant's resources by their ids.",
    coveredBy: {
      test: "another tenant's user and group are not found by any method",
      async run(provider) {
        const other = await provider.another()
        const ann = await createUser(other, 'ann')
        const guides = await createGroup(other, 'Guides', ann.id)
        const changes = [
          { path: ann.path, body: user('bob'), change: retitled('Guide') },
          { path: guides.path, body: group('Drivers'), change: patchOf({ op: 'remove', path: 'members' }) },
        ]
        for (const { path, body, change } of changes) {
          const before = await read(other, path)
          assertScimError(await provider.send('GET', path), 404)
          assertScimError(await provider.send('PUT', path, body), 404)
          assertScimError(await provider.send('PATCH', path, change), 404)
          assertScimError(await provider.send('DELETE', path), 404)
          assert.deepEqual(await read(other, path), before)
        }
      },
    },
  },
  {
    section: '6.1',
    level: 'SHOULD',
    text: "A tenant cannot find another tenant's resources.",
    coveredBy: {
      test: "another tenant's users and groups are in no list and found by no filter",
      async run(provider) {
        const other = await provider.another()
        const { id } = await createUser(other, 'ann')
        await createGroup(other, 'Guides', id)
        const { id: own } = await createUser(provider, 'bob')
        assert.deepEqual(await idsAt(provider, '/Users'), [own])
        assert.deepEqual(await idsAt(provider, '/Groups'), [])
        for (const filter of ['userName eq "ann"', `id eq "${id}"`, 'groups pr']) {
          assert.deepEqual(await usersFound(provider, filter), [], filter)
        }
      },
    },
  },
  {
    section: '6.1',
    level: 'SHOULD',
    text: "A tenant cannot refer to another tenant's resources.",
    coveredBy: {
      test: "another tenant's user does not become a member",
      async run(provider) {
        const other = await provider.another()
        const { id, path } = await createUser(other, 'ann')
        const guides = await createGroup(provider, 'Guides', id)
        assert.deepEqual(await memberIds(provider, guides.path), [])
        assert.equal((await read(other, path)).groups, undefined)
      },
    },
  },
  {
    section: '6.1',
    level: 'SHOULD',
    text: "Bulk requests of a tenant cannot change another tenant's resources.",
    coveredBy: {
      test: "another tenant's user is not found by a bulk request",
      async run(provider) {
        const other = await provider.another()
        const { path, body } = await createUser(other, 'ann')
        const operations = [
          { method: 'PATCH', path, data: retitled('Guide') },
          { method: 'DELETE', path },
        ]
        assert.deepEqual(await bulkStatuses(provider, operations), ['404', '404'])
        assert.deepEqual(await read(other, path), body)
      },
    },
  },
  {
    section: '6.2',
    level: 'MUST',
    text: 'Names and externalIds of one tenant can be used by other tenants.',
    coveredBy: {
      test: 'two tenants have a user of the same userName and externalId',
      async run(provider) {
        const other = await provider.another()
        const ann = await createUser(provider, 'ann', { externalId: '7' })
        const namesake = await createUser(other, 'ann', { externalId: '7' })
        assert.notEqual(ann.id, namesake.id)
        assert.deepEqual(await usersFound(provider, 'externalId eq "7"'), [ann.id])
        assert.deepEqual(await usersFound(other, 'externalId eq "7"'), [namesake.id])
      },
    },
  },
]
