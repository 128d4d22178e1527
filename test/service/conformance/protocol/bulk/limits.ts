import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Provider, Requirement } from '../../requirement.ts'
import { bulkRequest } from '../support/messages.ts'
import { fieldsOf, idsAt, read } from '../support/read-resources.ts'
import { bulkStatuses, postUser, sendBulk } from './send-bulk.ts'

interface Limits {
  readonly supported: boolean
  readonly maxOperations: number
  readonly maxPayloadSize: number
}

/** The limits of bulk requests, from ServiceProviderConfig. */
async function limitsOf(provider: Provider): Promise<Limits> {
  return fieldsOf(await read(provider, '/ServiceProviderConfig'))['bulk'] as Limits
}

const deletions = (length: number) => Array.from({ length }, () => ({ method: 'DELETE', path: '/Users/nobody' }))

/** A bulk request with one operation, padded to this number of bytes. */
function bulkRequestOfBytes(bytes: number): string {
  return JSON.stringify(bulkRequest([postUser('ann')])).padEnd(bytes, ' ')
}

/** RFC 7644 §3.7.4. */
export const bulkLimits: readonly Requirement[] = [
  {
    section: '3.7.4',
    level: 'MUST',
    text: 'The number of operations and the size of a bulk request are limited, and both limits are published.',
    coveredBy: {
      test: 'ServiceProviderConfig has the maximum operations and bytes',
      async run(provider) {
        assert.deepEqual(await limitsOf(provider), { supported: true, maxOperations: 1000, maxPayloadSize: 5_242_880 })
      },
    },
  },
  {
    section: '3.7.4',
    level: 'MUST',
    text: 'A bulk request with the maximum number of operations is accepted; one with more gets a 413 that names the limit.',
    coveredBy: {
      test: 'a bulk request with one operation too many is rejected without effect',
      async run(provider) {
        const { maxOperations } = await limitsOf(provider)
        assert.equal((await bulkStatuses(provider, deletions(maxOperations))).length, maxOperations)
        const error = await sendBulk(provider, [postUser('ann'), ...deletions(maxOperations)])
        assertScimError(error, 413)
        assert.match(error.body.detail, new RegExp(`\\b${maxOperations}\\b`))
        assert.deepEqual(await idsAt(provider, '/Users'), [])
      },
    },
  },
  {
    section: '3.7.4',
    level: 'MUST',
    text: 'A bulk request of the maximum size is accepted; a larger one gets a 413 that names the limit.',
    coveredBy: {
      test: 'a bulk request one byte too large is rejected without effect',
      async run(provider) {
        const { maxPayloadSize } = await limitsOf(provider)
        const error = await provider.send('POST', '/Bulk', bulkRequestOfBytes(maxPayloadSize + 1))
        assertScimError(error, 413)
        assert.match(error.body.detail, new RegExp(`\\b${maxPayloadSize}\\b`))
        assert.deepEqual(await idsAt(provider, '/Users'), [])
        assert.equal((await provider.send('POST', '/Bulk', bulkRequestOfBytes(maxPayloadSize))).status, 200)
      },
    },
  },
]
