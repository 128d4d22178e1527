import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { createUser } from './create-resource.ts'
import { coreUser, user } from './messages.ts'
import { idsAt } from './read-resources.ts'

/** RFC 7644 §3.13. */
export const versions: readonly Requirement[] = [
  {
    section: '3.13',
    level: 'MUST',
    asks: 'A request that names a version of the protocol is done by that version or rejected.',
    shownBy: {
      test: 'requests for versions that there are not are rejected',
      async run(provider) {
        for (const version of ['/v1', '/v1.1', '/v3']) {
          assertScimRefusal(await provider.send('GET', `${version}/Users`), 404)
          assertScimRefusal(await provider.send('POST', `${version}/Users`, user('ann')), 404)
        }
        assert.deepEqual(await idsAt(provider, '/Users'), [])
      },
    },
  },
  {
    section: '3.13',
    level: 'SHOULD',
    asks: 'A request that names no version before the resource is done by the latest one.',
    shownBy: {
      test: 'a user is created by version 2.0 when none is named',
      async run(provider) {
        assert.deepEqual((await createUser(provider, 'ann')).body.schemas, [coreUser])
      },
    },
  },
]
