import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../../src/directory/directory.ts'
import { directoryView } from '../../../../src/directory/directory-view.ts'
import { newSecret } from '../../../../src/directory/secret.ts'
import { codeChallengeOf, sealState } from '../../../../src/google/authorization/state.ts'
import { GoogleFailure } from '../../../../src/google/client/failure.ts'
import { googleScopes } from '../../../../src/google/client/oauth.ts'
import { testCaller } from '../../../support/audited.ts'
import { keyFile } from '../../../support/key-file.ts'
import type { Pulled } from './support/pulled.ts'
import { openPulled } from './support/pulled.ts'
import { allScopes, someTokens, startedAt } from './support/scripted-oauth.ts'

const tenMinutesMs = 600_000
const code = '4/0A-code/with+slashes'
/** The cookie of the administrator's browser. */
const browser = 'b'.repeat(43)

function queryOf(authorizationUrl: string): URLSearchParams {
  return new URL(authorizationUrl).searchParams
}

/** Begins an authorization like an administrator's browser; returns the state. */
async function begin({ authorization }: Pick<Pulled, 'authorization'>, { id: directoryId }: Directory) {
  const { url } = await authorization.authorizationLink(directoryId)
  return open({ authorization }, url)
}

/** Opens an authorization URL; returns the state. */
async function open({ authorization }: Pick<Pulled, 'authorization'>, url: string) {
  const { authorizationUrl } = await authorization.authorizationUrlFor({ token: queryOf(url).get('token') }, browser)
  return queryOf(authorizationUrl).get('state') ?? ''
}

/** Begins it like the product. */
async function generate({ authorization }: Pulled, { id: directoryId }: Directory) {
  const { authorizationUrl } = await authorization.generateAuthorizationUrl({ directoryId })
  return queryOf(authorizationUrl)
}

test('the authorization URL leads to Google and from there to the callback', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create({ extdir_domain: 'acme.example' })
  const { authorizationUrl } = await pulled.authorization.generateAuthorizationUrl({ directoryId: directory.id })
  const query = queryOf(authorizationUrl)
  assert.equal(new URL(authorizationUrl).origin, 'https://accounts.example.com')
  assert.equal(query.get('redirectUri'), 'https://rollcall.example.com/api/scim/oauth/callback')
  assert.equal(query.get('domain'), 'acme.example')
})

test('a state reveals neither its directory nor the PKCE secret', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  const query = await generate(pulled, directory)
  const text = (query.get('state') ?? '').split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  assert(!text.join().includes(directory.id))
  assert(!text.join().includes('verifier'))
})

test('the code is exchanged with the complete PKCE secret of its URL', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  const query = await generate(pulled, directory)
  await pulled.authorization.getAccessToken({ directoryId: directory.id, code })
  const [asked] = pulled.oauth.asked
  assert(asked?.[0] === 'exchange')
  const { codeVerifier, ...rest } = asked[1]
  assert.deepEqual(rest, { code, redirectUri: query.get('redirectUri') })
  assert.equal(codeChallengeOf(codeVerifier), query.get('codeChallenge'))
})

test('getAccessToken returns the tokens without storing them', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  const state = (await generate(pulled, directory)).get('state')
  const tokens = await pulled.authorization.getAccessToken({ directoryId: directory.id, code, state })
  assert.deepEqual(tokens, someTokens())
  assert.deepEqual(await pulled.directories.get(directory.id), directory)
})

test('the callback of a product finds the directory in the state, and Google redirects to its path', async () => {
  await using pulled = await openPulled()
  const [{ id: directoryId }, other] = [await pulled.create(), await pulled.create()]
  const { generateAuthorizationUrl, getAccessToken } = pulled.authorization
  const query = queryOf((await generateAuthorizationUrl({ directoryId }, '/app/google/done')).authorizationUrl)
  const redirectUri = 'https://rollcall.example.com/app/google/done'
  assert.equal(query.get('redirectUri'), redirectUri)
  const state = query.get('state') ?? ''
  assert.equal(JSON.parse(state).directoryId, directoryId)
  assert.doesNotMatch(JSON.stringify(JSON.parse(state)), /verifier/)
  const forged = JSON.stringify({ ...JSON.parse(state), directoryId: other.id })
  await assert.rejects(getAccessToken({ directoryId: other.id, code, state: forged }), { code: 'invalid-input' })
  await assert.rejects(getAccessToken({ directoryId: other.id, code, state }), { code: 'invalid-input' })
  await getAccessToken({ directoryId, code, state })
  const [asked, ...others] = pulled.oauth.asked
  assert(asked?.[0] === 'exchange')
  assert.deepEqual(
    [asked[1].redirectUri, codeChallengeOf(asked[1].codeVerifier)],
    [redirectUri, query.get('codeChallenge')],
  )
  assert.deepEqual(others, [])
  await assert.rejects(getAccessToken({ directoryId, code, state }), { message: /already been used/ })
})

