import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Requirement } from '../../requirement.ts'
import { fieldsOf } from './support/fields.ts'
import { list } from './support/list.ts'
import { patchOf } from './support/patch.ts'
import { provisionUser, readUser } from './support/provision.ts'
import { enterpriseUrn, userUrn } from './support/urns.ts'

/** RFC 7644 §3.1 and §3.2: media types and endpoints. */
export const endpointRequirements: readonly Requirement[] = [
  {
    section: '3.1',
    level: 'MUST',
    text: 'Resources and messages are JSON, of the media type `application/scim+json`.',
    coveredBy: {
      test: 'a resource, a list and an error are sent as application/scim+json',
      async run(provider) {
        const { id } = await provisionUser(provider, { userName: 'ann' })
        for (const path of [`/Users/${id}`, '/Users', '/Users/nobody']) {
          const { headers, body } = await provider.send('GET', path)
          assert.match(String(headers['content-type']), /^application\/scim\+json(;|$)/)
          assert.equal(typeof body, 'object')
        }
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'A body of that media type is accepted with any parameters.',
    coveredBy: {
      test: 'a user is created from application/scim+json, with a charset and without',
      async run(provider) {
        for (const type of ['application/scim+json', 'application/scim+json; charset=UTF-8']) {
          const response = await provider.send('POST', '/Users', { userName: type }, { 'content-type': type })
          assert.equal(response.status, 201, response.text)
        }
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'JSON is encoded as UTF-8.',
    coveredBy: {
      test: 'text beyond ASCII is returned as it was sent',
      async run(provider) {
        const displayName = 'Zoë Åström 山田 🧭'
        const user = await provisionUser(provider, { userName: 'zoë', displayName })
        assert.equal((await readUser(provider, user))['displayName'], displayName)
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: '`schemas` of a resource names every schema whose attributes it has.',
    coveredBy: {
      test: 'a user with enterprise attributes names the core schema and the extension',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann', [enterpriseUrn]: { department: 'Tours' } })
        const { schemas } = await readUser(provider, user)
        assert.deepEqual(schemas, [userUrn, enterpriseUrn])
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: '`schemas` of a message that is not a resource contains a URI that begins with `urn:ietf:params:scim:api:`.',
    coveredBy: {
      test: 'a list and an error name the schema of a SCIM message',
      async run(provider) {
        for (const path of ['/Users', '/Users/nobody']) {
          const { schemas } = (await provider.send('GET', path)).body
          assert.equal(schemas.length, 1)
          assert.match(String(schemas[0]), /^urn:ietf:params:scim:api:messages:2\.0:/)
        }
      },
    },
  },
  {
    section: '3.1',
    level: 'SHOULD',
    text: 'A body is processed attribute by attribute instead of being validated as a document.',
    coveredBy: {
      test: 'a user with unknown attributes and schemas is created',
      async run(provider) {
        const schemas = [userUrn, 'urn:example:params:scim:schemas:2.0:Astronaut']
        const { status, text } = await provider.send('POST', '/Users', { schemas, userName: 'ann', helmetSize: 7 })
        assert.equal(status, 201, text)
      },
      strict: {
        test: 'a user with an unknown attribute is rejected with invalidSyntax, as the interoperability profile requires',
        async run(provider) {
          const body = { schemas: [userUrn], userName: 'ann', helmetSize: 7 }
          assertScimError(await provider.send('POST', '/Users', body), 400, 'invalidSyntax')
        },
      },
    },
  },
  {
    section: '3.2',
    level: 'MUST',
    text: 'Users are at `/Users`, which supports POST, GET, PUT, PATCH and DELETE.',
    coveredBy: {
      test: 'a user is created, read, replaced, modified and deleted below /Users',
      async run(provider) {
        const { status: created, body } = await provider.send('POST', '/Users', { userName: 'ann' })
        const path = `/Users/${body.id}`
        const read = await provider.send('GET', path)
        const replaced = await provider.send('PUT', path, { userName: 'ann', title: 'Guide' })
        const modified = await provider.send('PATCH', path, patchOf({ op: 'remove', path: 'title' }))
        const deleted = await provider.send('DELETE', path)
        const statuses = [created, read.status, replaced.status, modified.status, deleted.status]
        assert.deepEqual(statuses, [201, 200, 200, 200, 204])
      },
    },
  },
  {
    section: '3.2',
    level: 'MUST',
    text: 'Groups are at `/Groups`, which supports the same methods.',
    coveredBy: {
      test: 'a group is created, read, replaced, modified and deleted below /Groups',
      async run(provider) {
        const { status: created, body } = await provider.send('POST', '/Groups', { displayName: 'Guides' })
        const path = `/Groups/${body.id}`
        const read = await provider.send('GET', path)
        const replaced = await provider.send('PUT', path, { displayName: 'Tour Guides' })
        const modified = await provider.send('PATCH', path, patchOf({ op: 'remove', path: 'members' }))
        const deleted = await provider.send('DELETE', path)
        const statuses = [created, read.status, replaced.status, modified.status, deleted.status]
        assert.deepEqual(statuses, [201, 200, 200, 204, 204])
      },
    },
  },
  {
    section: '3.2',
    level: 'MUST',
    text: 'PUT replaces an existing resource and never creates one.',
    coveredBy: {
      test: 'a PUT to an unknown id returns 404 and creates nothing',
      async run(provider) {
        assertScimError(await provider.send('PUT', '/Users/nobody', { userName: 'ann' }), 404)
        assert.equal((await list(provider, '/Users')).totalResults, 0)
      },
    },
  },
  {
    section: '3.2',
    level: 'SHOULD',
    text: 'The endpoint of a resource type is its name with an `s`.',
    coveredBy: {
      test: 'the endpoint of every resource type is its name in the plural',
      async run(provider) {
        const { Resources } = await list(provider, '/ResourceTypes')
        const endpoints = Resources.map(fieldsOf).map(({ name, endpoint }) => [endpoint, `/${name}s`])
        assert.deepEqual(endpoints, [
          ['/Users', '/Users'],
          ['/Groups', '/Groups'],
        ])
      },
    },
  },
  {
    section: '3.2',
    level: 'MUST',
    text: 'The features of the service provider can be read with GET at three fixed endpoints.',
    coveredBy: {
      test: 'the configuration, the resource types and the schemas are read at their endpoints',
      async run(provider) {
        for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas']) {
          assert.equal((await provider.send('GET', path)).status, 200, path)
        }
      },
    },
  },
  {
    section: '3.2',
    level: 'SHOULD',
    text: 'An error has the same status in the HTTP response and in its body.',
    coveredBy: {
      test: "an error's status is the same in the response and in its body",
      async run(provider) {
        const { status, body } = await provider.send('GET', '/Users/nobody')
        assert.deepEqual([status, body.status], [404, '404'])
      },
    },
  },
]
