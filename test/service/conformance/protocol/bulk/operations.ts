import assert from 'node:assert/strict'
import type { Requirement } from '../../requirement.ts'
import { createUser } from '../support/create-resource.ts'
import { retitled, user } from '../support/messages.ts'
import { fieldsOf, idsAt, read } from '../support/read-resources.ts'
import { bulkResults, bulkStatuses, postUser } from './send-bulk.ts'

/** RFC 7644 §3.7: single operations of a bulk request. */
export const bulkOperations: readonly Requirement[] = [
  {
    section: '3.7',
    level: 'MUST',
    text: 'An operation is a POST, PUT, PATCH or DELETE, with the effect of that request.',
    coveredBy: {
      test: 'a bulk request creates, replaces, changes and deletes',
      async run(provider) {
        const [replaced, changed, deleted] = [
          await createUser(provider, 'ann', { title: 'Guide' }),
          await createUser(provider, 'bob'),
          await createUser(provider, 'eve'),
        ]
        const operations = [
          postUser('new'),
          { method: 'PUT', path: replaced.path, data: user('ann') },
          { method: 'PATCH', path: changed.path, data: retitled('Driver') },
          { method: 'DELETE', path: deleted.path },
        ]
        assert.deepEqual(await bulkStatuses(provider, operations), ['201', '200', '200', '204'])
        const { Resources } = await read(provider, '/Users')
        assert.deepEqual(
          Resources.map((one) => [one.userName, fieldsOf(one)['title']]),
          [
            ['ann', undefined],
            ['bob', 'Driver'],
            ['new', undefined],
          ],
        )
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'An operation must name one of the four methods; only an operation that does not fails.',
    coveredBy: {
      test: 'an operation without a method, or with GET, fails and the others succeed',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const operations = [{ path }, { method: 'GET', path }, { method: 'MOVE', path }, postUser('bob')]
        assert.deepEqual(await bulkStatuses(provider, operations), ['400', '400', '400', '201'])
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'An operation must have a path.',
    coveredBy: {
      test: 'an operation without a path fails and the others succeed',
      async run(provider) {
        const { path: _, ...nowhere } = postUser('ann')
        assert.deepEqual(await bulkStatuses(provider, [nowhere, { method: 'DELETE' }, postUser('bob')]), [
          '400',
          '400',
          '201',
        ])
        assert.equal((await idsAt(provider, '/Users')).length, 1)
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'The path of a POST is that of a resource type; the path of any other method is that of a resource.',
    coveredBy: {
      test: 'an operation whose path does not fit its method fails and the others succeed',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const operations = [
          { method: 'DELETE', path: '/Users' },
          { method: 'PUT', path: '/Users', data: user('bob') },
          { ...postUser('eve'), path },
          { ...postUser('eva'), path: '/Devices' },
          postUser('joe'),
        ]
        assert.deepEqual(await bulkStatuses(provider, operations), ['405', '405', '405', '404', '201'])
        assert.equal((await idsAt(provider, '/Users')).length, 2)
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'A POST must have a bulkId.',
    coveredBy: {
      test: 'a POST without a bulkId fails and the others succeed',
      async run(provider) {
        const { bulkId: _, ...nameless } = postUser('ann')
        assert.deepEqual(await bulkStatuses(provider, [nameless, postUser('bob')]), ['400', '201'])
        assert.equal((await idsAt(provider, '/Users')).length, 1)
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'A bulkId is unique in a bulk request: a second operation with it fails.',
    coveredBy: {
      test: 'a POST with the bulkId of another one fails and the others succeed',
      async run(provider) {
        const repeated = { ...postUser('ann'), data: user('bob') }
        assert.deepEqual(await bulkStatuses(provider, [postUser('ann'), repeated]), ['201', '400'])
        assert.equal((await idsAt(provider, '/Users')).length, 1)
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'A POST, PUT or PATCH must have data.',
    coveredBy: {
      test: 'an operation without its data fails and the others succeed',
      async run(provider) {
        const { path, body } = await createUser(provider, 'ann')
        const { data: _, ...empty } = postUser('bob')
        const operations = [empty, { method: 'PUT', path }, { method: 'PATCH', path }, postUser('eve')]
        assert.deepEqual(await bulkStatuses(provider, operations), ['400', '400', '400', '201'])
        assert.deepEqual(await read(provider, path), body)
      },
    },
  },
  {
    section: '3.7',
    level: 'MUST',
    text: 'An operation with a version is only performed on that version of the resource.',
    coveredBy: {
      test: 'operations on another version fail, and those on the current version succeed',
      async run(provider) {
        const { path, tag } = await createUser(provider, 'ann')
        const old = 'W/"another"'
        const operations = [
          { method: 'PUT', path, version: old, data: user('bob') },
          { method: 'PATCH', path, version: old, data: retitled('Guide') },
          { method: 'DELETE', path, version: old },
          { method: 'PATCH', path, version: tag, data: retitled('Driver') },
        ]
        assert.deepEqual(await bulkStatuses(provider, operations), ['412', '412', '412', '200'])
        const { userName, ...fields } = fieldsOf(await read(provider, path))
        assert.deepEqual([userName, fields['title']], ['ann', 'Driver'])
      },
    },
  },
  {
    section: '3.7',
    level: 'SHOULD',
    text: 'A result has the version of the resource, equal to its ETag.',
    coveredBy: {
      test: 'the version in a result is the ETag of the resource',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const changed = await bulkResults(provider, [{ method: 'PATCH', path, data: retitled('Guide') }])
        const { headers } = await provider.send('GET', path)
        assert.match(String(headers['etag']), /^W\/".+"$/)
        assert.equal(changed[0]?.version, headers['etag'])
      },
    },
  },
]
