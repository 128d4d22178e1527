import assert from 'node:assert/strict'
import type { Requirement } from '../requirement.ts'
import { readEveryAttribute } from './definitions.ts'
import { createUser, fieldsOf, findUsers, userUrn } from './resources.ts'

/** RFC 7643 §2.1: resources and the names of attributes. */
export const attributeRequirements: readonly Requirement[] = [
  {
    section: '2.1',
    level: 'MUST',
    text: 'A resource is a JSON object that lists its schemas in `schemas`.',
    coveredBy: {
      test: 'a user is returned as a JSON object that names its schema',
      run: async (provider) => {
        const created = await createUser(provider)
        assert.match(String(created.headers['content-type']), /^application\/scim\+json(;|$)/)
        assert.deepEqual(created.body.schemas, [userUrn])
      },
    },
  },
  {
    section: '2.1',
    level: 'MUST',
    text: 'An attribute name starts with a letter, followed by letters, digits, `$`, `-` and `_`.',
    coveredBy: {
      test: 'every attribute of every schema has a well-formed name, except `$ref`, which the RFC defines',
      run: async (provider) => {
        const names = (await readEveryAttribute(provider)).map(({ name }) => name)
        const isWellFormed = (name: string) => name === '$ref' || /^[A-Za-z][-$_0-9A-Za-z]*$/.test(name)
        assert.deepEqual(
          names.filter((name) => !isWellFormed(name)),
          [],
        )
      },
    },
  },
  {
    section: '2.1',
    level: 'MUST',
    text: 'Attribute names in a request body are case-insensitive.',
    coveredBy: {
      test: 'USERNAME and NaMe.GIVENNAME in a body are userName and name.givenName',
      run: async (provider) => {
        const body = { SCHEMAS: [userUrn], USERNAME: 'bjensen', NaMe: { GIVENNAME: 'Barbara' } }
        const created = await provider.send('POST', '/Users', body)
        assert.equal(created.status, 201, created.text)
        assert.deepEqual([created.body.userName, fieldsOf(created)['name']], ['bjensen', { givenName: 'Barbara' }])
      },
    },
  },
  {
    section: '2.1',
    level: 'MUST',
    text: 'Attribute names in a query are case-insensitive.',
    coveredBy: {
      test: 'a filter on USERNAME compares userName',
      run: async (provider) => {
        const created = await createUser(provider)
        assert.deepEqual(await findUsers(provider, 'USERNAME eq "bjensen"'), [created.body.id])
      },
    },
  },
]
