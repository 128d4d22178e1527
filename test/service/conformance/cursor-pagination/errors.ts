import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { createUsers, readPage, requestPage, secondCursor } from './walk.ts'

/** RFC 9865 §2.1: errors of invalid parameters. */
export const errorRequirements: readonly Requirement[] = [
  {
    section: '2.1',
    level: 'SHOULD',
    text: 'An invalid cursor returns 400 `invalidCursor`.',
    coveredBy: {
      test: 'a made-up cursor is rejected with invalidCursor',
      run: async (provider) => {
        await createUsers(provider)
        for (const cursor of ['made-up', '2', 'AAAA', '~', '%', 'x'.repeat(5000)]) {
          assertScimError(await requestPage(provider, { cursor, count: '2' }), 400, 'invalidCursor')
        }
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    text: 'A modified cursor returns 400 `invalidCursor`.',
    coveredBy: {
      test: 'a cursor with any character changed, or without its last one, is rejected with invalidCursor',
      run: async (provider) => {
        await createUsers(provider)
        const cursor = await secondCursor(provider, { count: '2' })
        const places = [0, Math.floor(cursor.length / 2), cursor.length - 2]
        const changed = places.map((at) => cursor.slice(0, at) + other(cursor.charAt(at)) + cursor.slice(at + 1))
        for (const wrong of [...changed, cursor.slice(0, -1), `${cursor}A`]) {
          assertScimError(await requestPage(provider, { cursor: wrong, count: '2' }), 400, 'invalidCursor')
        }
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    text: 'A cursor of another query returns 400 `invalidCursor`: another filter.',
    coveredBy: {
      test: 'a cursor is rejected with invalidCursor when the filter is changed, added or removed',
      run: async (provider) => {
        await createUsers(provider)
        const filter = 'title pr'
        const filtered = await secondCursor(provider, { filter, count: '2' })
        const plain = await secondCursor(provider, { count: '2' })
        for (const query of [
          { cursor: filtered, filter: 'userName pr' },
          { cursor: plain, filter },
          { cursor: filtered },
        ]) {
          assertScimError(await requestPage(provider, { ...query, count: '2' }), 400, 'invalidCursor')
        }
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    text: 'A cursor of another query returns 400 `invalidCursor`: another order.',
    coveredBy: {
      test: 'a cursor is rejected with invalidCursor when sortBy or sortOrder is changed',
      run: async (provider) => {
        await createUsers(provider)
        const cursor = await secondCursor(provider, { sortBy: 'userName', count: '2' })
        for (const order of [{ sortBy: 'title' }, { sortBy: 'userName', sortOrder: 'descending' }, {}]) {
          assertScimError(await requestPage(provider, { ...order, cursor, count: '2' }), 400, 'invalidCursor')
        }
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    text: 'A cursor of another query returns 400 `invalidCursor`: another endpoint.',
    coveredBy: {
      test: 'a cursor of /Users is rejected with invalidCursor at /Groups',
      run: async (provider) => {
        await createUsers(provider)
        const cursor = await secondCursor(provider, { count: '2' })
        assertScimError(await requestPage(provider, { cursor, count: '2' }, '/Groups'), 400, 'invalidCursor')
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    text: 'An expired cursor returns 400 `expiredCursor`.',
    coveredBy: {
      because: 'A cursor is valid for an hour; a unit test with a fake clock covers this.',
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    text: 'An invalid `count` returns 400 `invalidCount`.',
    coveredBy: {
      test: 'with a cursor, a count of 1001 or one that is not a number is rejected with invalidCount, and 1000 is accepted',
      run: async (provider) => {
        await readPage(provider, { cursor: '', count: '1000' })
        assertScimError(await requestPage(provider, { cursor: '', count: '1001' }), 400, 'invalidCount')
        assertScimError(await requestPage(provider, { cursor: '', count: 'many' }), 400, 'invalidCount')
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    text: 'A `count` other than that of the first page returns 400 `invalidCount`.',
    coveredBy: {
      test: 'a second page is rejected with invalidCount when its count is changed or removed',
      run: async (provider) => {
        await createUsers(provider)
        const cursor = await secondCursor(provider, { count: '2' })
        assertScimError(await requestPage(provider, { cursor, count: '3' }), 400, 'invalidCount')
        assertScimError(await requestPage(provider, { cursor }), 400, 'invalidCount')
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    text: 'Contradictory parameters return 400 and a fitting scimType.',
    coveredBy: {
      test: 'startIndex and cursor together are rejected with invalidValue',
      run: async (provider) => {
        assertScimError(await requestPage(provider, { cursor: '', startIndex: '1' }), 400, 'invalidValue')
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    text: "Error details help the client's developer.",
    coveredBy: {
      test: 'the detail of a rejected cursor mentions the cursor, and that of a rejected count the maximum page size',
      run: async (provider) => {
        const cursor = await requestPage(provider, { cursor: 'made-up' })
        const count = await requestPage(provider, { cursor: '', count: '1001' })
        assert.match(cursor.body.detail, /cursor/i)
        assert.match(count.body.detail, /\b1000\b/)
      },
    },
  },
]

function other(character: string): string {
  return character === 'Q' ? 'g' : 'Q'
}
