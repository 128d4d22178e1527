import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { createUsers, requestPage, secondCursor } from './walk.ts'

const stateless = 'A cursor contains its own position: nothing is stored for it.'

/** RFC 9865 §5: information that a cursor must not reveal. */
export const confidentialityRequirements: readonly Requirement[] = [
  {
    section: '5.2',
    level: 'MUST',
    text: "Paging returns only what the caller may read, even with another caller's cursor.",
    coveredBy: {
      test: 'a cursor of another directory is rejected with invalidCursor, and no user is returned',
      run: async (provider) => {
        const other = await provider.another()
        await createUsers(provider)
        await createUsers(other)
        const cursor = await secondCursor(other, { count: '2' })
        assertScimError(await requestPage(provider, { cursor, count: '2' }), 400, 'invalidCursor')
      },
    },
  },
  {
    section: '5.2',
    level: 'MUST',
    text: 'Authorization is checked on every page: a cursor grants nothing.',
    coveredBy: {
      test: 'a valid cursor returns 401 without the secret or with a wrong one',
      run: async (provider) => {
        await createUsers(provider)
        const path = `/Users?count=2&cursor=${await secondCursor(provider, { count: '2' })}`
        assertScimError(await provider.sendBare('GET', path), 401)
        assertScimError(await provider.sendBare('GET', path, undefined, { authorization: 'Bearer wrong' }), 401)
      },
    },
  },
  {
    section: '5.2',
    level: 'SHOULD',
    text: 'A cursor is opaque.',
    coveredBy: {
      test: 'neither a cursor nor its decoded bytes contain a userName or a filter',
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
    text: 'An error does not reveal whether a page exists or is forbidden.',
    coveredBy: {
      test: 'a cursor of another directory and an invalid one return the same body',
      run: async (provider) => {
        const other = await provider.another()
        await createUsers(other)
        const foreign = await requestPage(provider, { cursor: await secondCursor(other, { count: '2' }), count: '2' })
        const madeUp = await requestPage(provider, { cursor: 'made-up', count: '2' })
        assert.deepEqual([foreign.status, foreign.body], [madeUp.status, madeUp.body])
      },
    },
  },
  {
    section: '5.3',
    level: 'SHOULD',
    text: 'Cursors end when the rights of the caller change.',
    coveredBy: {
      because:
        'The secret of a directory gives access to all of it: there are no rights within a directory that could change, ' +
        'and an invalid secret is rejected on every page.',
    },
  },
  {
    section: '5.4',
    level: 'SHOULD',
    text: 'Cursors use no resources on the server.',
    coveredBy: { because: stateless },
  },
  {
    section: '5.5',
    level: 'SHOULD',
    text: 'The advice on TLS and HTTP is followed.',
    coveredBy: {
      because: "TLS is terminated by the operator's proxy: see docs/security.md.",
    },
  },
]
