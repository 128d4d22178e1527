import assert from 'node:assert/strict'
import type { Loose } from '../../../../support/client.ts'
import type { Provider, Requirement } from '../../requirement.ts'
import type { Fields } from './support/fields.ts'
import { list } from './support/list.ts'
import { provisionPeople } from './support/people.ts'
import { provisionGroup } from './support/provision.ts'
import { listResponseUrn, searchRequestUrn } from './support/urns.ts'

/** RFC 7644 §3.4.3: querying with POST. */
export const searchingRequirements: readonly Requirement[] = [
  {
    section: '3.4.3',
    level: 'MUST',
    text: 'A POST to `/.search` below an endpoint is a query and creates nothing.',
    coveredBy: {
      test: 'a search for users returns 200 with a list and creates no user',
      async run(provider) {
        await provisionPeople(provider)
        const { schemas, totalResults } = await search(provider, '/Users', { userName: 'dora' })
        assert.deepEqual([schemas, totalResults], [[listResponseUrn], 3])
        assert.equal((await list(provider, '/Users')).totalResults, 3)
      },
    },
  },
  {
    section: '3.4.3',
    level: 'MUST',
    text: 'Every resource endpoint can be searched with POST.',
    coveredBy: {
      test: 'groups are found with POST',
      async run(provider) {
        await provisionGroup(provider, 'Guides')
        await provisionGroup(provider, 'Pilots')
        const { Resources } = await search(provider, '/Groups', { filter: 'displayName eq "guides"' })
        assert.deepEqual(
          Resources.map(({ displayName }) => displayName),
          ['Guides'],
        )
      },
    },
  },
  {
    section: '3.4.3',
    level: 'MUST',
    text: 'The root can be searched with POST.',
    coveredBy: {
      test: 'users and groups are found with POST at the root',
      async run(provider) {
        await provisionPeople(provider)
        await provisionGroup(provider, 'Guides')
        const found = await search(provider, '', { filter: 'userName eq "ann" or displayName eq "Guides"' })
        assert.deepEqual(found.Resources.map(({ meta }) => meta.resourceType).sort(), ['Group', 'User'])
      },
    },
  },
  {
    section: '3.4.3',
    level: 'MUST',
    text: 'The body may contain a filter.',
    coveredBy: {
      test: 'a search with a filter returns the matching users',
      async run(provider) {
        assert.deepEqual(await namesFound(provider, { filter: 'title co "guide"' }), ['ann', 'bob'])
      },
    },
  },
  {
    section: '3.4.3',
    level: 'MUST',
    text: 'The body may contain `sortBy` and `sortOrder`.',
    coveredBy: {
      test: 'a search is sorted by sortBy and sortOrder',
      async run(provider) {
        const order = { sortBy: 'userName', sortOrder: 'descending' }
        assert.deepEqual(await namesFound(provider, order), ['cleo', 'bob', 'ann'])
      },
    },
  },
  {
    section: '3.4.3',
    level: 'MUST',
    text: 'The body may contain `startIndex` and `count`.',
    coveredBy: {
      test: 'a search returns the requested page',
      async run(provider) {
        await provisionPeople(provider)
        const { totalResults, startIndex, itemsPerPage } = await search(provider, '/Users', { startIndex: 3, count: 2 })
        assert.deepEqual(
          { totalResults, startIndex, itemsPerPage },
          { totalResults: 3, startIndex: 3, itemsPerPage: 1 },
        )
      },
    },
  },
  {
    section: '3.4.3',
    level: 'MUST',
    text: 'The body may contain `attributes`, a list of names.',
    coveredBy: {
      test: 'a search returns the listed attributes, schemas and id',
      async run(provider) {
        await provisionPeople(provider)
        const body = { filter: 'userName eq "ann"', attributes: ['title', 'name.givenName'] }
        const [{ schemas, id, ...rest } = { schemas: [], id: '' }] = (await search(provider, '/Users', body)).Resources
        assert.deepEqual({ ...rest }, { title: 'Tour Guide', name: { givenName: 'Ann' } })
        assert(schemas.length > 0 && id !== '')
      },
    },
  },
  {
    section: '3.4.3',
    level: 'MUST',
    text: 'The body may contain `excludedAttributes`, a list of names.',
    coveredBy: {
      test: 'a search leaves out the listed attributes',
      async run(provider) {
        await provisionPeople(provider)
        const body = { filter: 'userName eq "cleo"', excludedAttributes: ['meta', 'active'] }
        const { Resources } = await search(provider, '/Users', body)
        assert.deepEqual(
          Resources.map((user) => Object.keys(user).sort()),
          [['id', 'schemas', 'userName']],
        )
      },
    },
  },
  {
    section: '3.4.3',
    level: 'MUST',
    text: 'A search returns the same as the query with GET.',
    coveredBy: {
      test: 'a search and a list with the same filter return the same',
      async run(provider) {
        await provisionPeople(provider)
        const query = { filter: 'title pr', startIndex: 1, count: 1 }
        assert.deepEqual(await search(provider, '/Users', query), await list(provider, '/Users', query))
      },
    },
  },
]

async function search(provider: Provider, endpoint: string, parameters: Fields): Promise<Loose> {
  const request = { schemas: [searchRequestUrn], ...parameters }
  const { status, body, text } = await provider.send('POST', `${endpoint}/.search`, request)
  assert.equal(status, 200, text)
  return body
}

/** The userNames that a search among the people returns, in the order of the response. */
async function namesFound(provider: Provider, parameters: Fields): Promise<string[]> {
  await provisionPeople(provider)
  const { Resources } = await search(provider, '/Users', parameters)
  return Resources.map(({ userName }) => userName)
}
