import assert from 'node:assert/strict'
import { fieldsOf } from '../core-schema/resources.ts'
import type { Requirement } from '../requirement.ts'
import { createUsers, nextCursorOf, readPage, readPages, userNames, userNamesOn } from './walk.ts'

/** RFC 9865 §2.2 to §2.5: the order of pages, and the choice of the paging method. */
export const methodRequirements: readonly Requirement[] = [
  {
    section: '2.2',
    level: 'SHOULD',
    text: 'Pages by cursor are sorted as the query says.',
    coveredBy: {
      test: 'users sorted by userName are in alphabetical order from page to page',
      run: async (provider) => {
        await createUsers(provider)
        assert.deepEqual(userNamesOn(...(await readPages(provider, { sortBy: 'userName', count: '2' }))), userNames)
      },
    },
  },
  {
    section: '2.2',
    level: 'SHOULD',
    text: 'Pages by cursor are sorted as the query says, also in descending order.',
    coveredBy: {
      test: 'users sorted by title, descending, are in reverse order from page to page',
      run: async (provider) => {
        await createUsers(provider)
        const pages = await readPages(provider, { sortBy: 'title', sortOrder: 'descending', count: '2' })
        assert.deepEqual(userNamesOn(...pages), userNames.toReversed())
      },
    },
  },
  {
    section: '2.3',
    level: 'MUST',
    text: 'A service provider with both methods has a default for queries that select neither.',
    coveredBy: {
      test: 'a query with neither startIndex nor cursor uses the method in ServiceProviderConfig',
      run: async (provider) => {
        await createUsers(provider)
        const config = fieldsOf(await provider.send('GET', '/ServiceProviderConfig'))
        const { defaultPaginationMethod } = config['pagination'] as Record<string, unknown>
        const page = await readPage(provider, { count: '2' })
        assert.equal(defaultPaginationMethod, 'index')
        assert.deepEqual([page.body.startIndex, nextCursorOf(page)], [1, undefined])
      },
    },
  },
  {
    section: '2.3',
    level: 'MUST',
    text: 'A query that needs pages but selects neither method is not an error.',
    coveredBy: {
      test: 'a query for two of five users with neither startIndex nor cursor returns two users',
      run: async (provider) => {
        await createUsers(provider)
        const { body } = await readPage(provider, { count: '2' })
        assert.deepEqual([body.totalResults, body.itemsPerPage, body.Resources.length], [5, 2, 2])
      },
    },
  },
  {
    section: '2.5',
    level: 'SHOULD',
    text: 'Clients that do not use cursors get the same responses as before.',
    coveredBy: {
      test: 'a list that is read by startIndex has the attributes of RFC 7644 and no other',
      run: async (provider) => {
        await createUsers(provider)
        const pages = [
          await readPage(provider, { startIndex: '1', count: '3' }),
          await readPage(provider, { startIndex: '4', count: '3' }),
        ]
        const names = ['Resources', 'itemsPerPage', 'schemas', 'startIndex', 'totalResults']
        for (const { body } of pages) assert.deepEqual(Object.keys(body).sort(), names)
        assert.deepEqual(userNamesOn(...pages).sort(), userNames)
      },
    },
  },
]
