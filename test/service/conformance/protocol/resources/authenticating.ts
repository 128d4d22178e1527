import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Requirement } from '../../requirement.ts'
import { list } from './support/list.ts'
import { provisionUser, readUser } from './support/provision.ts'

/** RFC 7644 §2: authentication and authorization. */
export const authenticatingRequirements: readonly Requirement[] = [
  {
    section: '2',
    level: 'MUST',
    text: 'The `WWW-Authenticate` header names the HTTP authentication schemes that a client may use.',
    coveredBy: {
      test: 'a request without credentials gets a 401 that names the Bearer scheme',
      async run(provider) {
        const response = await provider.sendBare('GET', '/Users')
        assertScimError(response, 401)
        assert.match(String(response.headers['www-authenticate']), /^Bearer\b/)
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'Every client is mapped to an access policy that determines which resources it may read and change.',
    coveredBy: {
      test: 'an unknown secret can neither read nor write',
      async run(provider) {
        const headers = { authorization: 'Bearer not-a-secret-of-any-directory' }
        assertScimError(await provider.sendBare('GET', '/Users', undefined, headers), 401)
        assertScimError(await provider.sendBare('POST', '/Users', { userName: 'ann' }, headers), 401)
        assert.equal((await list(provider, '/Users')).totalResults, 0)
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    text: 'The client is mapped to a single subject: its directory.',
    coveredBy: {
      test: 'the secret of one directory cannot read another',
      async run(provider) {
        const { id } = await provisionUser(provider, { userName: 'ann' })
        const other = await provider.another()
        assertScimError(await other.send('GET', `/Users/${id}`), 404)
        assert.equal((await list(other, '/Users')).totalResults, 0)
      },
    },
  },
  {
    section: '2',
    level: 'SHOULD',
    text: 'A request is authorized by both its subject and the resource.',
    coveredBy: {
      test: 'the secret of one directory cannot delete a user of another',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        const other = await provider.another()
        assertScimError(await other.send('DELETE', `/Users/${user.id}`), 404)
        assert.equal((await readUser(provider, user))['userName'], 'ann')
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    text: 'With a token that represents an authorization grant, the type of the grant, its scopes and its subject are considered.',
    coveredBy: {
      because:
        'A token opens one directory, whose secret or OAuth client it comes from: there is one type of grant and one scope, and no user is its subject. test/service/oauth/tokens.test.ts covers it.',
    },
  },
  {
    section: '2.1',
    level: 'MUST',
    text: 'A service provider that accepts OAuth tokens guards against the known OAuth threats.',
    coveredBy: {
      because:
        'Access tokens of OAuth clients open one directory, expire and end with their client, clients cannot be guessed, and assertions must be signed for this service: test/service/oauth/ has the tests.',
    },
  },
]
