import assert from 'node:assert/strict'
import type { Answer } from '../../../support/client.ts'
import { assertScimError } from '../../../support/errors.ts'
import type { Provider, Requirement } from '../requirement.ts'
import { createUser, patchOf, pathOf } from './resources.ts'

const password = 't1meMa$heen'
const neverStored =
  'Passwords are dropped when a request is parsed, neither stored nor passed on: ' +
  'test/service/scim/passwords.test.ts looks for them in responses, events, the log and the database.'

/** RFC 7643 §4.1.1: the password of a user. */
export const passwordRequirements: readonly Requirement[] = [
  {
    section: '4.1.1',
    level: 'MUST',
    text: 'A password is not returned in any form in response to the request that sets it.',
    coveredBy: {
      test: 'a POST, PUT and PATCH of a password return no password',
      run: async (provider) => {
        const user = await createUser(provider, { password })
        const path = pathOf(provider, user)
        const patch = patchOf({ op: 'replace', path: 'password', value: password })
        const responses = [
          user,
          await provider.send('PUT', path, { userName: 'bjensen', password }),
          await provider.send('PATCH', path, patch),
        ]
        assertWithoutPassword(responses)
      },
      strict: {
        test: 'a POST and PUT of a password are rejected with invalidSyntax, a PATCH with invalidPath',
        run: async (provider) => {
          const path = pathOf(provider, await createUser(provider, { userName: 'bjensen' }))
          const body = { userName: 'bjensen', password }
          assertScimError(await provider.send('POST', '/Users', body), 400, 'invalidSyntax')
          assertScimError(await provider.send('PUT', path, body), 400, 'invalidSyntax')
          const patch = patchOf({ op: 'replace', path: 'password', value: password })
          assertScimError(await provider.send('PATCH', path, patch), 400, 'invalidPath')
        },
      },
    },
  },
  {
    section: '4.1.1',
    level: 'MUST',
    text: 'A password is not returned when it is requested by name.',
    coveredBy: {
      test: 'a user, a list and a search with attributes=password contain no password',
      run: async (provider) => {
        const path = pathOf(provider, await createUser(provider, { password }))
        const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], attributes: ['password'] }
        const responses = [
          await provider.send('GET', `${path}?attributes=password`),
          await provider.send('GET', '/Users?attributes=userName,password'),
          await provider.send('POST', '/Users/.search', search),
        ]
        assertWithoutPassword(responses)
      },
      strict: {
        test: 'a user and a list with attributes=password are rejected with invalidSyntax',
        run: async (provider) => {
          const path = pathOf(provider, await createUser(provider))
          for (const url of [`${path}?attributes=password`, '/Users?attributes=userName,password'])
            assertScimError(await provider.send('GET', url), 400, 'invalidSyntax')
        },
      },
    },
  },
  {
    section: '4.1.1',
    level: 'SHOULD',
    text: 'A stored password is hashed.',
    coveredBy: {
      test: 'setting a password twice leaves the version unchanged',
      run: async (provider) => {
        const user = await createUser(provider, { password })
        const patch = patchOf({ op: 'replace', path: 'password', value: `${password}2` })
        assert.deepEqual((await patched(provider, user, patch)).body, user.body)
      },
      strict: { because: 'A strict directory has no password.' },
    },
  },
  {
    section: '4.1.1',
    level: 'SHOULD',
    text: 'A new password is prepared for comparison, checked against a policy and encrypted.',
    coveredBy: { because: neverStored },
  },
  {
    section: '4.1.1',
    level: 'MUST',
    text: 'A password that is passed on to another system goes over a secure connection.',
    coveredBy: { because: neverStored },
  },
  {
    section: '4.1.1',
    level: 'MUST',
    text: 'A password that is stored before it is passed on is protected, for example by encryption.',
    coveredBy: { because: neverStored },
  },
]

async function patched(provider: Provider, user: Answer, body: unknown): Promise<Answer> {
  const response = await provider.send('PATCH', pathOf(provider, user), body)
  assert.equal(response.status, 200, response.text)
  return response
}

function assertWithoutPassword(responses: readonly Answer[]): void {
  for (const { status, text } of responses) {
    assert(status < 300, text)
    assert(!text.includes(password), text)
    assert.doesNotMatch(text, /"password"/i)
  }
}
