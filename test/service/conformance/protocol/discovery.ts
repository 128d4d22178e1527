import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { coreGroup, coreUser, enterpriseUser, listResponse } from './support/messages.ts'
import { fieldsOf, read } from './support/read-resources.ts'

const collections = ['/ResourceTypes', '/Schemas'] as const
const singles = ['/ServiceProviderConfig', '/ResourceTypes/User', `/Schemas/${coreUser}`] as const

/** RFC 7644 §4. */
export const discovery: readonly Requirement[] = [
  {
    section: '4',
    level: 'MUST',
    text: '/ServiceProviderConfig returns one object with the URN of its schema.',
    coveredBy: {
      test: 'the configuration is one object of its schema',
      async run(provider) {
        const { schemas, Resources } = await read(provider, '/ServiceProviderConfig')
        assert.equal(schemas[0], 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig')
        assert.equal(Resources, undefined)
      },
    },
  },
  {
    section: '4',
    level: 'MUST',
    text: '/Schemas returns all supported schemas in a ListResponse.',
    coveredBy: {
      test: 'the schemas of users, groups and the extension are listed',
      async run(provider) {
        const { schemas, totalResults, Resources } = await read(provider, '/Schemas')
        assert.deepEqual([schemas, totalResults], [[listResponse], 3])
        assert.deepEqual(Resources.map(({ id }) => id).sort(), [coreGroup, coreUser, enterpriseUser].sort())
      },
    },
  },
  {
    section: '4',
    level: 'MUST',
    text: 'Resource types are returned in a ListResponse.',
    coveredBy: {
      test: 'the resource types are listed with their locations and schemas',
      async run(provider) {
        const { schemas, totalResults, Resources } = await read(provider, '/ResourceTypes')
        assert.deepEqual([schemas, totalResults], [[listResponse], 2])
        assert.deepEqual(
          Resources.map(fieldsOf).map(({ id, endpoint, schema }) => [id, endpoint, schema]),
          [
            ['User', '/Users', coreUser],
            ['Group', '/Groups', coreGroup],
          ],
        )
      },
    },
  },
  {
    section: '4',
    level: 'MUST',
    text: 'A resource type or schema is returned as a single object at the URL that ends in its name or URN.',
    coveredBy: {
      test: 'resource types and schemas are read one by one, as they are listed',
      async run(provider) {
        for (const path of collections) {
          for (const resource of (await read(provider, path)).Resources) {
            assert.deepEqual(await read(provider, `${path}/${resource.id}`), resource)
            assert.equal(resource.meta.location, `${provider.scimUrl}${path}/${resource.id}`)
          }
          assertScimError(await provider.send('GET', `${path}/nothing`), 404)
        }
      },
    },
  },
  {
    section: '4',
    level: 'MUST',
    text: 'Query parameters are ignored: the response is not sorted, paged or projected.',
    coveredBy: {
      test: 'sorting, paging and projection parameters have no effect',
      async run(provider) {
        const queries = [
          'sortBy=id&sortOrder=descending',
          'startIndex=2&count=1',
          'count=0',
          'count=many',
          'cursor=&count=1',
          'attributes=id',
          'excludedAttributes=meta',
          'attributes=id&excludedAttributes=meta',
        ]
        for (const path of [...collections, ...singles]) {
          const plain = await read(provider, path)
          for (const query of queries) assert.deepEqual(await read(provider, `${path}?${query}`), plain, query)
        }
      },
    },
  },
  {
    section: '4',
    level: 'SHOULD',
    text: 'A filter is rejected with 403, so that the response is not mistaken for a filtered one.',
    coveredBy: {
      test: 'filters are rejected with 403',
      async run(provider) {
        for (const path of [...collections, ...singles]) {
          assertScimError(await provider.send('GET', `${path}?filter=id%20eq%20%22User%22`), 403)
        }
      },
    },
  },
]
