import assert from 'node:assert/strict'
import type { Provider, Requirement } from '../../requirement.ts'
import { createUser } from '../support/create-resource.ts'
import { retitled, user } from '../support/messages.ts'
import { bulkResults, postGroup, postNobody, postUser } from './send-bulk.ts'

/** Failing operations of every method, with the status and location of each. */
async function failures(provider: Provider) {
  const { path } = await createUser(provider, 'taken')
  const version = 'W/"another"'
  return {
    operations: [
      postNobody('x'),
      { ...postUser('y'), data: user('taken') },
      { method: 'PUT', path: '/Users/nobody', data: user('ann') },
      { method: 'PATCH', path, version, data: retitled('Guide') },
      { method: 'DELETE', path: '/Groups/nothing' },
    ],
    statuses: ['400', '409', '404', '412', '404'],
    locations: [
      undefined,
      undefined,
      `${provider.scimUrl}/Users/nobody`,
      provider.scimUrl + path,
      `${provider.scimUrl}/Groups/nothing`,
    ],
  }
}

/** RFC 7644 §3.7.3. */
export const bulkResponses: readonly Requirement[] = [
  {
    section: '3.7.3',
    level: 'MUST',
    text: 'The response has a result for every operation that was performed.',
    coveredBy: {
      test: 'there is a result for each operation, in order',
      async run(provider) {
        const { path } = await createUser(provider, 'old')
        const operations = [
          postGroup('Guides', 'bulkId:ann'),
          { method: 'DELETE', path },
          postUser('ann'),
          { method: 'PUT', path, data: user('old') },
        ]
        const results = await bulkResults(provider, operations)
        assert.deepEqual(
          results.map(({ method, bulkId, status }) => [method, bulkId, status]),
          [
            ['POST', 'Guides', '201'],
            ['DELETE', undefined, '204'],
            ['POST', 'ann', '201'],
            ['PUT', undefined, '404'],
          ],
        )
      },
    },
  },
  {
    section: '3.7.3',
    level: 'MUST',
    text: 'The response to a request stopped by failOnErrors has the results up to that point.',
    coveredBy: {
      test: 'a request that stops at its first error returns that and the results before it',
      async run(provider) {
        const operations = [postUser('ann'), postNobody('x'), postUser('bob')]
        const results = await bulkResults(provider, operations, { failOnErrors: 1 })
        assert.deepEqual(
          results.map(({ bulkId, status }) => [bulkId, status]),
          [
            ['ann', '201'],
            ['x', '400'],
          ],
        )
      },
    },
  },
  {
    section: '3.7.3',
    level: 'MUST',
    text: 'The result of a successful operation has the location of its resource.',
    coveredBy: {
      test: 'the results of a POST, PUT, PATCH and DELETE have the location of the resource',
      async run(provider) {
        const { path, body } = await createUser(provider, 'ann')
        const { location } = body.meta
        const [created, ...others] = await bulkResults(provider, [
          postUser('bob'),
          { method: 'PUT', path, data: user('ann') },
          { method: 'PATCH', path, data: retitled('Guide') },
          { method: 'DELETE', path },
        ])
        const bob = await provider.send('GET', '/Users')
        assert.equal(created?.location, bob.body.Resources[0]?.meta.location)
        assert.deepEqual(
          others.map((one) => one.location),
          [location, location, location],
        )
      },
    },
  },
  {
    section: '3.7.3',
    level: 'MUST',
    text: 'The result of a failed operation has the location of its target, unless it is a POST.',
    coveredBy: {
      test: 'failed operations have a location, and failed POSTs have none',
      async run(provider) {
        const { operations, locations } = await failures(provider)
        const results = await bulkResults(provider, operations)
        assert.deepEqual(
          results.map(({ location }) => location),
          locations,
        )
      },
    },
  },
  {
    section: '3.7.3',
    level: 'MUST',
    text: 'A result has the status that the operation would have as a separate request.',
    coveredBy: {
      test: 'failed operations have the statuses of separate requests, as text',
      async run(provider) {
        const { operations, statuses } = await failures(provider)
        const results = await bulkResults(provider, operations)
        assert.deepEqual(
          results.map(({ status }) => status),
          statuses,
        )
      },
    },
  },
  {
    section: '3.7.3',
    level: 'MUST',
    text: 'The result of a failed operation contains the body of the error.',
    coveredBy: {
      test: 'failed operations contain a SCIM error that says what is wrong',
      async run(provider) {
        const { operations, statuses } = await failures(provider)
        const errors = (await bulkResults(provider, operations)).map(({ response }) => response)
        const types = ['invalidValue', 'uniqueness', undefined, undefined, undefined]
        assert.deepEqual(
          errors.map((error) => [error?.schemas, error?.status, error?.scimType]),
          statuses.map((status, index) => [['urn:ietf:params:scim:api:messages:2.0:Error'], status, types[index]]),
        )
        for (const error of errors) assert.match(String(error?.detail), /^\w.{10,}/)
      },
    },
  },
]
