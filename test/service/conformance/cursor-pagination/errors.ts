import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../support/refusals.ts'
import type { Requirement } from '../requirement.ts'
import { ask, createUsers, readPage, secondCursor } from './walk.ts'

/** RFC 9865 §2.1: what is said of parameters that are wrong. */
export const errorRequirements: readonly Requirement[] = [
  {
    section: '2.1',
    level: 'SHOULD',
    asks: 'An invalid cursor returns 400 `invalidCursor`.',
    shownBy: {
      test: 'a made-up cursor is rejected with invalidCursor',
      run: async (provider) => {
        await createUsers(provider)
        for (const cursor of ['made-up', '2', 'AAAA', '~', '%', 'x'.repeat(5000)]) {
          assertScimRefusal(await ask(provider, { cursor, count: '2' }), 400, 'invalidCursor')
        }
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    asks: 'A modified cursor returns 400 `invalidCursor`.',
    shownBy: {
      test: 'a cursor with any character changed, or without its last one, is rejected with invalidCursor',
      run: async (provider) => {
        await createUsers(provider)
        const cursor = await secondCursor(provider, { count: '2' })
        const places = [0, Math.floor(cursor.length / 2), cursor.length - 2]
        const changed = places.map((at) => cursor.slice(0, at) + other(cursor.charAt(at)) + cursor.slice(at + 1))
        for (const wrong of [...changed, cursor.slice(0, -1), `${cursor}A`]) {
          assertScimRefusal(await ask(provider, { cursor: wrong, count: '2' }), 400, 'invalidCursor')
        }
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    asks: 'A cursor of another query returns 400 `invalidCursor`: another filter.',
    shownBy: {
      test: 'a cursor is rejected with invalidCursor when the filter is another, is new or is gone',
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
          assertScimRefusal(await ask(provider, { ...query, count: '2' }), 400, 'invalidCursor')
        }
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    asks: 'A cursor of another query returns 400 `invalidCursor`: another order.',
    shownBy: {
      test: 'a cursor is rejected with invalidCursor when sortBy or sortOrder is another',
      run: async (provider) => {
        await createUsers(provider)
        const cursor = await secondCursor(provider, { sortBy: 'userName', count: '2' })
        for (const order of [{ sortBy: 'title' }, { sortBy: 'userName', sortOrder: 'descending' }, {}]) {
          assertScimRefusal(await ask(provider, { ...order, cursor, count: '2' }), 400, 'invalidCursor')
        }
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    asks: 'A cursor of another query returns 400 `invalidCursor`: another endpoint.',
    shownBy: {
      test: 'a cursor of users is rejected with invalidCursor among the groups',
      run: async (provider) => {
        await createUsers(provider)
        const cursor = await secondCursor(provider, { count: '2' })
        assertScimRefusal(await ask(provider, { cursor, count: '2' }, '/Groups'), 400, 'invalidCursor')
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    asks: 'An expired cursor returns 400 `expiredCursor`.',
    shownBy: {
      because: 'A cursor is valid for an hour; a unit test with a fake clock covers this.',
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    asks: 'An invalid `count` returns 400 `invalidCount`.',
    shownBy: {
      test: 'a count of 1001, or one that is no number, is rejected with invalidCount with a cursor; one of 1000 is not',
      run: async (provider) => {
        await readPage(provider, { cursor: '', count: '1000' })
        assertScimRefusal(await ask(provider, { cursor: '', count: '1001' }), 400, 'invalidCount')
        assertScimRefusal(await ask(provider, { cursor: '', count: 'many' }), 400, 'invalidCount')
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    asks: 'A `count` other than that of the first page returns 400 `invalidCount`.',
    shownBy: {
      test: 'a second page is rejected with invalidCount when its count is another or is gone',
      run: async (provider) => {
        await createUsers(provider)
        const cursor = await secondCursor(provider, { count: '2' })
        assertScimRefusal(await ask(provider, { cursor, count: '3' }), 400, 'invalidCount')
        assertScimRefusal(await ask(provider, { cursor }), 400, 'invalidCount')
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    asks: 'Parameters that contradict each other return 400 and the error type that fits.',
    shownBy: {
      test: 'startIndex and cursor together are rejected with invalidValue',
      run: async (provider) => {
        assertScimRefusal(await ask(provider, { cursor: '', startIndex: '1' }), 400, 'invalidValue')
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    asks: "Error details help the client's developer.",
    shownBy: {
      test: 'the detail of a rejected cursor speaks of the cursor, that of a rejected count of the greatest page',
      run: async (provider) => {
        const cursor = await ask(provider, { cursor: 'made-up' })
        const count = await ask(provider, { cursor: '', count: '1001' })
        assert.match(cursor.body.detail, /cursor/i)
        assert.match(count.body.detail, /\b1000\b/)
      },
    },
  },
]

function other(character: string): string {
  return character === 'Q' ? 'g' : 'Q'
}
