import assert from 'node:assert/strict'
import type { Requirement } from '../requirement.ts'
import { readSchemas } from './definitions.ts'
import { createGroup, createUser, fieldsOf } from './resources.ts'

/** RFC 7643 §3.1: rules for all common attributes. */
export const commonAttributeRequirements: readonly Requirement[] = [
  {
    section: '3.1',
    level: 'MUST',
    text: 'Resources of every type have the common attributes.',
    coveredBy: {
      test: 'a user and a group both have id, externalId and meta',
      run: async (provider) => {
        const resources = [
          await createUser(provider, { externalId: 'u' }),
          await createGroup(provider, { externalId: 'g' }),
        ]
        for (const resource of resources.map(fieldsOf)) {
          assert.deepEqual(
            ['id', 'externalId', 'meta'].filter((name) => resource[name] === undefined),
            [],
          )
        }
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: "The RFC's definition of the common attributes takes precedence over those of other schemas.",
    coveredBy: {
      test: 'no schema redefines id, externalId, meta or schemas',
      run: async (provider) => {
        const names = (await readSchemas(provider)).flatMap(({ attributes }) => attributes.map(({ name }) => name))
        assert.deepEqual(
          names.filter((name) => ['id', 'externalId', 'meta', 'schemas'].includes(name)),
          [],
        )
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'The service provider assigns `id` and a complete `meta` to new resources.',
    coveredBy: {
      test: 'a user sent without them is returned with an id and all five parts of meta',
      run: async (provider) => {
        const { id, meta } = fieldsOf(await createUser(provider))
        const parts = Object.keys(meta as object).sort()
        assert.equal(typeof id, 'string')
        assert.deepEqual(parts, ['created', 'lastModified', 'location', 'resourceType', 'version'])
      },
    },
  },
]
