import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer } from '../../support/client.ts'
import { authorizationPath, cookieOf } from '../../support/client.ts'
import type { OAuthServer } from '../../support/oauth-server.ts'
import { startOAuthServer, wholeGrant } from '../../support/oauth-server.ts'
import { assertPage } from '../../support/page.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'

const authorizePath = '/api/scim/oauth/authorize'
const callbackPath = '/api/scim/oauth/callback'
const code = '4/0A-code/with+slashes'

interface Opened extends AsyncDisposable {
  readonly service: TestService
  readonly google: OAuthServer
}

async function open(engine: 'sqlite' | 'postgres', settings: Record<string, string> = {}): Promise<Opened> {
  const google = await startOAuthServer()
  const service = await startTestService(engine, { ...google.settings, ...settings })
  return {
    service,
    google,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await google[Symbol.asyncDispose]()
    },
  }
}

/** The cookie of the browser, of which these tests have only one. */
let kept = { cookie: '' }

/** Opens the authorization URL of a directory like a browser; returns the parameters of the redirect to Google. */
async function begin(service: TestService, directory: DirectoryView) {
  const answer = await service.request('GET', authorizationPath(await read(service, directory)), { headers: kept })
  assert.equal(answer.status, 302, answer.text)
  kept = cookieOf(answer)
  const location = new URL(String(answer.headers['location']))
  return { answer, location, state: location.searchParams.get('state') ?? '' }
}

/** Calls the redirect URI, to which Google leads the browser. */
function comeBack({ request }: TestService, query: Readonly<Record<string, string>>, headers = kept): Promise<Answer> {
  return request('GET', `${callbackPath}?${new URLSearchParams(query)}`, { headers })
}

async function read({ api }: TestService, { id }: DirectoryView): Promise<DirectoryView> {
  return (await api('GET', `/${id}`)).body.data
}

/** A directory without its authorization URL, which changes with time and with each consent. */
function withoutUrl({ extdir_authorization_url: _, ...directory }: DirectoryView) {
  return directory
}

