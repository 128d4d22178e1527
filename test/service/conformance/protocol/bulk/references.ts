import assert from 'node:assert/strict'
import type { Provider, Requirement } from '../../requirement.ts'
import { createGroup, createUser } from '../support/create-resource.ts'
import { enterpriseUser, group, patchOf, user } from '../support/messages.ts'
import { fieldsOf, idsAt, memberIds, read } from '../support/read-resources.ts'
import type { BulkResult } from './send-bulk.ts'
import { bulkResults, bulkStatuses, idOf, postGroup, postUser } from './send-bulk.ts'

const reportsTo = (manager: string) => ({ [enterpriseUser]: { manager: { value: manager } } })

/** The id of the manager of the user that an operation created. */
async function managerOf(provider: Provider, result: BulkResult | undefined): Promise<unknown> {
  const { manager } = fieldsOf(await read(provider, `/Users/${idOf(result)}`))[enterpriseUser] as {
    readonly manager: { readonly value: string }
  }
  return manager.value
}

/** RFC 7644 §3.7.1 and §3.7.2. */
export const bulkReferences: readonly Requirement[] = [
  {
    section: '3.7.1',
    level: 'MUST',
    text: 'Groups created in one request can be members of each other.',
    coveredBy: {
      test: 'two new groups become members of each other',
      async run(provider) {
        const [a, b] = await bulkResults(provider, [postGroup('a', 'bulkId:b'), postGroup('b', 'bulkId:a')])
        assert.deepEqual([a?.status, b?.status], ['201', '201'])
        assert.deepEqual(await memberIds(provider, `/Groups/${idOf(a)}`), [idOf(b)])
        assert.deepEqual(await memberIds(provider, `/Groups/${idOf(b)}`), [idOf(a)])
      },
    },
  },
  {
    section: '3.7.1',
    level: 'MUST',
    text: 'References may be circular across several resources.',
    coveredBy: {
      test: 'three new groups become members of each other in a circle',
      async run(provider) {
        const operations = [postGroup('a', 'bulkId:b'), postGroup('b', 'bulkId:c'), postGroup('c', 'bulkId:a')]
        const results = await bulkResults(provider, operations)
        const [a, b, c] = results.map(idOf)
        const members = results.map((result) => memberIds(provider, `/Groups/${idOf(result)}`))
        assert.deepEqual(await Promise.all(members), [[b], [c], [a]])
      },
    },
  },
  {
    section: '3.7.1',
    level: 'MUST',
    text: 'Users created in one request can be managers of each other.',
    coveredBy: {
      test: 'two new users become managers of each other',
      async run(provider) {
        const operations = [postUser('ann', reportsTo('bulkId:bob')), postUser('bob', reportsTo('bulkId:ann'))]
        const [ann, bob] = await bulkResults(provider, operations)
        assert.deepEqual([ann?.status, bob?.status], ['201', '201'])
        assert.equal(await managerOf(provider, ann), idOf(bob))
        assert.equal(await managerOf(provider, bob), idOf(ann))
      },
    },
  },
  {
    section: '3.7.1',
    level: 'MUST',
    text: 'If one resource of a circle cannot be created, the others are conflicts and none is created.',
    coveredBy: {
      test: 'a group that refers to a failed one is a conflict, and no group is created',
      async run(provider) {
        const { displayName: _, ...nameless } = group('b', 'bulkId:a')
        const [needy, bad] = [postGroup('a', 'bulkId:b'), { ...postGroup('b'), data: nameless }]
        assert.deepEqual(await bulkStatuses(provider, [needy, bad]), ['409', '400'])
        assert.deepEqual(await bulkStatuses(provider, [bad, needy]), ['400', '409'])
        assert.deepEqual(await idsAt(provider, '/Groups'), [])
      },
    },
  },
  {
    section: '3.7.2',
    level: 'MUST',
    text: 'A bulkId in the data of a later operation is replaced by the id of the resource.',
    coveredBy: {
      test: 'a new user becomes a member of a new group',
      async run(provider) {
        const [ann, guides] = await bulkResults(provider, [postUser('ann'), postGroup('Guides', 'bulkId:ann')])
        const { members } = await read(provider, `/Groups/${idOf(guides)}`)
        const { value, type, $ref } = (members?.[0] ?? {}) as Record<string, string>
        assert.deepEqual([value, type, $ref], [idOf(ann), 'User', ann?.location])
      },
    },
  },
  {
    section: '3.7.2',
    level: 'MUST',
    text: 'A bulkId may be used before the operation that it belongs to.',
    coveredBy: {
      test: 'a new group has a member that is created after it',
      async run(provider) {
        const [guides, ann] = await bulkResults(provider, [postGroup('Guides', 'bulkId:ann'), postUser('ann')])
        assert.deepEqual([guides?.status, ann?.status], ['201', '201'])
        assert.deepEqual(await memberIds(provider, `/Groups/${idOf(guides)}`), [idOf(ann)])
      },
    },
  },
  {
    section: '3.7.2',
    level: 'MUST',
    text: 'A bulkId in the data of a PUT is replaced by the id.',
    coveredBy: {
      test: 'a PUT replaces the members of an existing group by a new user',
      async run(provider) {
        const { path } = await createGroup(provider, 'Guides')
        const change = { method: 'PUT', path, data: group('Guides', 'bulkId:ann') }
        const [ann] = await bulkResults(provider, [postUser('ann'), change])
        assert.deepEqual(await memberIds(provider, path), [idOf(ann)])
      },
    },
  },
  {
    section: '3.7.2',
    level: 'MUST',
    text: 'A bulkId in the value of a PATCH is replaced by the id.',
    coveredBy: {
      test: 'a PATCH adds a new user to the members of an existing group',
      async run(provider) {
        const { id } = await createUser(provider, 'bob')
        const { path } = await createGroup(provider, 'Guides', id)
        const data = patchOf({ op: 'add', path: 'members', value: [{ value: 'bulkId:ann' }] })
        const [ann] = await bulkResults(provider, [postUser('ann'), { method: 'PATCH', path, data }])
        assert.deepEqual((await memberIds(provider, path)).sort(), [id, idOf(ann)].sort())
      },
    },
  },
  {
    section: '3.7.2',
    level: 'MUST',
    text: 'A bulkId in a path is replaced by the id.',
    coveredBy: {
      test: 'a new user is changed by the request that creates it',
      async run(provider) {
        const change = { method: 'PUT', path: '/Users/bulkId:ann', data: user('ann.jones') }
        const [ann, changed] = await bulkResults(provider, [postUser('ann'), change])
        assert.deepEqual([changed?.status, changed?.location], ['200', ann?.location])
        assert.equal((await read(provider, `/Users/${idOf(ann)}`)).userName, 'ann.jones')
      },
    },
  },
  {
    section: '3.7.2',
    level: 'MUST',
    text: 'References in extensions are replaced as those of the core schema are.',
    coveredBy: {
      test: 'a new user becomes the manager of a new user',
      async run(provider) {
        const [ann, bob] = await bulkResults(provider, [postUser('ann'), postUser('bob', reportsTo('bulkId:ann'))])
        assert.equal(await managerOf(provider, bob), idOf(ann))
      },
    },
  },
  {
    section: '3.7.2',
    level: 'MUST',
    text: 'An unknown bulkId is a conflict for the operation that refers to it.',
    coveredBy: {
      test: 'a reference to an unknown bulkId is a conflict and has no effect',
      async run(provider) {
        const { path, body } = await createGroup(provider, 'Guides')
        const add = patchOf({ op: 'add', path: 'members', value: [{ value: 'bulkId:nobody' }] })
        const operations = [
          postUser('ann', reportsTo('bulkId:nobody')),
          { method: 'PATCH', path, data: add },
          { method: 'DELETE', path: '/Users/bulkId:nobody' },
        ]
        assert.deepEqual(await bulkStatuses(provider, operations), ['409', '409', '409'])
        assert.deepEqual(await idsAt(provider, '/Users'), [])
        assert.deepEqual(await read(provider, path), body)
      },
    },
  },
]
