import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { list } from './support/list.ts'
import { provisionUser, readUser } from './support/provision.ts'

/** RFC 7644 §2: authentication and authorization. */
export const authenticatingRequirements: readonly Requirement[] = [
  {
    section: '2',
    level: 'MUST',
    asks: 'A caller learns from the `WWW-Authenticate` header which HTTP authentication schemes it may use.',
    shownBy: {
      test: 'a request without credentials gets a 401 that names the Bearer scheme',
      async run(provider) {
        const answer = await provider.sendBare('GET', '/Users')
        assertScimRefusal(answer, 401)
        assert.match(String(answer.headers['www-authenticate']), /^Bearer\b/)
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    asks: 'Every caller is mapped to an access policy that says which resources it may read and change.',
    shownBy: {
      test: 'an unknown secret can neither read nor write',
      async run(provider) {
        const headers = { authorization: 'Bearer not-a-secret-of-any-directory' }
        assertScimRefusal(await provider.sendBare('GET', '/Users', undefined, headers), 401)
        assertScimRefusal(await provider.sendBare('POST', '/Users', { userName: 'ann' }, headers), 401)
        assert.equal((await list(provider, '/Users')).totalResults, 0)
      },
    },
  },
  {
    section: '2',
    level: 'MUST',
    asks: 'The caller is mapped to a single subject: its directory.',
    shownBy: {
      test: 'the secret of one directory cannot read another',
      async run(provider) {
        const { id } = await provisionUser(provider, { userName: 'ann' })
        const other = await provider.another()
        assertScimRefusal(await other.send('GET', `/Users/${id}`), 404)
        assert.equal((await list(other, '/Users')).totalResults, 0)
      },
    },
  },
  {
    section: '2',
    level: 'SHOULD',
    asks: 'A request is authorized by both its subject and the resource.',
    shownBy: {
      test: 'the secret of one directory cannot delete a user of another',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        const other = await provider.another()
        assertScimRefusal(await other.send('DELETE', `/Users/${user.id}`), 404)
        assert.equal((await readUser(provider, user))['userName'], 'ann')
      },
    },
  },
  {
    section: '2.1',
    level: 'SHOULD',
    asks: 'With a token that stands for an authorization grant, the kind of grant, its scopes and its subject are considered.',
    shownBy: {
      because: 'The bearer token is the secret of a directory and no grant: it has no scopes, and no user as subject.',
    },
  },
  {
    section: '2.1',
    level: 'MUST',
    asks: 'A service provider that accepts OAuth tokens guards against the known OAuth threats.',
    shownBy: {
      because: 'OAuth tokens are not accepted: the bearer token is a random secret issued by the service.',
    },
  },
]
