import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { createUser } from './support/create-resource.ts'
import { coreUser, user } from './support/messages.ts'
import { idsAt } from './support/read-resources.ts'

/** RFC 7644 §3.13. */
export const versions: readonly Requirement[] = [
  {
    section: '3.13',
    level: 'MUST',
    text: 'A request that names a version of the protocol is processed by that version or rejected.',
    coveredBy: {
      test: 'requests for versions that do not exist are rejected',
      async run(provider) {
        for (const version of ['/v1', '/v1.1', '/v3']) {
          assertScimError(await provider.send('GET', `${version}/Users`), 404)
          assertScimError(await provider.send('POST', `${version}/Users`, user('ann')), 404)
        }
        assert.deepEqual(await idsAt(provider, '/Users'), [])
      },
    },
  },
  {
    section: '3.13',
    level: 'SHOULD',
    text: 'A request that names no version is processed by the latest one.',
    coveredBy: {
      test: 'a user created without a version in the URL is one of SCIM 2.0',
      async run(provider) {
        assert.deepEqual((await createUser(provider, 'ann')).body.schemas, [coreUser])
      },
    },
  },
]
