import assert from 'node:assert/strict'
import type { Requirement } from '../../requirement.ts'
import { list, userNames } from './support/list.ts'
import { provisionPeople } from './support/people.ts'

/** RFC 7644 §3.4.2.4: pagination by index. */
export const pagingRequirements: readonly Requirement[] = [
  {
    section: '3.4.2.4',
    level: 'MUST',
    text: '`startIndex` counts from 1, and the first result is the default.',
    coveredBy: {
      test: 'a list with startIndex 1 equals the list without startIndex',
      async run(provider) {
        await provisionPeople(provider)
        assert.deepEqual(await list(provider, '/Users', { startIndex: 1 }), await list(provider, '/Users'))
      },
    },
  },
  {
    section: '3.4.2.4',
    level: 'MUST',
    text: 'A `startIndex` below 1 means 1.',
    coveredBy: {
      test: 'a list with startIndex 0 or -5 begins at the first result',
      async run(provider) {
        await provisionPeople(provider)
        for (const startIndex of [0, -5]) {
          const page = await list(provider, '/Users', { startIndex })
          assert.deepEqual([page.startIndex, page.Resources.length], [1, 3])
        }
      },
    },
  },
  {
    section: '3.4.2.4',
    level: 'MUST',
    text: 'A page has at most `count` resources.',
    coveredBy: {
      test: 'a page of three users with count 2 has two',
      async run(provider) {
        await provisionPeople(provider)
        assert.equal((await list(provider, '/Users', { count: 2 })).Resources.length, 2)
      },
    },
  },
  {
    section: '3.4.2.4',
    level: 'MUST',
    text: 'A negative `count` means 0.',
    coveredBy: {
      test: 'a page with count -1 has no users but the total',
      async run(provider) {
        await provisionPeople(provider)
        const { Resources = [], totalResults } = await list(provider, '/Users', { count: -1 })
        assert.deepEqual([Resources, totalResults], [[], 3])
      },
    },
  },
  {
    section: '3.4.2.4',
    level: 'MUST',
    text: 'A `count` of 0 returns only the total.',
    coveredBy: {
      test: 'a page with count 0, filtered or not, has only the total',
      async run(provider) {
        await provisionPeople(provider)
        const all = await list(provider, '/Users', { count: 0 })
        assert.deepEqual([all.Resources ?? [], all.totalResults], [[], 3])
        const some = await list(provider, '/Users', { count: 0, filter: 'title co "Guide"' })
        assert.deepEqual([some.Resources ?? [], some.totalResults], [[], 2])
      },
    },
  },
  {
    section: '3.4.2.4',
    level: 'MUST',
    text: 'Consecutive pages by `startIndex` and `count` are parts of one result.',
    coveredBy: {
      test: 'three pages of one user each contain every user once',
      async run(provider) {
        await provisionPeople(provider)
        const pages = [1, 2, 3].map((startIndex) => userNames(provider, { startIndex, count: 1 }))
        assert.deepEqual((await Promise.all(pages)).flat().sort(), ['ann', 'bob', 'cleo'])
      },
    },
  },
  {
    section: '3.4.2.4',
    level: 'MUST',
    text: 'The numbers of a page are non-negative integers.',
    coveredBy: {
      test: 'the total, start index and size of a page after the end are integers',
      async run(provider) {
        await provisionPeople(provider)
        const { totalResults, itemsPerPage, startIndex } = await list(provider, '/Users', { startIndex: 9, count: 5 })
        assert.deepEqual(
          { totalResults, itemsPerPage, startIndex },
          { totalResults: 3, itemsPerPage: 0, startIndex: 9 },
        )
      },
    },
  },
]