test('a code without a state belongs to the last started authorization, once', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  await generate(pulled, directory)
  const last = await generate(pulled, directory)
  const input = { directoryId: directory.id, code }
  await pulled.authorization.getAccessToken(input)
  const [asked] = pulled.oauth.asked
  assert.equal(asked?.[0] === 'exchange' && codeChallengeOf(asked[1].codeVerifier), last.get('codeChallenge'))
  await assert.rejects(pulled.authorization.getAccessToken(input), {
    code: 'invalid-input',
    message: /No authorization was started/,
  })
})

test('a code without a state is rejected after ten minutes', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  await generate(pulled, directory)
  pulled.wait(tenMinutesMs)
  const late = pulled.authorization.getAccessToken({ directoryId: directory.id, code })
  await assert.rejects(late, { code: 'invalid-input', message: /expired/ })
})

test('an authorization started by a browser cannot be completed without its state', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  await begin(pulled, directory)
  const given = pulled.authorization.getAccessToken({ directoryId: directory.id, code })
  await assert.rejects(given, { code: 'invalid-input', message: /No authorization was started/ })
})

test('completing an authorization stores the tokens and ends the need for one', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create({ extdir_domain: 'acme.example' })
  await pulled.directories.changeGoogleConnection(directory.id, (before) => ({
    ...before,
    authorizationNeeded: 'Revoked.',
  }))
  const state = await begin(pulled, directory)
  const { directory: connected, outcome } = await pulled.authorization.completeAuthorization(
    { state, code },
    testCaller,
    browser,
  )
  assert.equal(outcome, 'connected')
  assert.deepEqual(await pulled.stored(directory.id), {
    domain: 'acme.example',
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    accessTokenExpiresAt: startedAt + 3_600_000,
    scope: allScopes,
    workspace: 'C0acme',
    consents: 1,
  })
  assert.equal(directoryView(connected, '', null).extdir_authorization_status, 'authorized')
})

test('an authorization can be completed by another process', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  const state = await begin(pulled, directory)
  await pulled.another().authorization.completeAuthorization({ state, code }, testCaller, browser)
  assert.equal((await pulled.stored(directory.id)).refreshToken, 'refresh-1')
})

test('a state is valid for ten minutes, rounded down to whole seconds', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  const state = await begin(pulled, directory)
  pulled.wait(tenMinutesMs - 1)
  await pulled.authorization.completeAuthorization({ state, code }, testCaller, browser)
})

