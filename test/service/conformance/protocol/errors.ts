import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { createUser } from './support/create-resource.ts'
import { retitled, user } from './support/messages.ts'
import { fieldsOf, idsAt, read } from './support/read-resources.ts'

/** RFC 7644 §3.12: the format and statuses of errors. */
export const errors: readonly Requirement[] = [
  {
    section: '3.12',
    level: 'MUST',
    text: 'An error has a JSON body with the error URN and a human-readable text.',
    coveredBy: {
      test: 'an error has a body that names its schema, its status and what is wrong',
      async run(provider) {
        const { status, headers, body } = await provider.send('GET', '/Users/nobody')
        assert.equal(status, 404)
        assert.match(String(headers['content-type']), /^application\/scim\+json/)
        assert.deepEqual(Object.keys(fieldsOf(body)).sort(), ['detail', 'schemas', 'status'])
        assert.deepEqual(body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
        assert.match(body.detail, /^\w.{10,}/)
      },
    },
  },
  {
    section: '3.12',
    level: 'MUST',
    text: 'The body of an error contains the status as text.',
    coveredBy: {
      test: 'the status of an error is text and equals that of the response',
      async run(provider) {
        assert.equal((await provider.send('GET', '/Users/nobody')).body.status, '404')
        assert.equal((await provider.send('GET', '/Me')).body.status, '501')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A redirect (307, 308) says where to repeat the request.',
    coveredBy: { because: 'No request is redirected.' },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A request that cannot be parsed, or that violates the schema, returns 400.',
    coveredBy: {
      test: 'bodies that are not JSON, not a resource, or incomplete return 400',
      async run(provider) {
        assertScimError(await provider.send('POST', '/Users', '{"userName":'), 400, 'invalidSyntax')
        assertScimError(await provider.send('POST', '/Users', ['ann']), 400, 'invalidSyntax')
        assertScimError(await provider.send('POST', '/Users', { title: 'Guide' }), 400, 'invalidValue')
        assert.deepEqual(await idsAt(provider, '/Users'), [])
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A request without valid credentials returns 401, which says how to authenticate.',
    coveredBy: {
      test: 'requests without a secret, with a wrong secret or with another scheme return 401',
      async run(provider) {
        for (const authorization of [undefined, 'Bearer not-the-secret', 'Bearer', 'Basic YW5uOmpvbmVz', '']) {
          const headers = authorization === undefined ? {} : { authorization }
          const response = await provider.sendBare('GET', '/Users', undefined, headers)
          assertScimError(response, 401)
          assert.match(String(response.headers['www-authenticate']), /^Bearer\b/)
        }
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'An operation that the credentials do not permit returns 403.',
    coveredBy: {
      because:
        'A secret permits every operation on its directory. Only a deactivated directory returns 403, and deactivating is not part of SCIM: test/service/scim/scim.test.ts covers it.',
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'An unknown resource or URL returns 404.',
    coveredBy: {
      test: 'unknown resources and URLs return 404',
      async run(provider) {
        for (const path of ['/Users/nobody', '/Groups/nobody', '/Devices', '/Users/nobody/title', '/Schemas/nothing']) {
          assertScimError(await provider.send('GET', path), 404)
        }
        assertScimError(await provider.send('PUT', '/Users/nobody', user('ann')), 404)
        assertScimError(await provider.send('PATCH', '/Users/nobody', retitled('Guide')), 404)
        assertScimError(await provider.send('DELETE', '/Users/nobody'), 404)
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A resource that would be a duplicate returns 409.',
    coveredBy: {
      test: 'a second user of the same name returns 409',
      async run(provider) {
        const { id } = await createUser(provider, 'ann')
        assertScimError(await provider.send('POST', '/Users', user('ann')), 409, 'uniqueness')
        assert.deepEqual(await idsAt(provider, '/Users'), [id])
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A change of a resource that was changed in the meantime returns 412.',
    coveredBy: {
      test: 'a change for the previous version returns 412',
      async run(provider) {
        const { path, tag } = await createUser(provider, 'ann')
        await provider.send('PATCH', path, retitled('Guide'))
        assertScimError(await provider.send('PATCH', path, retitled('Driver'), { 'if-match': tag }), 412)
        assert.equal(fieldsOf(await read(provider, path))['title'], 'Guide')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A body that is too large returns 413.',
    coveredBy: {
      test: 'a user larger than the maximum body size returns 413',
      async run(provider) {
        assertScimError(await provider.send('POST', '/Users', user('ann', { title: 'x'.repeat(5_242_880) })), 413)
        assert.deepEqual(await idsAt(provider, '/Users'), [])
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'An internal error returns 500 and information to find it.',
    coveredBy: {
      because:
        'No request is known to cause one: test/service/scim/any-input.test.ts searches for it. The response would contain the id of the request, under which the error is logged.',
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'An operation that is not supported returns 501.',
    coveredBy: {
      test: 'the one operation that is not supported returns 501',
      run: async (provider) => assertScimError(await provider.send('GET', '/Me'), 501),
    },
  },
  {
    section: '3.12',
    level: 'MUST',
    text: 'Statuses have their meaning in HTTP: an unsupported method returns 405 and `Allow`, with a SCIM error as its body.',
    coveredBy: {
      test: 'unsupported methods return 405 and Allow, which OPTIONS returns as well',
      async run(provider) {
        for (const [method, path, allow] of [
          ['DELETE', '/Users', 'GET, POST'],
          ['PATCH', '/Groups', 'GET, POST'],
          ['POST', '/Users/nobody', 'GET, PUT, PATCH, DELETE'],
          ['GET', '/Users/.search', 'POST'],
          ['GET', '/Bulk', 'POST'],
          ['POST', '/ServiceProviderConfig', 'GET'],
          ['PUT', '/Schemas', 'GET'],
          ['DELETE', '/ResourceTypes/User', 'GET'],
        ] as const) {
          const response = await provider.send(method, path)
          assertScimError(response, 405)
          assert.equal(response.headers['allow'], allow, path)
          const options = await provider.send('OPTIONS', path)
          assert.deepEqual([options.status, options.headers['allow']], [204, allow], path)
        }
      },
    },
  },
]
