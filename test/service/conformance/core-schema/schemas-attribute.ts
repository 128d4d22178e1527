import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { createGroup, createUser, enterpriseUrn, fieldsOf, patchOf, pathOf, reread, userUrn } from './resources.ts'

/** RFC 7643 §3: the attribute `schemas` of every representation. */
export const schemasAttributeRequirements: readonly Requirement[] = [
  {
    section: '3',
    level: 'MUST',
    text: 'Every representation has a non-empty `schemas`.',
    coveredBy: {
      test: 'resources, lists, definitions and errors all have schemas',
      run: async (provider) => {
        await createUser(provider)
        await createGroup(provider)
        const paths = ['/Users', '/Groups', '/ServiceProviderConfig', '/ResourceTypes', '/Schemas', '/Users/nobody']
        const responses = await Promise.all(paths.map((path) => provider.send('GET', path)))
        const inLists = responses.flatMap(({ body }) => body.Resources ?? [])
        const all = [...responses.map(({ body }) => body), ...inLists].map(({ schemas }) => schemas)
        assert(inLists.length > 5)
        assert(all.every((schemas) => Array.isArray(schemas) && schemas.length > 0))
      },
    },
  },
  {
    section: '3',
    level: 'MUST',
    text: 'A representation has `schemas` even when only some attributes are requested.',
    coveredBy: {
      test: 'a user has schemas when only userName is requested, and when schemas is excluded',
      run: async (provider) => {
        const user = await createUser(provider)
        const only = await reread(provider, user, '?attributes=userName')
        const without = await reread(provider, user, '?excludedAttributes=schemas')
        assert.deepEqual([only.body.schemas, without.body.schemas], [[userUrn], [userUrn]])
      },
    },
  },
  {
    section: '3',
    level: 'MUST',
    text: 'The list contains the schemas that the representation uses.',
    coveredBy: {
      test: 'the URN of an extension is listed only while the user has attributes of it',
      run: async (provider) => {
        const user = await createUser(provider, { [enterpriseUrn]: { department: 'Tours' } })
        const removal = patchOf({ op: 'remove', path: `${enterpriseUrn}:department` })
        const patched = await provider.send('PATCH', pathOf(provider, user), removal)
        assert.deepEqual([user.body.schemas, patched.body.schemas], [[userUrn, enterpriseUrn], [userUrn]])
      },
    },
  },
  {
    section: '3',
    level: 'MUST',
    text: 'The list contains only the schema and the extensions of the resource type.',
    coveredBy: {
      test: 'an unknown URN is not returned in schemas',
      run: async (provider) => {
        const created = await createUser(provider, { schemas: [userUrn, 'urn:example:params:made:up:User'] })
        assert.deepEqual(created.body.schemas, [userUrn])
      },
      strict: {
        test: 'a user with an unknown URN in schemas is rejected with invalidSyntax',
        run: async (provider) => {
          const body = { schemas: [userUrn, 'urn:example:params:made:up:User'], userName: 'bjensen' }
          assertScimError(await provider.send('POST', '/Users', body), 400, 'invalidSyntax')
        },
      },
    },
  },
  {
    section: '3',
    level: 'MUST',
    text: 'The list contains only URNs of the resource type, whatever attributes a client has added.',
    coveredBy: {
      because: 'A tolerant directory deviates: see the table above.',
      strict: {
        test: 'a user with an attribute of another extension is rejected with invalidSyntax',
        run: async (provider) => {
          const body = { userName: 'bjensen', 'urn:example:params:made:up:User': { size: 7 } }
          assertScimError(await provider.send('POST', '/Users', body), 400, 'invalidSyntax')
        },
      },
    },
    deviation: {
      text: 'Attributes of other extensions are stored and their URNs listed, because clients expect to read what they wrote.',
      endedBy: 'scim_profile: "strict"',
    },
  },
  {
    section: '3',
    level: 'MUST',
    text: 'A body lists its schemas.',
    coveredBy: {
      test: 'a body without schemas is read by its address',
      run: async (provider) => {
        const { status, text } = await provider.send('POST', '/Users', JSON.stringify({ userName: 'bjensen' }))
        assert.equal(status, 201, text)
      },
      strict: {
        test: 'a user, a PATCH, a search and a bulk request without schemas are rejected with invalidSyntax',
        run: async (provider) => {
          const path = pathOf(provider, await createUser(provider, { userName: 'bjensen' }))
          const operation = { op: 'replace', path: 'title', value: 'Guide' }
          for (const [method, at, body] of [
            ['POST', '/Users', { userName: 'other' }],
            ['PUT', path, { userName: 'bjensen' }],
            ['PATCH', path, { Operations: [operation] }],
            ['POST', '/Users/.search', { filter: 'userName pr' }],
            ['POST', '/Bulk', { Operations: [] }],
          ] as const) {
            // Text is sent as it is.
            assertScimError(await provider.send(method, at, JSON.stringify(body)), 400, 'invalidSyntax')
          }
        },
      },
    },
    deviation: {
      text: 'A body without `schemas` is read as what its address requires: some clients leave it out.',
      endedBy: 'scim_profile: "strict"',
    },
  },
  {
    section: '3',
    level: 'MUST',
    text: 'No URN is listed twice.',
    coveredBy: {
      test: 'URNs sent twice are returned once',
      run: async (provider) => {
        const schemas = [userUrn, enterpriseUrn, userUrn, enterpriseUrn]
        const created = await createUser(provider, { schemas, [enterpriseUrn]: { department: 'Tours' } })
        assert.deepEqual(created.body.schemas, [userUrn, enterpriseUrn])
      },
    },
  },
  {
    section: '3',
    level: 'MUST',
    text: 'The order of the URNs does not matter.',
    coveredBy: {
      test: 'a user whose extension is listed first is the same as one whose extension is listed last',
      run: async (provider) => {
        const extension = { [enterpriseUrn]: { department: 'Tours' } }
        const first = await createUser(provider, { schemas: [enterpriseUrn, userUrn], ...extension })
        const last = await createUser(await provider.another(), { schemas: [userUrn, enterpriseUrn], ...extension })
        const { id, meta, ...attributes } = fieldsOf(first)
        const { id: lastId, meta: lastMeta, ...expected } = fieldsOf(last)
        assert.deepEqual(attributes, expected)
      },
    },
  },
]
