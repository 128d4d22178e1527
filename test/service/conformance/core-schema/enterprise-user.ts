import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { outline, readAttributes } from './definitions.ts'
import type { Fields } from './resources.ts'
import { createUser, enterpriseUrn, fieldsOf, patchOf, pathOf, reread } from './resources.ts'

/** RFC 7643 §4.3: the enterprise extension of users. */
export const enterpriseUserRequirements: readonly Requirement[] = [
  {
    section: '4.3',
    level: 'MUST',
    text: 'The extension has every attribute that the RFC defines.',
    coveredBy: {
      test: 'the enterprise schema has its five texts and the manager, whose displayName is read-only',
      run: async (provider) => {
        assert.deepEqual(outline(await readAttributes(provider, enterpriseUrn)).sort(), [
          'costCenter string',
          'department string',
          'division string',
          'employeeNumber string',
          'manager complex',
          'manager.$ref reference',
          'manager.displayName string readOnly',
          'manager.value string',
          'organization string',
        ])
      },
    },
  },
  {
    section: '4.3',
    level: 'SHOULD',
    text: 'A manager has the id and the URL of the user who is the manager.',
    coveredBy: {
      test: 'the id and the URL of a manager are returned as they were sent',
      run: async (provider) => {
        const { body } = await createUser(provider)
        const manager = { value: body.id, $ref: body.meta.location }
        const user = await createUser(provider, { userName: 'jsmith', [enterpriseUrn]: { manager } })
        assert.deepEqual(fieldsOf(await reread(provider, user))[enterpriseUrn], { manager })
      },
    },
  },
  {
    section: '4.3',
    level: 'MUST',
    text: "The manager's displayName is read-only: one sent by a client is ignored.",
    coveredBy: {
      test: 'the displayName of a manager is not taken from a POST, and rejected as mutability in a PATCH',
      run: async (provider) => {
        const manager = { value: (await createUser(provider)).body.id, displayName: 'The Boss' }
        const user = await createUser(provider, { userName: 'jsmith', [enterpriseUrn]: { manager } })
        const extension = fieldsOf(await reread(provider, user))[enterpriseUrn] as { readonly manager: Fields }
        assert.notEqual(extension.manager['displayName'], 'The Boss')
        const patch = patchOf({ op: 'add', path: `${enterpriseUrn}:manager.displayName`, value: 'The Boss' })
        assertScimError(await provider.send('PATCH', pathOf(provider, user), patch), 400, 'mutability')
      },
    },
  },
]
