import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { createUser } from './create-resource.ts'
import { bulkRequest, patchOf, retitled, searchRequest, user } from './messages.ts'
import { idsAt, read, usersFound } from './read-resources.ts'
import { postUser } from './send-bulk.ts'

const hostile = [`' or 1=1 --`, `ann'); drop table users; --`, `%`, `ann\\`, `{"$ne":null}`, `*)(uid=*`]

/** RFC 7644 §7. */
export const security: readonly Requirement[] = [
  {
    section: '7.2',
    level: 'MUST',
    asks: 'Clients must be made to use TLS, of version 1.2 at least.',
    shownBy: { because: "TLS is terminated by the operator's proxy: see docs/operations.md." },
  },
  {
    section: '7.3',
    level: 'MUST',
    asks: 'The known threats to tokens are to be met.',
    shownBy: {
      because:
        'A secret is good for one directory, compared by digest in constant time, kept out of the log and encrypted where it is stored; the parts have tests of their own.',
    },
  },
  {
    section: '7.4',
    level: 'MUST',
    asks: 'Tokens have enough entropy not to be guessed.',
    shownBy: { because: 'The service draws every secret itself, from 32 random bytes: src/directory/secret.ts.' },
  },
  {
    section: '7.4',
    level: 'MUST',
    asks: 'Tokens are exchanged over TLS only.',
    shownBy: { because: "TLS is terminated by the operator's proxy, for these requests as for all others." },
  },
  {
    section: '7.4',
    level: 'MUST',
    asks: 'A token has a limited lifetime known to the service provider.',
    shownBy: {
      because:
        'Identity providers keep one token for years, so that a secret lasts until it is replaced, after which the former one ends by itself, or until its directory is deactivated or deleted. Each request is checked against that.',
    },
  },
  {
    section: '7.4',
    level: 'SHOULD',
    asks: 'Cookies last no longer than a session.',
    shownBy: {
      test: 'no answer sets a cookie',
      async run(provider) {
        const answers = [
          await provider.send('POST', '/Users', user('ann')),
          await provider.send('GET', '/Users'),
          await provider.sendBare('GET', '/Users'),
        ]
        for (const { headers } of answers) assert.equal(headers['set-cookie'], undefined)
      },
    },
  },
  {
    section: '7.5.1',
    level: 'MUST',
    asks: 'Personal data is returned only to authorized clients; a password never.',
    shownBy: {
      test: 'no response contains a password, even when it is requested',
      async run(provider) {
        const password = 'pa55word'
        const { path } = await createUser(provider, 'ann', { password })
        const changed = patchOf({ op: 'replace', path: 'password', value: password })
        const answers = [
          await provider.send('POST', '/Users?attributes=password', user('bob', { password })),
          await provider.send('PUT', path, user('ann', { password })),
          await provider.send('PATCH', path, changed),
          await provider.send('GET', `${path}?attributes=password`),
          await provider.send('GET', '/Users'),
          await provider.send('POST', '/Users/.search', searchRequest({ attributes: ['password'] })),
          await provider.send('POST', '/Users', user('ann', { password })),
        ]
        for (const { text } of answers) assert.doesNotMatch(text, new RegExp(`${password}|"password"`))
      },
    },
  },
  {
    section: '7.5.2',
    level: 'SHOULD',
    asks: 'A GET whose filter holds personal data is rejected with 403.',
    shownBy: {
      because:
        'Every identity provider looks users up by userName, externalId or email address in a GET: refusing would end the sync. Addresses are logged without their query (test/service/log.test.ts), and a search takes the same filters in its body.',
    },
  },
  {
    section: '7.6',
    level: 'SHOULD',
    asks: 'Anonymous requests are rejected at every URL.',
    shownBy: {
      test: 'nothing is read, found or changed without the secret',
      async run(provider) {
        const { path, body } = await createUser(provider, 'ann')
        for (const [method, at, sent] of [
          ['GET', '/Users', undefined],
          ['GET', path, undefined],
          ['POST', '/Users', user('bob')],
          ['PUT', path, user('bob')],
          ['PATCH', path, retitled('Guide')],
          ['DELETE', path, undefined],
          ['POST', '/Users/.search', searchRequest({})],
          ['POST', '/Bulk', bulkRequest([postUser('bob')])],
          ['GET', '/Me', undefined],
          ['GET', '/ServiceProviderConfig', undefined],
          ['GET', '/ResourceTypes', undefined],
          ['GET', '/Schemas', undefined],
        ] as const) {
          assertScimRefusal(await provider.sendBare(method, at, sent), 401)
        }
        assert.deepEqual((await read(provider, '/Users')).Resources, [body])
      },
    },
  },
  {
    section: '7.7',
    level: 'SHOULD',
    asks: 'Input is never executed by the database.',
    shownBy: {
      test: 'SQL in input is treated as text',
      async run(provider) {
        for (const name of hostile) {
          const { id } = await createUser(provider, name)
          assert.deepEqual(await usersFound(provider, `userName eq ${JSON.stringify(name)}`), [id], name)
          assert.deepEqual(await usersFound(provider, `userName co ${JSON.stringify(name)}`), [id], name)
        }
        assert.equal((await idsAt(provider, '/Users')).length, hostile.length)
      },
    },
  },
  {
    section: '7.7',
    level: 'SHOULD',
    asks: 'Credentials are not stored as they are.',
    shownBy: {
      because:
        'Passwords of users are not stored at all (test/service/passwords.test.ts). Secrets, which operators can look up, are encrypted with ENCRYPTION_KEY.',
    },
  },
  {
    section: '7.7',
    level: 'SHOULD',
    asks: 'Secrets cannot be guessed online.',
    shownBy: { because: 'Every secret consists of 256 random bits.' },
  },
  {
    section: '7.7',
    level: 'SHOULD',
    asks: 'Access is granted per client.',
    shownBy: {
      test: 'what one client creates is visible only with its secret',
      async run(provider) {
        const other = await provider.another()
        const { path, id } = await createUser(provider, 'ann')
        assert.deepEqual(await idsAt(provider, '/Users'), [id])
        assert.deepEqual(await idsAt(other, '/Users'), [])
        assertScimRefusal(await other.send('GET', path), 404)
      },
    },
  },
]