forEachEngine((engine) => {
  const opened = forSuite(() => open(engine))
  const create = (fields: object = {}) => opened().service.createDirectory({ type: 'extdir', ...fields })

  test('an administrator is redirected to Google with all parameters of the consent request', async () => {
    const { service, google } = opened()
    const { location, state, answer: response } = await begin(service, await create({ extdir_domain: 'Acme.Example' }))
    assert.equal(`${location.origin}${location.pathname}`, google.settings['DSYNC_EXTDIR_AUTH_URL'])
    const { code_challenge: challenge, ...query } = Object.fromEntries(location.searchParams)
    assert.match(challenge ?? '', /^[\w-]{43}$/)
    assert.deepEqual(query, {
      client_id: 'client-1',
      redirect_uri: `${service.baseUrl}${callbackPath}`,
      response_type: 'code',
      scope: wholeGrant.scope,
      access_type: 'offline',
      prompt: 'consent',
      state,
      code_challenge_method: 'S256',
      hd: 'acme.example',
    })
    assert.equal(response.headers['referrer-policy'], 'no-referrer')
    assert.equal(response.headers['cache-control'], 'no-store')
  })

  test('the callback connects the directory, and the page says so', async () => {
    const { service } = opened()
    const directory = await create()
    assert.equal(directory.extdir_authorization_status, 'none')
    const { state } = await begin(service, directory)
    assertPage(
      await comeBack(service, { state, code, scope: wholeGrant.scope }),
      200,
      /Connected with Google Workspace/,
    )
    const connected = await read(service, directory)
    assert.deepEqual(withoutUrl(connected), {
      ...withoutUrl(directory),
      extdir_access_token: wholeGrant.access_token,
      extdir_refresh_token: wholeGrant.refresh_token,
      extdir_authorization_status: 'authorized',
    })
  })

  test('a consent in another browser than the one that began is rejected, and the first browser can still consent', async () => {
    const { service, google } = opened()
    const directory = await create()
    const { state } = await begin(service, directory)
    const asked = google.forms.length
    const another = cookieOf(await service.request('GET', authorizationPath(await create())))
    assert.notDeepEqual(another, kept)
    for (const headers of [another, { cookie: '' }, { cookie: `${kept.cookie}x` }]) {
      assertPage(await comeBack(service, { state, code }, headers), 403, /started in another browser/)
    }
    assert.equal(google.forms.length, asked)
    assert.equal((await read(service, directory)).extdir_authorization_status, 'none')
    assertPage(await comeBack(service, { state, code }), 200, /Connected/)
  })

  test('a browser can begin twice and complete either', async () => {
    const { service } = opened()
    const [one, other] = [await create(), await create()]
    const [first, second] = [await begin(service, one), await begin(service, other)]
    assert.match(
      String(first.answer.headers['set-cookie']),
      /^rollcall-consent=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    for (const { state } of [first, second]) assertPage(await comeBack(service, { state, code }), 200, /Connected/)
  })

  test('the code is sent to Google unchanged, with the verifier of the challenge', async () => {
    const { service, google } = opened()
    const { location, state } = await begin(service, await create())
    await comeBack(service, { state, code })
    const { code_verifier: verifier = '', ...form } = Object.fromEntries(google.forms.at(-1) ?? [])
    assert.equal(hash('sha256', verifier, 'base64url'), location.searchParams.get('code_challenge'))
    assert.deepEqual(form, {
      grant_type: 'authorization_code',
      client_id: 'client-1',
      client_secret: 'secret-of-client-1',
      redirect_uri: `${service.baseUrl}${callbackPath}`,
      code,
    })
  })

  test('the page contains no token, code or state', async () => {
    const { service } = opened()
    const { state } = await begin(service, await create())
    const { text } = await comeBack(service, { state, code })
    for (const secret of [wholeGrant.access_token, wholeGrant.refresh_token, code, state]) {
      assert(!text.includes(secret))
    }
  })

  test('the name of a directory is escaped in the page', async () => {
    const { service } = opened()
    const { state } = await begin(service, await create({ name: `<img src=x onerror="alert('1')"> & <b>` }))
    const { text } = await comeBack(service, { state, code })
    assert(text.includes('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; &lt;b&gt;'), text)
    assert(!text.includes('<img') && !text.includes('<b>'))
  })

  test('a used state is rejected, and the directory does not change', async () => {
    const { service, google } = opened()
    const directory = await create()
    const { state } = await begin(service, directory)
    await comeBack(service, { state, code })
    const asked = google.forms.length
    assertPage(await comeBack(service, { state, code: 'another' }), 400, /This link has already been used/)
    assert.equal(google.forms.length, asked)
  })

  test('of two concurrent callbacks with one state, only one succeeds', async () => {
    const { service } = opened()
    const { state } = await begin(service, await create())
    const responses = await Promise.all([1, 2, 3].map(() => comeBack(service, { state, code })))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400, 400])
  })

  for (const [because, alter] of [
    ['it is made up', () => 'forged'],
    ['its end is missing', (state) => state.slice(0, -5)],
    ['a letter of it was changed', (state) => state.replace(/.(?=.{40}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))],
    ['it is empty', () => ''],
    ['it is far too long', (state) => state.padEnd(5000, 'x')],
  ] as const satisfies readonly (readonly [string, (state: string) => string])[]) {
    test(`a state is rejected: ${because}`, async () => {
      const { service, google } = opened()
      const directory = await create()
      const { state } = await begin(service, directory)
      const asked = google.forms.length
      assertPage(await comeBack(service, { state: alter(state), code }), 400, /This link does not work/)
      assert.equal(google.forms.length, asked)
      assert.deepEqual(withoutUrl(await read(service, directory)), withoutUrl(directory))
    })
  }

  for (const [because, query] of [
    ['nothing', ''],
    ['no state', `?code=${code}`],
    ['two states', '?state=a&state=b&code=c'],
    ['a state that is an object of the query', '?state[a]=b&code=c'],
    ['control characters', '?state=%00%0a&code=c'],
    ['markup', '?state=%3Cscript%3Ealert(1)%3C/script%3E&code=c'],
  ] as const) {
    test(`the page of a callback with ${because} says so`, async () => {
      const response = await opened().service.request('GET', `${callbackPath}${query}`)
      assertPage(response, 400, /This link does not work/)
      assert(!response.text.includes('alert(1)'))
    })
  }

  test('the state of one directory cannot connect another', async () => {
    const { service } = opened()
    const [one, other] = [await create(), await create()]
    const { state } = await begin(service, one)
    await begin(service, other)
    assertPage(await comeBack(service, { state, code, directoryId: other.id }), 200, /Connected/)
    assert.deepEqual(withoutUrl(await read(service, other)), withoutUrl(other))
  })

  for (const [error, says] of [
    ['access_denied', /Access was denied/],
    ['admin_policy_enforced', /A policy of your Google Workspace blocks this app/],
    ['org_internal', /limited to the organization that owns it/],
    ['<script>alert(1)</script>', /an unknown error/],
  ] as const) {
    test(`the page of a callback with the error ${error} says so`, async () => {
      const { service } = opened()
      const directory = await create()
      const { state } = await begin(service, directory)
      assertPage(await comeBack(service, { state, error }), 400, says)
      assert.deepEqual(withoutUrl(await read(service, directory)), withoutUrl(directory))
    })
  }

  test('the page says that a scope was not granted, and nothing is stored', async () => {
    const { service, google } = opened()
    const directory = await create()
    google.answer(() => ({ status: 200, body: { ...wholeGrant, scope: wholeGrant.scope.split(' ')[0] } }))
    const { state } = await begin(service, directory)
    const response = await comeBack(service, { state, code })
    google.answer(() => ({ status: 200, body: wholeGrant }))
    assertPage(response, 400, /Not all access was granted/)
    assert.deepEqual(withoutUrl(await read(service, directory)), withoutUrl(directory))
  })

  test('the page says that Google rejected the code', async () => {
    const { service, google } = opened()
    google.answer(() => ({ status: 400, body: { error: 'invalid_grant', error_description: 'Bad Request' } }))
    const { state } = await begin(service, await create())
    const response = await comeBack(service, { state, code })
    google.answer(() => ({ status: 200, body: wholeGrant }))
    assertPage(response, 400, /Not connected.*invalid_grant/s)
  })

  test('a new consent replaces older tokens', async () => {
    const { service } = opened()
    const directory = await create({ extdir_access_token: 'old', extdir_refresh_token: 'older' })
    const { state } = await begin(service, directory)
    await comeBack(service, { state, code })
    const { extdir_access_token: access, extdir_refresh_token: refresh } = await read(service, directory)
    assert.deepEqual([access, refresh], [wholeGrant.access_token, wholeGrant.refresh_token])
  })

  for (const [what, query, says] of [
    ['the id of a directory', '?directoryId=nobody', /the complete authorization URL is required/],
    ['an empty token', '?token=', /the complete authorization URL is required/],
    ['two tokens', '?token=a&token=b', /the complete authorization URL is required/],
    ['a token that is made up', '?token=forged.token', /was not created by this service/],
    ['NUL', '?token=%00', /the complete authorization URL is required/],
  ] as const) {
    test(`the authorization URL rejects ${what} with a page`, async () => {
      assertPage(await opened().service.request('GET', `${authorizePath}${query}`), 400, says)
    })
  }

  test('the page says that the directory was deleted in the meantime', async () => {
    const { service } = opened()
    const directory = await create()
    const { state } = await begin(service, directory)
    await service.api('DELETE', `/${directory.id}`)
    assertPage(await comeBack(service, { state, code }), 404, /There is no such directory/)
  })

  test('an authorization survives a restart', async () => {
    await using google = await startOAuthServer()
    const settings = { ...google.settings, EXTERNAL_URL: 'https://rollcall.example.com/' }
    await using first = await startTestService(engine, settings)
    const directory = await first.createDirectory({ type: 'extdir' })
    const { state, location } = await begin(first, directory)
    assert.equal(location.searchParams.get('redirect_uri'), `https://rollcall.example.com${callbackPath}`)
    await first.close()
    await using second = await startTestService(first.database, settings)
    assertPage(await comeBack(second, { state, code }), 200, /Connected/)
  })
})

