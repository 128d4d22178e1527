import assert from 'node:assert/strict'
import type { Requirement } from '../requirement.ts'
import { readResourceTypes, readSchemas } from './definitions.ts'
import { createUser } from './resources.ts'

/** RFC 7643 §6: resource types. */
export const resourceTypeRequirements: readonly Requirement[] = [
  {
    section: '6',
    level: 'MUST',
    text: 'Every resource type has a name.',
    coveredBy: {
      test: '/ResourceTypes has one named User and one named Group',
      run: async (provider) => {
        assert.deepEqual(
          (await readResourceTypes(provider)).map(({ name }) => name),
          ['User', 'Group'],
        )
      },
    },
  },
  {
    section: '6',
    level: 'MUST',
    text: 'Every resource type has an endpoint, relative to the base URL.',
    coveredBy: {
      test: 'each endpoint is a path that returns a list',
      run: async (provider) => {
        for (const { endpoint } of await readResourceTypes(provider)) {
          assert.match(endpoint, /^\/\w+$/)
          const { status, body } = await provider.send('GET', endpoint)
          assert.deepEqual([status, body.Resources], [200, []])
        }
      },
    },
  },
  {
    section: '6',
    level: 'MUST',
    text: 'The `schema` of a resource type is the id of a schema.',
    coveredBy: {
      test: 'each resource type names a schema that /Schemas has under that id',
      run: async (provider) => {
        const ids = (await readSchemas(provider)).map(({ id }) => id)
        const named = (await readResourceTypes(provider)).map(({ schema }) => schema)
        assert.deepEqual(
          named.filter((urn) => !ids.includes(urn)),
          [],
        )
      },
    },
  },
  {
    section: '6',
    level: 'MUST',
    text: 'The `schema` of an extension is the id of a schema.',
    coveredBy: {
      test: 'each extension of a resource type names a schema that /Schemas has under that id',
      run: async (provider) => {
        const ids = (await readSchemas(provider)).map(({ id }) => id)
        const named = (await readResourceTypes(provider)).flatMap(({ schemaExtensions = [] }) => schemaExtensions)
        assert(named.length > 0)
        assert.deepEqual(
          named.filter(({ schema }) => !ids.includes(schema)),
          [],
        )
      },
    },
  },
  {
    section: '6',
    level: 'MUST',
    text: 'Every extension states whether it is required, and this is enforced.',
    coveredBy: {
      test: 'no extension of User is required, and a user without one is accepted',
      run: async (provider) => {
        const user = (await readResourceTypes(provider)).find(({ name }) => name === 'User')
        assert.deepEqual(
          user?.schemaExtensions?.map(({ required }) => required),
          [false],
        )
        assert.deepEqual((await createUser(provider)).body.schemas, [user?.schema])
      },
    },
  },
  {
    section: '6',
    level: 'MUST',
    text: 'Resource types are read-only.',
    coveredBy: {
      test: 'a POST to /ResourceTypes, and a PUT and a DELETE of one, return 405',
      run: async (provider) => {
        const [type] = await readResourceTypes(provider)
        const responses = [
          await provider.send('POST', '/ResourceTypes', type),
          await provider.send('PUT', '/ResourceTypes/User', type),
          await provider.send('DELETE', '/ResourceTypes/User'),
        ]
        assert.deepEqual(
          responses.map(({ status }) => status),
          [405, 405, 405],
        )
      },
    },
  },
]
