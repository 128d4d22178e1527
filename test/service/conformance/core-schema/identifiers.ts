import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { createGroup, createUser, fieldsOf, findUsers, patchOf, pathOf, reread } from './resources.ts'

/** RFC 7643 §3.1: the attributes `id` and `externalId`. */
export const identifierRequirements: readonly Requirement[] = [
  {
    section: '3.1',
    level: 'MUST',
    text: 'Every representation of a resource has a non-empty `id`.',
    coveredBy: {
      test: 'a user has its id when it is read, in a list, with one requested attribute, and when id is excluded',
      run: async (provider) => {
        const user = await createUser(provider)
        const responses = [
          await reread(provider, user),
          await reread(provider, user, '?attributes=userName'),
          await reread(provider, user, '?excludedAttributes=id'),
        ]
        const listed = (await provider.send('GET', '/Users?attributes=userName')).body.Resources
        const ids = [...responses.map(({ body }) => body), ...listed].map(({ id }) => id)
        assert.notEqual(user.body.id, '')
        assert.deepEqual(ids, Array(4).fill(user.body.id))
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'No two resources have the same `id`, whatever their type.',
    coveredBy: {
      test: 'users and groups of two directories all have different ids',
      run: async (provider) => {
        const other = await provider.another()
        const resources = [
          await createUser(provider),
          await createGroup(provider),
          await createUser(other),
          await createGroup(other),
        ]
        assert.equal(new Set(resources.map(({ body }) => body.id)).size, 4)
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'The `id` of a resource never changes.',
    coveredBy: {
      test: 'a user keeps its id through a PUT of another userName and a PATCH',
      run: async (provider) => {
        const user = await createUser(provider)
        const path = pathOf(provider, user)
        await provider.send('PUT', path, { userName: 'babs' })
        await provider.send('PATCH', path, patchOf({ op: 'replace', path: 'externalId', value: '701984' }))
        const { body } = await reread(provider, user)
        assert.deepEqual([body.id, body.userName], [user.body.id, 'babs'])
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'An `id` is never reused.',
    coveredBy: {
      test: 'a user that is deleted and created again has another id, and the old one is not found',
      run: async (provider) => {
        const user = await createUser(provider)
        await provider.send('DELETE', pathOf(provider, user))
        const again = await createUser(provider)
        assert.notEqual(again.body.id, user.body.id)
        assertScimError(await provider.send('GET', pathOf(provider, user)), 404)
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'The service provider assigns the `id`; one sent by a client is ignored.',
    coveredBy: {
      test: 'an id in a POST or PUT is ignored',
      run: async (provider) => {
        const user = await createUser(provider, { id: 'mine' })
        await provider.send('PUT', pathOf(provider, user), { userName: 'bjensen', id: 'mine' })
        assert.notEqual(user.body.id, 'mine')
        assert.equal((await reread(provider, user)).body.id, user.body.id)
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'No `id` contains the word bulkId.',
    coveredBy: {
      test: 'a user sent with the id bulkId:1 gets an id that does not contain the word',
      run: async (provider) => {
        const user = await createUser(provider, { id: 'bulkId:1', externalId: 'bulkId:1' })
        assert.doesNotMatch(user.body.id, /bulkid/i)
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'An `id` is case-sensitive.',
    coveredBy: {
      test: 'an id in capital letters is found neither by URL nor by filter',
      run: async (provider) => {
        const id = (await createUser(provider)).body.id.toUpperCase()
        assertScimError(await provider.send('GET', `/Users/${id}`), 404)
        assert.deepEqual(await findUsers(provider, `id eq "${id}"`), [])
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'Only the client sets `externalId`.',
    coveredBy: {
      test: 'a user and a group have the externalId that was sent, and none if none was sent',
      run: async (provider) => {
        const created = [
          await createUser(provider),
          await createGroup(provider),
          await createUser(provider, { userName: 'jsmith', externalId: '701984' }),
        ]
        const externalIds = created.map((resource) => fieldsOf(resource)['externalId'])
        assert.deepEqual(externalIds, [undefined, undefined, '701984'])
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'An `externalId` is scoped to the client that set it.',
    coveredBy: {
      test: 'two directories use one externalId for two users, and each finds its own',
      run: async (provider) => {
        const other = await provider.another()
        const user = await createUser(provider, { externalId: '701984' })
        const another = await createUser(other, { externalId: '701984' })
        const found = [provider, other].map((one) => findUsers(one, 'externalId eq "701984"'))
        assert.deepEqual(await Promise.all(found), [[user.body.id], [another.body.id]])
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'An `externalId` is case-sensitive.',
    coveredBy: {
      test: 'a filter on externalId in another letter case finds nothing',
      run: async (provider) => {
        await createUser(provider, { externalId: '00uAbC' })
        assert.deepEqual(await findUsers(provider, 'externalId eq "00UABC"'), [])
      },
    },
  },
]
