import assert from 'node:assert/strict'
import type { Requirement } from '../requirement.ts'
import { createUsers, nextCursorOf, readPage, readPages, userNames, userNamesOn } from './walk.ts'

const pageNames = ['Resources', 'itemsPerPage', 'nextCursor', 'schemas', 'totalResults']

/** RFC 9865 §2: parameters of the query and attributes of the response. */
export const pageRequirements: readonly Requirement[] = [
  {
    section: '2',
    level: 'MUST',
    text: 'A `cursor` without a value requests the first page.',
    coveredBy: {
      test: 'an empty cursor, with or without the equals sign, returns the first page',
      run: async (provider) => {
        await createUsers(provider)
        const first = await readPage(provider, { cursor: '', count: '2' })
        const bare = await provider.send('GET', '/Users?cursor&count=2')
        assert.deepEqual(Object.keys(first.body).sort(), pageNames)
        assert.deepEqual([bare.status, userNamesOn(bare)], [200, userNamesOn(first)])
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'A cursor consists of characters that need no escaping in a URL.',
    coveredBy: {
      test: 'every cursor consists of letters, digits and the four unreserved characters',
      run: async (provider) => {
        await createUsers(provider)
        const filter = 'userName pr and title ne "100% + / = ü"'
        const cursors = (await readPages(provider, { count: '1', filter })).map(nextCursorOf).slice(0, -1)
        assert.equal(cursors.length, 4)
        for (const cursor of cursors) assert.match(cursor ?? '', /^[-A-Za-z0-9._~]+$/)
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'A page has at most as many resources as `count` says.',
    coveredBy: {
      test: 'no page of a query with count 2 has more than two users, and itemsPerPage is their number',
      run: async (provider) => {
        await createUsers(provider)
        const pages = await readPages(provider, { count: '2' })
        assert.deepEqual(
          pages.map(({ body }) => [body.Resources.length <= 2, body.itemsPerPage - body.Resources.length]),
          pages.map(() => [true, 0]),
        )
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'Without a `count` the service provider decides how many resources a page has.',
    coveredBy: {
      test: 'a query with an empty cursor and no count returns a page',
      run: async (provider) => {
        await createUsers(provider)
        const page = await readPage(provider, { cursor: '' })
        assert.deepEqual(userNamesOn(page).sort(), userNames)
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'Every page but the last has a `nextCursor`, which returns the next page.',
    coveredBy: {
      test: 'five users in pages of two are read once each, by following the cursors',
      run: async (provider) => {
        await createUsers(provider)
        const pages = await readPages(provider, { count: '2' })
        assert.deepEqual(
          pages.map(({ body }) => body.itemsPerPage),
          [2, 2, 1],
        )
        assert.deepEqual(userNamesOn(...pages).sort(), userNames)
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'There is no `nextCursor` on a last page, even a full one.',
    coveredBy: {
      test: 'a page that holds exactly the last users has no nextCursor',
      run: async (provider) => {
        await createUsers(provider)
        assert.equal(nextCursorOf(await readPage(provider, { cursor: '', count: '5' })), undefined)
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'There is no `nextCursor` when there are no results.',
    coveredBy: {
      test: 'a query without matches returns an empty last page',
      run: async (provider) => {
        const { body } = await readPage(provider, { cursor: '', count: '2' })
        const { schemas, ...rest } = { ...body }
        assert.deepEqual(rest, { totalResults: 0, itemsPerPage: 0, Resources: [] })
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'A cursor continues its query with the same filter.',
    coveredBy: {
      test: 'the pages of a filter contain exactly the matching users',
      run: async (provider) => {
        await createUsers(provider)
        const filter = 'userName ne "cid" and title pr'
        const pages = await readPages(provider, { filter, count: '3' })
        assert.deepEqual(userNamesOn(...pages).sort(), ['ann', 'bob', 'dora', 'eve'])
        assert.equal(pages.length, 2)
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'A cursor continues its query with the same attributes.',
    coveredBy: {
      test: 'users on every page have only the requested attribute and those always returned',
      run: async (provider) => {
        await createUsers(provider)
        const pages = await readPages(provider, { attributes: 'title', count: '2' })
        const users = pages.flatMap(({ body }) => body.Resources)
        assert.deepEqual(
          users.map((user) => Object.keys(user).sort()),
          userNames.map(() => ['id', 'schemas', 'title']),
        )
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'Resources of every type can be paged through.',
    coveredBy: {
      test: 'three groups are read one by one, by following the cursors',
      run: async (provider) => {
        for (const displayName of ['a', 'b', 'c']) await provider.send('POST', '/Groups', { displayName })
        const pages = await readPages(provider, { count: '1' }, '/Groups')
        const names = pages.flatMap(({ body }) => body.Resources.map(({ displayName }) => displayName))
        assert.deepEqual(names.sort(), ['a', 'b', 'c'])
      },
    },
  },
  {
    section: '2',
    level: 'SHOULD',
    text: '`totalResults` is the number of resources on all pages.',
    coveredBy: {
      test: 'every page of a filter has the number of matching users as totalResults',
      run: async (provider) => {
        await createUsers(provider)
        const pages = await readPages(provider, { filter: 'userName ne "cid"', count: '1' })
        assert.deepEqual(
          pages.map(({ body }) => body.totalResults),
          [4, 4, 4, 4],
        )
      },
    },
  },
]
