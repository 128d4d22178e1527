import assert from 'node:assert/strict'
import type { Requirement } from '../../requirement.ts'
import { list } from './support/list.ts'
import { provisionPeople } from './support/people.ts'
import { listResponseUrn } from './support/urns.ts'

/** RFC 7644 §3.4.2: the answer to a query. */
export const listingRequirements: readonly Requirement[] = [
  {
    section: '3.4.2',
    level: 'MUST',
    asks: 'The answer to a query is marked as a ListResponse by its URN.',
    shownBy: {
      test: 'a list says in schemas that it is a ListResponse',
      async run(provider) {
        assert.deepEqual((await list(provider, '/Users')).schemas, [listResponseUrn])
      },
    },
  },
  {
    section: '3.4.2',
    level: 'MUST',
    asks: '`totalResults` is how many resources match, not how many are on the page.',
    shownBy: {
      test: 'the total of a page of one is the number of all matches',
      async run(provider) {
        await provisionPeople(provider)
        assert.equal((await list(provider, '/Users', { count: 1 })).totalResults, 3)
        assert.equal((await list(provider, '/Users', { count: 1, filter: 'title pr' })).totalResults, 2)
      },
    },
  },
  {
    section: '3.4.2',
    level: 'MUST',
    asks: '`Resources` holds what was found, unless that is nothing.',
    shownBy: {
      test: 'a list holds the resources that it counts',
      async run(provider) {
        await provisionPeople(provider)
        const { Resources } = await list(provider, '/Users')
        assert.deepEqual(Resources.map(({ userName }) => userName).sort(), ['ann', 'bob', 'cleo'])
      },
    },
  },
  {
    section: '3.4.2',
    level: 'MUST',
    asks: 'A partial page has a `startIndex`.',
    shownBy: {
      test: 'a page from the second result on has 2 as its startIndex',
      async run(provider) {
        await provisionPeople(provider)
        assert.equal((await list(provider, '/Users', { startIndex: 2, count: 1 })).startIndex, 2)
      },
    },
  },
  {
    section: '3.4.2',
    level: 'MUST',
    asks: 'A partial page has `itemsPerPage`.',
    shownBy: {
      test: 'itemsPerPage is what the page has, even when more was requested',
      async run(provider) {
        await provisionPeople(provider)
        const page = await list(provider, '/Users', { startIndex: 2, count: 50 })
        assert.deepEqual([page.itemsPerPage, page.Resources.length], [2, 2])
      },
    },
  },
  {
    section: '3.4.2',
    level: 'MUST',
    asks: 'A query that finds nothing succeeds: the status is 200 and the total 0.',
    shownBy: {
      test: 'a filter without matches returns 200 with a total of 0',
      async run(provider) {
        await provisionPeople(provider)
        assert.equal((await list(provider, '/Users', { filter: 'userName eq "dora"' })).totalResults, 0)
      },
    },
  },
]
