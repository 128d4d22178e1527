import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../support/refusals.ts'
import type { Requirement } from '../requirement.ts'
import { ask, createUsers, secondCursor } from './walk.ts'

const stateless =
  'A cursor carries its place itself: nothing is kept here for one, so there is nothing to use up or to clear.'

/** RFC 9865 §5: what a cursor must not give away. */
export const confidentialityRequirements: readonly Requirement[] = [
  {
    section: '5.2',
    level: 'MUST',
    asks: 'Paging stays within what the caller may read, even with a cursor that another caller was given.',
    shownBy: {
      test: 'a cursor of another directory is refused as invalidCursor, and no user of either is answered',
      run: async (provider) => {
        const other = await provider.another()
        await createUsers(provider)
        await createUsers(other)
        const cursor = await secondCursor(other, { count: '2' })
        assertScimRefusal(await ask(provider, { cursor, count: '2' }), 400, 'invalidCursor')
      },
    },
  },
  {
    section: '5.2',
    level: 'MUST',
    asks: 'Who may read is checked on every page: a cursor gives no right to read anything.',
    shownBy: {
      test: 'a cursor that is good is answered with 401 when it comes without the secret, or with a wrong one',
      run: async (provider) => {
        await createUsers(provider)
        const path = `/Users?count=2&cursor=${await secondCursor(provider, { count: '2' })}`
        assertScimRefusal(await provider.sendBare('GET', path), 401)
        assertScimRefusal(await provider.sendBare('GET', path, undefined, { authorization: 'Bearer wrong' }), 401)
      },
    },
  },
  {
    section: '5.2',
    level: 'SHOULD',
    asks: 'What a cursor is made of cannot be read from it.',
    shownBy: {
      test: 'neither a cursor nor what it decodes to shows a userName or a filter',
      run: async (provider) => {
        await createUsers(provider)
        const filter = 'title ne "CONFIDENTIAL"'
        const cursor = await secondCursor(provider, { filter, sortBy: 'userName', count: '2' })
        const shown = [cursor, ...cursor.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))]
        assert.doesNotMatch(shown.join('\n'), /\bann\b|\bbob\b|\bcid\b|confidential/i)
      },
    },
  },
  {
    section: '5.2',
    level: 'SHOULD',
    asks: 'An error does not tell a page that is not there from one that the caller may not read.',
    shownBy: {
      test: 'a cursor of another directory and a made-up one are answered with the same body',
      run: async (provider) => {
        const other = await provider.another()
        await createUsers(other)
        const foreign = await ask(provider, { cursor: await secondCursor(other, { count: '2' }), count: '2' })
        const madeUp = await ask(provider, { cursor: 'made-up', count: '2' })
        assert.deepEqual([foreign.status, foreign.body], [madeUp.status, madeUp.body])
      },
    },
  },
  {
    section: '5.3',
    level: 'SHOULD',
    asks: 'Cursors end when the rights of the caller change.',
    shownBy: {
      because:
        'The secret of a directory opens the whole of it: there are no rights within a directory that could change, and ' +
        'a secret that is no longer good is refused on every page.',
    },
  },
  {
    section: '5.4',
    level: 'SHOULD',
    asks: 'Giving out cursors uses up nothing, and neither does ending them.',
    shownBy: { because: stateless },
  },
  {
    section: '5.5',
    level: 'SHOULD',
    asks: 'The advice on TLS and HTTP is followed.',
    shownBy: {
      because: 'TLS is ended by the proxy that the operator runs before the service: see docs/operations.md.',
    },
  },
]
