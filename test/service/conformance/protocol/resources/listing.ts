import assert from 'node:assert/strict'
import type { Requirement } from '../../requirement.ts'
import { list } from './support/list.ts'
import { provisionPeople } from './support/people.ts'
import { listResponseUrn } from './support/urns.ts'

/** RFC 7644 §3.4.2: the response to a query. */
export const listingRequirements: readonly Requirement[] = [
  {
    section: '3.4.2',
    level: 'MUST',
    text: 'The response to a query has the URN of ListResponse in `schemas`.',
    coveredBy: {
      test: 'a list has the URN of ListResponse in schemas',
      async run(provider) {
        assert.deepEqual((await list(provider, '/Users')).schemas, [listResponseUrn])
      },
    },
  },
  {
    section: '3.4.2',
    level: 'MUST',
    text: '`totalResults` is the number of all matching resources, not only those on the page.',
    coveredBy: {
      test: 'a page of one has the number of all matches as totalResults',
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
    text: '`Resources` contains the matching resources if there are any.',
    coveredBy: {
      test: 'a list contains the resources that it counts',
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
    text: 'A partial page has a `startIndex`.',
    coveredBy: {
      test: 'a page that starts at the second result has startIndex 2',
      async run(provider) {
        await provisionPeople(provider)
        assert.equal((await list(provider, '/Users', { startIndex: 2, count: 1 })).startIndex, 2)
      },
    },
  },
  {
    section: '3.4.2',
    level: 'MUST',
    text: 'A partial page has `itemsPerPage`.',
    coveredBy: {
      test: 'itemsPerPage is the number of resources on the page, even when more were requested',
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
    text: 'A query without matches succeeds with status 200 and a total of 0.',
    coveredBy: {
      test: 'a filter without matches returns 200 with a total of 0',
      async run(provider) {
        await provisionPeople(provider)
        assert.equal((await list(provider, '/Users', { filter: 'userName eq "dora"' })).totalResults, 0)
      },
    },
  },
]
