import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Requirement } from '../../requirement.ts'
import { createUser } from '../support/create-resource.ts'
import { bulkResponse, retitled, user } from '../support/messages.ts'
import { fieldsOf, read, usersFound } from '../support/read-resources.ts'
import { bulkResults, bulkStatuses, postGroup, postNobody, postUser, sendBulk } from './send-bulk.ts'

/** RFC 7644 §3.7: bulk requests as a whole. */
export const bulkRequests: readonly Requirement[] = [
  {
    section: '3.7',
    level: 'MUST',
    text: 'A bulk request that was processed returns 200 and a BulkResponse.',
    coveredBy: {
      test: 'a bulk request returns 200 and a BulkResponse',
      async run(provider) {
        const { status, body, text } = await sendBulk(provider, [postUser('ann')])
        assert.equal(status, 200, text)
        assert.deepEqual(body.schemas, [bulkResponse])
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'A bulk request returns 200 even when all operations failed.',
    coveredBy: {
      test: 'a bulk request in which everything fails returns 200',
      async run(provider) {
        const deletion = { method: 'DELETE', path: '/Users/nobody' }
        assert.deepEqual(await bulkStatuses(provider, [postNobody('ann'), deletion]), ['400', '404'])
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'A malformed bulk request returns an error: Operations is required and must be a list of objects.',
    coveredBy: {
      test: 'a bulk request without a list of operations is rejected as a whole',
      async run(provider) {
        for (const operations of [undefined, null, 'none', {}, [postUser('ann'), 'DELETE']]) {
          assertScimError(await sendBulk(provider, operations), 400, 'invalidSyntax')
        }
        assertScimError(await provider.send('POST', '/Bulk', []), 400, 'invalidSyntax')
        assertScimError(await provider.send('POST', '/Bulk', '{"Operations":['), 400, 'invalidSyntax')
        assert.deepEqual(await usersFound(provider, 'userName pr'), [])
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'A failOnErrors that is not a positive integer returns an error.',
    coveredBy: {
      test: 'a bulk request with an invalid failOnErrors is rejected as a whole',
      async run(provider) {
        for (const failOnErrors of [0, -1, 1.5, 'one', true]) {
          assertScimError(await sendBulk(provider, [postUser('ann')], { failOnErrors }), 400, 'invalidValue')
        }
        assert.deepEqual(await usersFound(provider, 'userName pr'), [])
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'Failed operations do not prevent the others from running.',
    coveredBy: {
      test: 'operations before and after failed ones run',
      async run(provider) {
        const duplicate = { ...postUser('y'), data: user('ann') }
        const operations = [postUser('ann'), postNobody('x'), postUser('bob'), duplicate, postUser('eve')]
        assert.deepEqual(await bulkStatuses(provider, operations), ['201', '400', '201', '409', '201'])
        const { Resources } = await read(provider, '/Users')
        assert.deepEqual(Resources.map(({ userName }) => userName).sort(), ['ann', 'bob', 'eve'])
      },
    },
  },
  {
    section: '3.7',
    level: 'SHOULD',
    text: 'After failOnErrors errors the remaining operations are not run.',
    coveredBy: {
      test: 'a bulk request stops after its second error when failOnErrors is 2',
      async run(provider) {
        const operations = [postNobody('x'), postUser('ann'), postNobody('y'), postUser('bob')]
        assert.deepEqual(await bulkStatuses(provider, operations, { failOnErrors: 2 }), ['400', '201', '400'])
        const { Resources } = await read(provider, '/Users')
        assert.deepEqual(
          Resources.map(({ userName }) => userName),
          ['ann'],
        )
      },
    },
  },
  {
    section: '3.7',
    level: 'SHOULD',
    text: 'A bulk request continues while there are fewer errors than failOnErrors.',
    coveredBy: {
      test: 'a bulk request with one error continues when failOnErrors is 2',
      async run(provider) {
        const operations = [postNobody('x'), postUser('ann'), postUser('bob')]
        assert.deepEqual(await bulkStatuses(provider, operations, { failOnErrors: 2 }), ['400', '201', '201'])
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'failOnErrors is not part of a response.',
    coveredBy: {
      test: 'the response to a request with failOnErrors has only schemas and Operations',
      async run(provider) {
        const { body, text } = await sendBulk(provider, [postUser('ann')], { failOnErrors: 1 })
        assert.deepEqual(Object.keys(fieldsOf(body)).sort(), ['Operations', 'schemas'], text)
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'Each result of a POST has the bulkId of its operation.',
    coveredBy: {
      test: 'results have the bulkId of successful and failed POSTs',
      async run(provider) {
        const results = await bulkResults(provider, [postUser('ann'), postNobody('x'), postGroup('Guides')])
        assert.deepEqual(
          results.map(({ bulkId, status }) => [bulkId, status]),
          [
            ['ann', '201'],
            ['x', '400'],
            ['Guides', '201'],
          ],
        )
        const [ann] = (await read(provider, '/Users')).Resources
        assert.equal(results[0]?.location, ann?.meta.location)
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'The result is the same as when the operations run one after the other.',
    coveredBy: {
      test: 'the last of several changes of a user wins',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const changes = ['a', 'b', 'c'].map((title) => ({ method: 'PATCH', path, data: retitled(title) }))
        assert.deepEqual(await bulkStatuses(provider, changes), ['200', '200', '200'])
        assert.equal(fieldsOf(await read(provider, path))['title'], 'c')
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'An operation sees the effects of earlier operations only.',
    coveredBy: {
      test: 'a userName is in use until an operation frees it',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const deletion = { method: 'DELETE', path }
        const operations = [
          { ...postUser('early'), data: user('ann') },
          deletion,
          { ...postUser('late'), data: user('ann') },
        ]
        assert.deepEqual(await bulkStatuses(provider, operations), ['409', '204', '201'])
      },
    },
  },
]
