import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { createUser } from './support/create-resource.ts'
import { user } from './support/messages.ts'
import { fieldsOf, idsAt } from './support/read-resources.ts'

const scimJson = /^application\/scim\+json$/

/** A name with characters of one, two, three and four bytes in UTF-8. */
const title = 'Aé日𐍈'

/** RFC 7644 §3.8. */
export const mediaTypes: readonly Requirement[] = [
  {
    section: '3.8',
    level: 'MUST',
    text: 'JSON is accepted and returned in UTF-8.',
    coveredBy: {
      test: 'characters of every UTF-8 length are returned unchanged',
      async run(provider) {
        const { path } = await createUser(provider, 'ann', { title })
        const { headers, body } = await provider.send('GET', path)
        assert.match(String(headers['content-type']), scimJson)
        assert.equal(fieldsOf(body)['title'], title)
      },
    },
  },
  {
    section: '3.8',
    level: 'MUST',
    text: 'A body is read as UTF-8, with or without a charset.',
    coveredBy: {
      test: 'bodies with and without a charset are read as UTF-8',
      async run(provider) {
        const types = [
          'application/scim+json',
          'application/scim+json; charset=utf-8',
          'application/json;charset=UTF-8',
        ]
        for (const [index, type] of types.entries()) {
          const bytes = Buffer.from(JSON.stringify(user(`user-${index}`, { title })), 'utf8')
          const { status, body, text } = await provider.send('POST', '/Users', bytes, { 'content-type': type })
          assert.deepEqual([status, fieldsOf(body)['title']], [201, title], text)
        }
      },
    },
  },
  {
    section: '3.8',
    level: 'MUST',
    text: 'Clients that accept application/scim+json get it for resources, lists and errors.',
    coveredBy: {
      test: 'responses are application/scim+json when only that is accepted',
      async run(provider) {
        const accept = { accept: 'application/scim+json' }
        const { path } = await createUser(provider, 'ann')
        const requests = [
          { path, status: 200 },
          { path: '/Users', status: 200 },
          { path: '/ServiceProviderConfig', status: 200 },
          { path: '/Users/nobody', status: 404 },
        ]
        for (const { path, status } of requests) {
          const response = await provider.send('GET', path, undefined, accept)
          assert.equal(response.status, status, path)
          assert.match(String(response.headers['content-type']), scimJson, path)
        }
      },
    },
  },
  {
    section: '3.8',
    level: 'SHOULD',
    text: 'Clients that accept application/json get JSON.',
    coveredBy: {
      test: 'a user is returned in JSON when application/json is accepted',
      async run(provider) {
        const { path, body: created } = await createUser(provider, 'ann')
        const { status, headers, body } = await provider.send('GET', path, undefined, { accept: 'application/json' })
        assert.equal(status, 200)
        assert.match(String(headers['content-type']), /^application\/(scim\+)?json\b/)
        assert.deepEqual(body, created)
      },
    },
  },
  {
    section: '3.8',
    level: 'MUST',
    text: 'Clients without an Accept header, or that accept anything, get application/scim+json.',
    coveredBy: {
      test: 'responses are application/scim+json without an Accept header and with */*',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        for (const headers of [{}, { accept: '*/*' }]) {
          const response = await provider.send('GET', path, undefined, headers)
          assert.match(String(response.headers['content-type']), scimJson)
        }
      },
    },
  },
  {
    section: '3.8',
    level: 'SHOULD',
    text: 'A body of an unsupported media type is rejected without effect.',
    coveredBy: {
      test: 'a body of another media type is rejected with 415',
      async run(provider) {
        for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
          const body = JSON.stringify(user('ann'))
          assertScimError(await provider.send('POST', '/Users', body, { 'content-type': type }), 415)
        }
        assert.deepEqual(await idsAt(provider, '/Users'), [])
      },
    },
  },
]
