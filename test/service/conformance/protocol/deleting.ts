import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { createGroup, createUser } from './support/create-resource.ts'
import { group, patchOf, retitled, searchRequest, user } from './support/messages.ts'
import { idsAt, usersFound } from './support/read-resources.ts'

/** RFC 7644 §3.6. */
export const deleting: readonly Requirement[] = [
  {
    section: '3.6',
    level: 'MUST',
    text: 'Every request for a deleted user returns 404.',
    coveredBy: {
      test: 'a deleted user is not found by any method',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        await provider.send('DELETE', path)
        assertScimError(await provider.send('GET', path), 404)
        assertScimError(await provider.send('PUT', path, user('ann')), 404)
        assertScimError(await provider.send('PATCH', path, retitled('Guide')), 404)
        assertScimError(await provider.send('DELETE', path), 404)
      },
    },
  },
  {
    section: '3.6',
    level: 'MUST',
    text: 'Every request for a deleted group returns 404.',
    coveredBy: {
      test: 'a deleted group is not found by any method',
      async run(provider) {
        const { path } = await createGroup(provider, 'Guides')
        const renamed = patchOf({ op: 'replace', path: 'displayName', value: 'Drivers' })
        await provider.send('DELETE', path)
        assertScimError(await provider.send('GET', path), 404)
        assertScimError(await provider.send('PUT', path, group('Guides')), 404)
        assertScimError(await provider.send('PATCH', path, renamed), 404)
        assertScimError(await provider.send('DELETE', path), 404)
      },
    },
  },
  {
    section: '3.6',
    level: 'MUST',
    text: 'Queries no longer find a deleted resource: no list, filter or search shows it.',
    coveredBy: {
      test: 'a deleted user is in no list, filter or search; the others still are',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const { id } = await createUser(provider, 'bob')
        await provider.send('DELETE', path)
        assert.deepEqual(await idsAt(provider, '/Users'), [id])
        assert.deepEqual(await usersFound(provider, 'userName eq "ann"'), [])
        const search = await provider.send('POST', '/Users/.search', searchRequest({ filter: 'userName pr' }))
        assert.deepEqual([search.body.totalResults, search.body.Resources.map((one) => one.id)], [1, [id]])
      },
    },
  },
  {
    section: '3.6',
    level: 'SHOULD',
    text: 'A new user may have the userName of a deleted one.',
    coveredBy: {
      test: 'a user is created again after it was deleted, under another id',
      async run(provider) {
        const { path, id } = await createUser(provider, 'ann')
        await provider.send('DELETE', path)
        const again = await provider.send('POST', '/Users', user('ann'))
        assert.equal(again.status, 201, again.text)
        assert.notEqual(again.body.id, id)
      },
    },
  },
  {
    section: '3.6',
    level: 'SHOULD',
    text: 'A user may take over the userName of a deleted one.',
    coveredBy: {
      test: "a user is renamed to a deleted user's userName",
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const other = await createUser(provider, 'bob')
        await provider.send('DELETE', path)
        const { status, body, text } = await provider.send('PUT', other.path, user('ann'))
        assert.deepEqual([status, body.userName], [200, 'ann'], text)
      },
    },
  },
  {
    section: '3.6',
    level: 'MUST',
    text: 'A successful DELETE returns 204 without a body.',
    coveredBy: {
      test: 'a DELETE returns 204 and nothing else',
      async run(provider) {
        for (const { path } of [await createUser(provider, 'ann'), await createGroup(provider, 'Guides')]) {
          const { status, text } = await provider.send('DELETE', path)
          assert.deepEqual([status, text], [204, ''])
        }
      },
    },
  },
]
