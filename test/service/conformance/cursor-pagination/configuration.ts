import assert from 'node:assert/strict'
import { fieldsOf } from '../core-schema/resources.ts'
import type { Provider, Requirement } from '../requirement.ts'
import { createUsers, nextCursorOf, readPage, userNames, userNamesOn } from './walk.ts'

/** RFC 9865 §4: what the service provider says of its paging. */
export const configurationRequirements: readonly Requirement[] = [
  {
    section: '4',
    level: 'SHOULD',
    asks: 'ServiceProviderConfig says how a service provider with cursors pages.',
    shownBy: {
      test: 'pagination says the default method and size, the greatest size, and how long a cursor is good for',
      run: async (provider) => {
        const { cursor, index, ...rest } = await readPagination(provider)
        assert.deepEqual(rest, {
          defaultPaginationMethod: 'index',
          defaultPageSize: 100,
          maxPageSize: 1000,
          cursorTimeout: 3600,
        })
      },
    },
  },
  {
    section: '4',
    level: 'MUST',
    asks: '`pagination.cursor` states whether cursors are supported.',
    shownBy: {
      test: 'pagination.cursor is true, and an empty cursor returns a nextCursor',
      run: async (provider) => {
        await createUsers(provider)
        assert.equal((await readPagination(provider))['cursor'], true)
        assert(nextCursorOf(await readPage(provider, { cursor: '', count: '2' })))
      },
    },
  },
  {
    section: '4',
    level: 'MUST',
    asks: '`pagination.index` states whether pages can be requested by index.',
    shownBy: {
      test: 'pagination.index is true, and a startIndex is honoured',
      run: async (provider) => {
        await createUsers(provider)
        assert.equal((await readPagination(provider))['index'], true)
        const { body } = await readPage(provider, { startIndex: '4' })
        assert.deepEqual([body.startIndex, body.itemsPerPage], [4, 2])
      },
    },
  },
  {
    section: '4',
    level: 'SHOULD',
    asks: 'Paging by one client neither uses up the service provider nor gets in the way of other clients.',
    shownBy: {
      test: 'a listing completes while fifty others have been started and abandoned',
      run: async (provider) => {
        await createUsers(provider)
        const first = await readPage(provider, { cursor: '', count: '3' })
        const begun = Array.from({ length: 50 }, () => readPage(provider, { cursor: '', count: '1' }))
        await Promise.all(begun)
        const last = await readPage(provider, { cursor: nextCursorOf(first) ?? '', count: '3' })
        assert.deepEqual(userNamesOn(first, last).sort(), userNames)
      },
    },
  },
]

async function readPagination(provider: Provider): Promise<Readonly<Record<string, unknown>>> {
  const answer = await provider.send('GET', '/ServiceProviderConfig')
  assert.equal(answer.status, 200, answer.text)
  return fieldsOf(answer)['pagination'] as Readonly<Record<string, unknown>>
}
