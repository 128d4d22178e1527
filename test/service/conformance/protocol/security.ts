import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { postUser } from './bulk/send-bulk.ts'
import { createUser } from './support/create-resource.ts'
import { bulkRequest, patchOf, retitled, searchRequest, user } from './support/messages.ts'
import { idsAt, read, usersFound } from './support/read-resources.ts'

const hostile = [`' or 1=1 --`, `ann'); drop table users; --`, `%`, `ann\\`, `{"$ne":null}`, `*)(uid=*`]

/** RFC 7644 §7. */
export const security: readonly Requirement[] = [
  {
    section: '7.2',
    level: 'MUST',
    text: 'Clients must be made to use TLS, of version 1.2 at least.',
    coveredBy: { because: "TLS is terminated by the operator's proxy: see docs/security.md." },
  },
  {
    section: '7.3',
    level: 'MUST',
    text: 'The known threats to tokens are mitigated.',
    coveredBy: {
      because:
        'A secret is valid for one directory, compared by digest in constant time, never logged, and encrypted at rest; each of these has its own tests.',
    },
  },
  {
    section: '7.4',
    level: 'MUST',
    text: 'Tokens have enough entropy not to be guessed.',
    coveredBy: { because: 'The service generates every secret from 32 random bytes: src/directory/secret.ts.' },
  },
  {
    section: '7.4',
    level: 'MUST',
    text: 'Tokens are exchanged over TLS only.',
    coveredBy: { because: "TLS is terminated by the operator's proxy, for these requests as for all others." },
  },
  {
    section: '7.4',
    level: 'MUST',
    text: 'A token has a limited lifetime known to the service provider.',
    coveredBy: {
      because:
        'Identity providers use one token for years. A secret is therefore valid until it is replaced (the previous one then expires), or until its directory is deactivated or deleted. Each request checks this.',
    },
    deviation: {
      text: 'The secret of a directory is valid until it is replaced: most identity providers can only be given a token that lasts for years.',
      endedBy: 'scim_auth: "oauth"',
    },
  },
  {
    section: '7.4',
    level: 'SHOULD',
    text: 'Cookies last no longer than a session.',
    coveredBy: {
      test: 'no response sets a cookie',
      async run(provider) {
        const responses = [
          await provider.send('POST', '/Users', user('ann')),
          await provider.send('GET', '/Users'),
          await provider.sendBare('GET', '/Users'),
        ]
        for (const { headers } of responses) assert.equal(headers['set-cookie'], undefined)
      },
    },
  },
  {
    section: '7.5.1',
    level: 'MUST',
    text: 'Personal data is only returned to authorized clients, and passwords are never returned.',
    coveredBy: {
      test: 'no response contains a password, even when it is requested',
      async run(provider) {
        const password = 'pa55word'
        const { path } = await createUser(provider, 'ann', { password })
        const changed = patchOf({ op: 'replace', path: 'password', value: password })
        const responses = [
          await provider.send('POST', '/Users?attributes=password', user('bob', { password })),
          await provider.send('PUT', path, user('ann', { password })),
          await provider.send('PATCH', path, changed),
          await provider.send('GET', `${path}?attributes=password`),
          await provider.send('GET', '/Users'),
          await provider.send('POST', '/Users/.search', searchRequest({ attributes: ['password'] })),
          await provider.send('POST', '/Users', user('ann', { password })),
        ]
        for (const { text } of responses) assert.doesNotMatch(text, new RegExp(`${password}|"password"`))
      },
      strict: {
        test: 'no response repeats a password, not even the one that rejects it',
        async run(provider) {
          const password = 'pa55word'
          const { path } = await createUser(provider, 'ann')
          const responses = [
            await provider.send('POST', '/Users', user('bob', { password })),
            await provider.send('PATCH', path, patchOf({ op: 'replace', path: 'password', value: password })),
            await provider.send('GET', `${path}?attributes=password`),
          ]
          for (const { text } of responses) assert.doesNotMatch(text, new RegExp(password))
        },
      },
    },
  },
  {
    section: '7.5.2',
    level: 'SHOULD',
    text: 'A GET whose filter contains personal data is rejected with 403.',
    coveredBy: {
      because:
        'Every identity provider looks users up by userName, externalId or email address in a GET: rejecting it would break the sync. URLs are logged without their query (test/service/diagnostics/log.test.ts), and a search accepts the same filters in its body.',
    },
    deviation: {
      text: 'A filter in a URL may contain a userName, an externalId or an email address.',
      endedBy: { none: 'every identity provider looks users up in this way.' },
    },
  },
  {
    section: '7.6',
    level: 'SHOULD',
    text: 'Anonymous requests are rejected at every URL.',
    coveredBy: {
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
          assertScimError(await provider.sendBare(method, at, sent), 401)
        }
        assert.deepEqual((await read(provider, '/Users')).Resources, [body])
      },
    },
  },
  {
    section: '7.7',
    level: 'SHOULD',
    text: 'Input is never executed by the database.',
    coveredBy: {
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
    text: 'Credentials are not stored in clear text.',
    coveredBy: {
      because:
        'Passwords of users are not stored at all (test/service/scim/passwords.test.ts). Secrets, which operators can look up, are encrypted with ENCRYPTION_KEY.',
    },
  },
  {
    section: '7.7',
    level: 'SHOULD',
    text: 'Secrets cannot be guessed online.',
    coveredBy: { because: 'Every secret consists of 256 random bits.' },
  },
  {
    section: '7.7',
    level: 'SHOULD',
    text: 'Access is granted per client.',
    coveredBy: {
      test: 'what one client creates is visible only with its secret',
      async run(provider) {
        const other = await provider.another()
        const { path, id } = await createUser(provider, 'ann')
        assert.deepEqual(await idsAt(provider, '/Users'), [id])
        assert.deepEqual(await idsAt(other, '/Users'), [])
        assertScimError(await other.send('GET', path), 404)
      },
    },
  },
]
