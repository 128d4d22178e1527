import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { createUser } from './create-resource.ts'
import { bulkResponse, retitled, user } from './messages.ts'
import { fieldsOf, read, usersFound } from './read-resources.ts'
import { bulkResults, bulkStatuses, postGroup, postNobody, postUser, sendBulk } from './send-bulk.ts'

/** RFC 7644 §3.7: a bulk job as a whole. */
export const bulk: readonly Requirement[] = [
  {
    section: '3.7',
    level: 'MUST',
    asks: 'A job that was worked through is answered with 200 and a BulkResponse.',
    shownBy: {
      test: 'a job is answered with 200 and a BulkResponse',
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
    asks: 'A job whose every operation failed was worked through as well: it is answered with 200.',
    shownBy: {
      test: 'a job of failures is answered with 200',
      async run(provider) {
        const deletion = { method: 'DELETE', path: '/Users/nobody' }
        assert.deepEqual(await bulkStatuses(provider, [postNobody('ann'), deletion]), ['400', '404'])
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    asks: 'A job that cannot be read is answered with an error status: its Operations are required, and are a list of objects.',
    shownBy: {
      test: 'a job without a list of operations is refused as a whole',
      async run(provider) {
        for (const operations of [undefined, null, 'none', {}, [postUser('ann'), 'DELETE']]) {
          assertScimRefusal(await sendBulk(provider, operations), 400, 'invalidSyntax')
        }
        assertScimRefusal(await provider.send('POST', '/Bulk', []), 400, 'invalidSyntax')
        assertScimRefusal(await provider.send('POST', '/Bulk', '{"Operations":['), 400, 'invalidSyntax')
        assert.deepEqual(await usersFound(provider, 'userName pr'), [])
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    asks: 'A failOnErrors that is no whole number above 0 is answered with an error status.',
    shownBy: {
      test: 'a failOnErrors that counts nothing is refused as a whole',
      async run(provider) {
        for (const failOnErrors of [0, -1, 1.5, 'one', true]) {
          assertScimRefusal(await sendBulk(provider, [postUser('ann')], { failOnErrors }), 400, 'invalidValue')
        }
        assert.deepEqual(await usersFound(provider, 'userName pr'), [])
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    asks: 'Operations that fail do not keep the others from being done.',
    shownBy: {
      test: 'the operations around failed ones are done',
      async run(provider) {
        const duplicate = { ...postUser('y'), data: user('ann') }
        const job = [postUser('ann'), postNobody('x'), postUser('bob'), duplicate, postUser('eve')]
        assert.deepEqual(await bulkStatuses(provider, job), ['201', '400', '201', '409', '201'])
        const { Resources } = await read(provider, '/Users')
        assert.deepEqual(Resources.map(({ userName }) => userName).sort(), ['ann', 'bob', 'eve'])
      },
    },
  },
  {
    section: '3.7',
    level: 'SHOULD',
    asks: 'As many errors as failOnErrors says end the job: the operations behind them are not done.',
    shownBy: {
      test: 'a job ends with its second error when failOnErrors is 2',
      async run(provider) {
        const job = [postNobody('x'), postUser('ann'), postNobody('y'), postUser('bob')]
        assert.deepEqual(await bulkStatuses(provider, job, { failOnErrors: 2 }), ['400', '201', '400'])
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
    asks: 'A job goes on to its end when there are fewer errors than failOnErrors.',
    shownBy: {
      test: 'a job with one error goes on when failOnErrors is 2',
      async run(provider) {
        const job = [postNobody('x'), postUser('ann'), postUser('bob')]
        assert.deepEqual(await bulkStatuses(provider, job, { failOnErrors: 2 }), ['400', '201', '201'])
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    asks: 'failOnErrors belongs to requests: an answer does not have it.',
    shownBy: {
      test: 'the answer to a job with failOnErrors holds schemas and Operations only',
      async run(provider) {
        const { body, text } = await sendBulk(provider, [postUser('ann')], { failOnErrors: 1 })
        assert.deepEqual(Object.keys(fieldsOf(body)).sort(), ['Operations', 'schemas'], text)
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    asks: 'Each result of a creation carries the bulkId of its operation, so that the client can tell which resource is which.',
    shownBy: {
      test: 'results carry the bulkId of what was created and of what was not',
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
    asks: 'However a job is worked through, what comes out is what the operations make one after the other.',
    shownBy: {
      test: 'the last of several changes of a user counts',
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
    asks: 'An operation meets what the ones before it left, and not what the ones behind it will do.',
    shownBy: {
      test: 'a userName is taken until the operation that frees it',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const deletion = { method: 'DELETE', path }
        const job = [{ ...postUser('early'), data: user('ann') }, deletion, { ...postUser('late'), data: user('ann') }]
        assert.deepEqual(await bulkStatuses(provider, job), ['409', '204', '201'])
      },
    },
  },
]