test('a state is valid for ten minutes', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_700_000_000_000 })
  await using opened = await open('sqlite')
  const { service } = opened
  const directory = await service.createDirectory({ type: 'extdir' })
  const { state } = await begin(service, directory)
  context.mock.timers.setTime(1_700_000_600_000)
  assertPage(await comeBack(service, { state, code }), 400, /This link has expired/)
  assert.equal((await read(service, directory)).extdir_authorization_status, 'none')
})

test('without an OAuth client the pages say who can fix that', async () => {
  await using service = await startTestService('sqlite')
  const directory = await service.createDirectory({ type: 'extdir' })
  for (const path of [authorizationPath(directory), `${callbackPath}?state=a&code=b`]) {
    assertPage(await service.request('GET', path), 501, /the operator must set DSYNC_EXTDIR_CLIENT_ID/)
  }
})

test('the log contains no state, code or token', async () => {
  await using opened = await open('sqlite', { LOG_LEVEL: 'trace' })
  const { service, google } = opened
  const directory = await service.createDirectory({ type: 'extdir' })
  const first = await begin(service, directory)
  await comeBack(service, { state: first.state, code })
  await comeBack(service, { state: first.state, code })
  google.answer(() => ({ status: 400, body: { error: 'invalid_grant' } }))
  const second = await begin(service, directory)
  await comeBack(service, { state: second.state, code })
  const { headers } = await comeBack(service, { state: 'forged-state', code })
  await service.logged(({ requestId }) => requestId === headers['x-request-id'])
  const text = JSON.stringify(service.log)
  const secrets = [first.state, second.state, 'forged-state', '4/0A-code', '4%2F0A', wholeGrant.access_token]
  assert.deepEqual(
    [...secrets, wholeGrant.refresh_token, 'secret-of-client-1'].filter((secret) => text.includes(secret)),
    [],
  )
  assert(text.includes(callbackPath), 'the requests are logged')
})
