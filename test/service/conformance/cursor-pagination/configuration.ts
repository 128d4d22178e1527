import assert from 'node:assert/strict'
import { fieldsOf } from '../core-schema/resources.ts'
import type { Provider, Requirement } from '../requirement.ts'
import { createUsers, nextCursorOf, readPage, userNames, userNamesOn } from './walk.ts'

/** RFC 9865 §4: the configuration of paging. */
export const configurationRequirements: readonly Requirement[] = [
  {
    section: '4',
    level: 'SHOULD',
    text: 'ServiceProviderConfig says how a service provider with cursors pages.',
    coveredBy: {
      test: 'pagination contains the default method and page size, the maximum page size, and the lifetime of a cursor',
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
    text: '`pagination.cursor` states whether cursors are supported.',
    coveredBy: {
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
    text: '`pagination.index` states whether pages can be requested by index.',
    coveredBy: {
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
    text: 'Paging by one client neither exhausts the service provider nor affects other clients.',
    coveredBy: {
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
  const response = await provider.send('GET', '/ServiceProviderConfig')
  assert.equal(response.status, 200, response.text)
  return fieldsOf(response)['pagination'] as Readonly<Record<string, unknown>>
}
