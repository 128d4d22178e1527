import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { createUser } from './create-resource.ts'
import { retitled, user } from './messages.ts'
import { fieldsOf, idsAt, read } from './read-resources.ts'

/** RFC 7644 §3.12: the form of errors, and the statuses. */
export const errors: readonly Requirement[] = [
  {
    section: '3.12',
    level: 'MUST',
    asks: 'An error has a JSON body with the error URN and a human-readable text.',
    shownBy: {
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
    asks: 'The body of an error holds the status as text.',
    shownBy: {
      test: 'the status of an error is text, and that of the answer',
      async run(provider) {
        assert.equal((await provider.send('GET', '/Users/nobody')).body.status, '404')
        assert.equal((await provider.send('GET', '/Me')).body.status, '501')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A redirect (307, 308) says where to repeat the request.',
    shownBy: { because: 'No request is redirected.' },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A request that cannot be read, or that breaks the schema, returns 400.',
    shownBy: {
      test: 'bodies that are not JSON, no resource, or lack what is required return 400',
      async run(provider) {
        assertScimRefusal(await provider.send('POST', '/Users', '{"userName":'), 400, 'invalidSyntax')
        assertScimRefusal(await provider.send('POST', '/Users', ['ann']), 400, 'invalidSyntax')
        assertScimRefusal(await provider.send('POST', '/Users', { title: 'Guide' }), 400, 'invalidValue')
        assert.deepEqual(await idsAt(provider, '/Users'), [])
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A request without a valid authorization returns 401, which says how to authorize.',
    shownBy: {
      test: 'requests with no secret, another secret or another scheme return 401',
      async run(provider) {
        for (const authorization of [undefined, 'Bearer not-the-secret', 'Bearer', 'Basic YW5uOmpvbmVz', '']) {
          const headers = authorization === undefined ? {} : { authorization }
          const answer = await provider.sendBare('GET', '/Users', undefined, headers)
          assertScimRefusal(answer, 401)
          assert.match(String(answer.headers['www-authenticate']), /^Bearer\b/)
        }
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'What the authorization does not permit returns 403.',
    shownBy: {
      because:
        'A secret permits all that its directory can do. Only a deactivated directory permits nothing, and deactivating is not part of SCIM: test/service/scim.test.ts has the 403.',
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'An unknown resource or URL returns 404.',
    shownBy: {
      test: 'unknown resources and URLs return 404',
      async run(provider) {
        for (const path of ['/Users/nobody', '/Groups/nobody', '/Devices', '/Users/nobody/title', '/Schemas/nothing']) {
          assertScimRefusal(await provider.send('GET', path), 404)
        }
        assertScimRefusal(await provider.send('PUT', '/Users/nobody', user('ann')), 404)
        assertScimRefusal(await provider.send('PATCH', '/Users/nobody', retitled('Guide')), 404)
        assertScimRefusal(await provider.send('DELETE', '/Users/nobody'), 404)
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A resource that would be a duplicate returns 409.',
    shownBy: {
      test: 'a second user of the same name returns 409',
      async run(provider) {
        const { id } = await createUser(provider, 'ann')
        assertScimRefusal(await provider.send('POST', '/Users', user('ann')), 409, 'uniqueness')
        assert.deepEqual(await idsAt(provider, '/Users'), [id])
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A change of a resource that has changed meanwhile returns 412.',
    shownBy: {
      test: 'a change for the version before the present one returns 412',
      async run(provider) {
        const { path, tag } = await createUser(provider, 'ann')
        await provider.send('PATCH', path, retitled('Guide'))
        assertScimRefusal(await provider.send('PATCH', path, retitled('Driver'), { 'if-match': tag }), 412)
        assert.equal(fieldsOf(await read(provider, path))['title'], 'Guide')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A body that is too large returns 413.',
    shownBy: {
      test: 'a user that is larger than a body may be returns 413',
      async run(provider) {
        assertScimRefusal(await provider.send('POST', '/Users', user('ann', { title: 'x'.repeat(5_242_880) })), 413)
        assert.deepEqual(await idsAt(provider, '/Users'), [])
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'An internal error returns 500 and information to find it.',
    shownBy: {
      because:
        'No request is known that makes one: test/service/any-input.test.ts looks for it. The answer would name the request id under which the fault is logged.',
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'An operation that is not supported returns 501.',
    shownBy: {
      test: 'the one operation that is not supported returns 501',
      run: async (provider) => assertScimRefusal(await provider.send('GET', '/Me'), 501),
    },
  },
  {
    section: '3.12',
    level: 'MUST',
    asks: 'Statuses mean what they mean in HTTP: a method that an address does not have returns 405 and those that it has, in a body of the same form.',
    shownBy: {
      test: 'methods that an address does not have return 405 and Allow',
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
          const answer = await provider.send(method, path)
          assertScimRefusal(answer, 405)
          assert.equal(answer.headers['allow'], allow, path)
        }
      },
    },
  },
]