/** Makes a state invalid. */
const badStates: readonly {
  readonly because: string
  readonly message: RegExp
  bad(pulled: Pulled, directory: Directory): Promise<unknown>
}[] = [
  { because: 'it is none', message: /not created by this service/, bad: async () => 'state' },
  { because: 'it is empty', message: /complete state/, bad: async () => '' },
  { because: 'it is a list', message: /complete state/, bad: async (...begun) => [await begin(...begun)] },
  { because: 'it is left out', message: /complete state/, bad: async () => undefined },
  {
    because: 'it is cut',
    message: /not created by this service/,
    bad: async (...begun) => (await begin(...begun)).slice(0, -4),
  },
  {
    because: 'it was sealed by somebody else',
    message: /not created by this service/,
    bad: (_pulled, { id: directoryId }) => {
      const expiresAt = startedAt + tenMinutesMs
      const state = {
        id: 'a',
        directoryId,
        codeVerifier: 'b',
        consents: 0,
        browser,
        callbackPath: undefined,
        expiresAt,
      }
      return sealState(state, newSecret())
    },
  },
  {
    because: 'it is JSON without a token',
    message: /not created by/,
    bad: async (_, { id }) => `{"directoryId":"${id}"}`,
  },
  { because: 'it is JSON that is cut off', message: /not created by this service/, bad: async () => '{"directoryId":' },
  {
    because: 'it is JSON with a token that somebody made',
    message: /not created by this service/,
    bad: async (_, { id: directoryId }) => JSON.stringify({ directoryId, token: newSecret() }),
  },
  {
    because: 'it is signed by nobody',
    message: /not created by this service/,
    bad: async (_pulled, { id: sub }) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${part({ alg: 'none' })}.${part({ jti: 'a', sub, verifier: 'b', consents: 0, exp: 4_000_000_000 })}.`
    },
  },
  {
    because: 'ten minutes have passed',
    message: /expired/,
    async bad(pulled, directory) {
      const state = await begin(pulled, directory)
      pulled.wait(tenMinutesMs)
      return state
    },
  },
  {
    because: 'it was used',
    message: /already been used/,
    async bad(pulled, directory) {
      const state = await begin(pulled, directory)
      await pulled.authorization
        .completeAuthorization({ state, code, error: 'access_denied' }, testCaller, browser)
        .catch(() => {})
      return state
    },
  },
]
for (const { because, message, bad } of badStates) {
  test(`an invalid state is rejected without a request to Google: ${because}`, async () => {
    await using pulled = await openPulled()
    const directory = await pulled.create()
    const state = await bad(pulled, directory)
    await assert.rejects(pulled.authorization.completeAuthorization({ state, code }, testCaller, browser), {
      code: 'invalid-input',
      message,
    })
    assert.deepEqual(pulled.oauth.asked, [])
    assert.deepEqual(await pulled.directories.get(directory.id), directory)
  })
}

test('an altered state is rejected', async () => {
  await using pulled = await openPulled()
  const state = await begin(pulled, await pulled.create())
  for (let at = 0; at < state.length; at += 7) {
    // A and g differ in the first bit: the last bits of the last character may stand for nothing.
    const other = state[at] === 'A' ? 'g' : 'A'
    const altered = state.slice(0, at) + other + state.slice(at + 1)
    await assert.rejects(pulled.authorization.completeAuthorization({ state: altered, code }, testCaller, browser), {
      code: 'invalid-input',
    })
  }
  assert.deepEqual(pulled.oauth.asked, [])
})

test('a state can be used once, even by concurrent requests', async () => {
  await using pulled = await openPulled()
  const state = await begin(pulled, await pulled.create())
  const { authorization } = pulled.another()
  const ends = [pulled.authorization, authorization, authorization].map((one) =>
    one.completeAuthorization({ state, code }, testCaller, browser),
  )
  const outcomes = await Promise.allSettled(ends)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(pulled.oauth.asked.length, 1)
})

test("a used state is stored for as long as any process's clock could accept it", async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  const state = await begin(pulled, directory)
  await pulled.authorization.completeAuthorization({ state, code }, testCaller, browser)
  pulled.wait(tenMinutesMs + 30_000)
  await pulled.authorization.completeAuthorization({ state: await begin(pulled, directory), code }, testCaller, browser)
  pulled.wait(-60_000)
  const again = pulled.authorization.completeAuthorization({ state, code }, testCaller, browser)
  await assert.rejects(again, { code: 'invalid-input', message: /already been used/ })
})

test('a state is rejected for another directory, and stays valid for its own', async () => {
  await using pulled = await openPulled()
  const [directory, other] = [await pulled.create(), await pulled.create()]
  const state = await begin(pulled, other)
  const { getAccessToken } = pulled.authorization
  await assert.rejects(getAccessToken({ directoryId: directory.id, code, state }), {
    code: 'invalid-input',
    message: /another directory/,
  })
  await getAccessToken({ directoryId: other.id, code, state })
})

for (const [error, message] of [
  ['access_denied', /^Access was denied/],
  ['admin_policy_enforced', /policy of your Google Workspace/],
  ['org_internal', /organization that owns it/],
  ['temporarily_unavailable', /the error temporarily_unavailable/],
  ['<script>', /an unknown error/],
] as const) {
  test(`the error ${error} of Google is reported, and nothing is stored`, async () => {
    await using pulled = await openPulled()
    const directory = await pulled.create()
    const state = await begin(pulled, directory)
    const end = pulled.authorization.completeAuthorization({ state, error }, testCaller, browser)
    await assert.rejects(end, { code: 'authorization-failed', message })
    assert.deepEqual(pulled.oauth.asked, [])
    assert.deepEqual(await pulled.directories.get(directory.id), directory)
  })
}

test('an error without a valid state is not reported', async () => {
  await using pulled = await openPulled()
  const end = pulled.authorization.completeAuthorization(
    { state: 'state', error: 'access_denied' },
    testCaller,
    browser,
  )
  await assert.rejects(end, { code: 'invalid-input' })
})

for (const [at, name] of ['users', 'groups', 'group members'].entries()) {
  test(`a grant without ${name} is rejected, and nothing is stored`, async () => {
    await using pulled = await openPulled()
    const directory = await pulled.create()
    const scope = googleScopes.filter((_scope, other) => other !== at).join(' ')
    pulled.oauth.answer = () => someTokens({ scope })
    const state = await begin(pulled, directory)
    const end = pulled.authorization.completeAuthorization({ state, code }, testCaller, browser)
    await assert.rejects(end, { code: 'authorization-failed', message: new RegExp(`granted: ${name} cannot be read`) })
    assert.deepEqual(await pulled.directories.get(directory.id), directory)
  })
}

test('getAccessToken also rejects a partial grant', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  pulled.oauth.answer = () => someTokens({ scope: 'openid' })
  await generate(pulled, directory)
  const given = pulled.authorization.getAccessToken({ directoryId: directory.id, code })
  await assert.rejects(given, { code: 'authorization-failed', message: /users, groups, group members cannot be read/ })
})

test('a grant with additional scopes in another order is complete', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  pulled.oauth.answer = () => someTokens({ scope: ['openid', ...googleScopes.toReversed()].join(' ') })
  await pulled.authorization.completeAuthorization({ state: await begin(pulled, directory), code }, testCaller, browser)
})

test('tokens without a refresh token are rejected, and nothing is stored', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  const { refresh_token: _, ...tokens } = someTokens()
  pulled.oauth.answer = () => tokens
  const end = pulled.authorization.completeAuthorization(
    { state: await begin(pulled, directory), code },
    testCaller,
    browser,
  )
  await assert.rejects(end, { code: 'authorization-failed', message: /no refresh token/ })
  assert.deepEqual(await pulled.directories.get(directory.id), directory)
})

test('a failure of Google is reported with its message', async () => {
  await using pulled = await openPulled()
  pulled.oauth.answer = () => new GoogleFailure('configuration', 'The redirect address is not registered.')
  const end = pulled.authorization.completeAuthorization(
    { state: await begin(pulled, await pulled.create()), code },
    testCaller,
    browser,
  )
  await assert.rejects(end, { code: 'authorization-failed', message: 'The redirect address is not registered.' })
})

test('an internal error is thrown unchanged', async () => {
  await using pulled = await openPulled()
  const ours = new TypeError('a mistake')
  pulled.oauth.answer = () => ours
  const end = pulled.authorization.completeAuthorization(
    { state: await begin(pulled, await pulled.create()), code },
    testCaller,
    browser,
  )
  await assert.rejects(end, ours)
})

test('tokens set by the product are stored and end the need for authorization', async () => {
  await using pulled = await openPulled()
  const { id: directoryId } = await pulled.create()
  await pulled.directories.changeGoogleConnection(directoryId, (before) => ({
    ...before,
    authorizationNeeded: 'Revoked.',
  }))
  const given = { accessToken: 'a', refreshToken: 'b', expiryDate: startedAt, scope: allScopes }
  await pulled.authorization.setToken({ directoryId, ...given }, testCaller)
  const {
    accessToken,
    refreshToken,
    accessTokenExpiresAt: expiryDate,
    scope,
    ...rest
  } = await pulled.stored(directoryId)
  assert.deepEqual({ accessToken, refreshToken, expiryDate, scope }, given)
  assert.equal(rest.authorizationNeeded, undefined)
})

test('tokens set without an expiry do not keep the expiry of the old ones', async () => {
  await using pulled = await openPulled()
  const { id: directoryId } = await pulled.create()
  const tokens = { directoryId, accessToken: 'a', refreshToken: 'b' }
  await pulled.authorization.setToken({ ...tokens, expiryDate: startedAt, scope: allScopes }, testCaller)
  await pulled.authorization.setToken({ ...tokens, accessToken: 'c' }, testCaller)
  const { accessTokenExpiresAt, scope } = await pulled.stored(directoryId)
  assert.deepEqual([accessTokenExpiresAt, scope], [undefined, undefined])
})

for (const [field, value] of [
  ['directoryId', ''],
  ['accessToken', undefined],
  ['accessToken', 'a\nb'],
  ['refreshToken', ''],
  ['refreshToken', 'x'.repeat(4001)],
  ['expiryDate', 'soon'],
  ['expiryDate', 1.5],
  ['scope', ['a']],
] as const) {
  test(`setToken rejects ${field} ${JSON.stringify(value)?.slice(0, 20)}`, async () => {
    await using pulled = await openPulled()
    const { id: directoryId } = await pulled.create()
    const tokens = { directoryId, accessToken: 'a', refreshToken: 'b' }
    await assert.rejects(pulled.authorization.setToken({ ...tokens, [field]: value }, testCaller), {
      code: 'invalid-input',
      message: new RegExp(`^${field}: `),
    })
  })
}

const tokens = { accessToken: 'a', refreshToken: 'b' }
const calls: readonly (readonly [string, (of: Pulled['authorization'], directoryId: string) => Promise<unknown>])[] = [
  ['generateAuthorizationUrl', (of, directoryId) => of.generateAuthorizationUrl({ directoryId })],
  ['authorizationLink', (of, directoryId) => of.authorizationLink(directoryId)],
  ['getAccessToken', (of, directoryId) => of.getAccessToken({ directoryId, code })],
  ['setToken', (of, directoryId) => of.setToken({ directoryId, ...tokens }, testCaller)],
]
for (const [name, call] of calls) {
  test(`${name} rejects an unknown directory`, async () => {
    await using pulled = await openPulled()
    await assert.rejects(call(pulled.authorization, 'nobody'), { code: 'directory-not-found' })
  })

  test(`${name} rejects a directory of another type`, async () => {
    await using pulled = await openPulled()
    const { id } = await pulled.create({ type: 'okta-scim-v2' })
    await assert.rejects(call(pulled.authorization, id), { code: 'invalid-input', message: /its type is not extdir/ })
  })

  test(`${name} rejects a directory with a service account, which takes precedence over tokens`, async () => {
    await using pulled = await openPulled()
    const account = { extdir_service_account: keyFile, extdir_subject: 'admin@acme.example' }
    const { id } = await pulled.create(account)
    await assert.rejects(call(pulled.authorization, id), { code: 'invalid-input', message: /service account/ })
  })
}

test('a consent is reported when it connects the directory, which may be when it is approved', async () => {
  await using pulled = await openPulled()
  const { authorization, accounts, connected } = pulled
  const directory = await pulled.create()
  const complete = async () => {
    const state = await begin(pulled, directory)
    return (await authorization.completeAuthorization({ code, state }, testCaller, browser)).outcome
  }
  assert.equal(await complete(), 'connected')
  assert.deepEqual(connected, [directory.id])
  accounts.consenting = { workspace: 'C0other', domains: ['other.example'] }
  assert.equal(await complete(), 'pending')
  assert.deepEqual(connected, [directory.id])
  await authorization.approveConnection(directory.id, testCaller)
  assert.deepEqual(connected, [directory.id, directory.id])
})

test('without an OAuth client, no authorization can start', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  const state = await begin(pulled, directory)
  const { unconfigured } = pulled
  for (const call of [
    unconfigured.generateAuthorizationUrl({ directoryId: directory.id }),
    unconfigured.authorizationLink(directory.id),
    unconfigured.authorizationUrlFor({ token: 'any' }),
    unconfigured.getAccessToken({ directoryId: directory.id, code }),
    unconfigured.completeAuthorization({ state, code }, testCaller, browser),
  ]) {
    await assert.rejects(call, { code: 'not-configured', message: /DSYNC_EXTDIR_CLIENT_ID/ })
  }
})

test('a directory deleted during the consent is not found', async () => {
  await using pulled = await openPulled()
  const directory = await pulled.create()
  const state = await begin(pulled, directory)
  await pulled.directories.delete(directory.id, testCaller)
  await assert.rejects(pulled.authorization.completeAuthorization({ state, code }, testCaller, browser), {
    code: 'directory-not-found',
  })
  assert.deepEqual(pulled.oauth.asked, [])
})
