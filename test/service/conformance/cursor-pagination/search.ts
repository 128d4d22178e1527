import assert from 'node:assert/strict'
import type { Answer } from '../../../support/client.ts'
import { assertScimError } from '../../../support/errors.ts'
import type { Provider, Requirement } from '../requirement.ts'
import { createUsers, nextCursorOf, userNames, userNamesOn } from './walk.ts'

const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']

/** RFC 9865 §3: pages of a query that is sent with POST. */
export const searchRequirements: readonly Requirement[] = [
  {
    section: '3',
    level: 'MUST',
    text: 'A search with POST accepts `cursor` and `count` in its body and returns `nextCursor`.',
    coveredBy: {
      test: 'five users in pages of two are read once each with .search',
      run: async (provider) => {
        await createUsers(provider)
        const first = await search(provider, { cursor: '', count: 2 })
        const second = await search(provider, { cursor: nextCursorOf(first), count: 2 })
        const last = await search(provider, { cursor: nextCursorOf(second), count: 2 })
        assert.deepEqual(userNamesOn(first, second, last).sort(), userNames)
        assert.equal(nextCursorOf(last), undefined)
      },
    },
  },
  {
    section: '3',
    level: 'MUST',
    text: 'A search with POST accepts a filter and attributes together with a cursor.',
    coveredBy: {
      test: 'both pages of a .search with a filter have only the requested attribute',
      run: async (provider) => {
        await createUsers(provider)
        const query = { filter: 'title co "O"', attributes: ['userName'], count: 1 }
        const first = await search(provider, { ...query, cursor: '' })
        const last = await search(provider, { ...query, cursor: nextCursorOf(first) })
        assert.deepEqual(userNamesOn(first, last).sort(), ['bob', 'dora'])
        assert.deepEqual(Object.keys({ ...last.body.Resources[0] }).sort(), ['id', 'schemas', 'userName'])
      },
    },
  },
  {
    section: '3',
    level: 'MUST',
    text: 'A search of all resource types, at the root, can be paged by cursor as well.',
    coveredBy: {
      test: 'five users and a group in pages of four are read once each with .search at the root',
      run: async (provider) => {
        await createUsers(provider)
        await provider.send('POST', '/Groups', { displayName: 'Tour Guides' })
        const first = await search(provider, { cursor: '', count: 4 }, '')
        const last = await search(provider, { cursor: nextCursorOf(first), count: 4 }, '')
        const ids = [first, last].flatMap(({ body }) => body.Resources.map(({ id }) => id))
        assert.deepEqual([first.body.itemsPerPage, new Set(ids).size], [4, 6])
        assert.equal(nextCursorOf(last), undefined)
      },
    },
  },
  {
    section: '3',
    level: 'SHOULD',
    text: 'An invalid cursor in the body is handled like one in the URL.',
    coveredBy: {
      test: 'a made-up cursor in a .search is rejected with invalidCursor',
      run: async (provider) => {
        const response = await provider.send('POST', '/Users/.search', { schemas, cursor: 'made-up', count: 2 })
        assertScimError(response, 400, 'invalidCursor')
      },
    },
  },
]

async function search(provider: Provider, query: object, path = '/Users'): Promise<Answer> {
  const response = await provider.send('POST', `${path}/.search`, { schemas, ...query })
  assert.equal(response.status, 200, response.text)
  return response
}
