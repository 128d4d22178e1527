import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { readAttributes } from './definitions.ts'
import { createUser, enterpriseUrn, fieldsOf, reread, userUrn } from './resources.ts'

/** RFC 7643 §3.3: schemas that add attributes to a resource type. */
export const extensionRequirements: readonly Requirement[] = [
  {
    section: '3.3',
    level: 'MUST',
    text: 'The base schema of a resource is always among its `schemas`.',
    coveredBy: {
      test: 'a user that was sent with the extension alone returns the User schema as well',
      run: async (provider) => {
        const extension = { schemas: [enterpriseUrn], [enterpriseUrn]: { department: 'Tours' } }
        assert((await createUser(provider, extension)).body.schemas.includes(userUrn))
      },
      strict: {
        test: 'a user that is sent with the extension alone is rejected with invalidSyntax',
        run: async (provider) => {
          const body = { schemas: [enterpriseUrn], userName: 'bjensen', [enterpriseUrn]: { department: 'Tours' } }
          assertScimError(await provider.send('POST', '/Users', body), 400, 'invalidSyntax')
        },
      },
    },
  },
  {
    section: '3.3',
    level: 'MUST',
    text: 'The attributes of an extension are in an object of its own, under the URN of the extension.',
    coveredBy: {
      test: 'the department of a user is found under the URN of the enterprise extension, and nowhere else',
      run: async (provider) => {
        const created = await createUser(provider, { [enterpriseUrn]: { department: 'Tours' } })
        const user = fieldsOf(await reread(provider, created))
        assert.deepEqual([user[enterpriseUrn], user['department']], [{ department: 'Tours' }, undefined])
      },
    },
  },
  {
    section: '3.3',
    level: 'MUST',
    text: 'The attributes of the base schema are not in an object under its URN.',
    coveredBy: {
      test: 'a userName sent under the URN of the User schema is returned at the top level',
      run: async (provider) => {
        const created = await provider.send('POST', '/Users', { [userUrn]: { userName: 'bjensen' } })
        assert.equal(created.status, 201, created.text)
        assert.deepEqual([created.body.userName, fieldsOf(created)[userUrn]], ['bjensen', undefined])
      },
      strict: {
        test: 'a user with an object under the URN of the User schema is rejected with invalidSyntax',
        run: async (provider) => {
          const body = { userName: 'bjensen', [userUrn]: { title: 'Guide' } }
          assertScimError(await provider.send('POST', '/Users', body), 400, 'invalidSyntax')
        },
      },
    },
  },
  {
    section: '3.3',
    level: 'SHOULD',
    text: 'An extension does not redefine attributes of the RFC.',
    coveredBy: {
      test: 'no attribute of the enterprise extension has the name of one of User',
      run: async (provider) => {
        const names = new Set((await readAttributes(provider, userUrn)).map(({ name }) => name.toLowerCase()))
        const added = (await readAttributes(provider, enterpriseUrn)).map(({ name }) => name)
        assert(added.length > 0)
        assert.deepEqual(
          added.filter((name) => names.has(name.toLowerCase())),
          [],
        )
      },
    },
  },
]
