import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FakeIssuer } from '../../../tools/fake-issuer/issuer.ts'
import { startFakeIssuer } from '../../../tools/fake-issuer/issuer.ts'
import { openTestDatabase } from '../../support/database.ts'
import type { TestService, TestSettings } from '../../support/service.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'

const root = 'root-token-of-a-test-0123456789abcdef'

const settingsFor = ({ issuer, clientId, clientSecret }: FakeIssuer, admins = '@example.com'): TestSettings => ({
  ADMIN_ROOT_TOKEN: root,
  CONSOLE_OIDC_ISSUER: issuer,
  CONSOLE_OIDC_CLIENT_ID: clientId,
  CONSOLE_OIDC_CLIENT_SECRET: clientSecret,
  CONSOLE_OIDC_ADMINS: admins,
})

let browsers = 0

/**
 * What a browser does in a sign-in: it keeps cookies of the service, and follows redirects one by one. Behind a trusted
 * proxy, each has an address of its own.
 */
function openBrowser(service: TestService) {
  const cookies = new Map<string, string>()
  browsers += 1
  const own = `192.0.2.${browsers}`

  async function request(method: string, url: string, headers: Readonly<Record<string, string>> = {}) {
    const address = new URL(url, service.origin)
    const isService = address.origin === new URL(service.baseUrl).origin || address.origin === service.origin
    if (isService) address.host = new URL(service.origin).host
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(address, {
      method,
      redirect: 'manual',
      headers: isService ? { ...headers, cookie, 'x-forwarded-for': own, 'sec-fetch-site': 'same-origin' } : {},
    })
    for (const text of isService ? answer.headers.getSetCookie() : []) {
      const [, name = '', value = '', age] = /^([^=]+)=([^;]*);.*Max-Age=(\d+)/.exec(text) ?? []
      if (age === '0') cookies.delete(name)
      else cookies.set(name, value)
    }
    return { status: answer.status, location: answer.headers.get('location') ?? '', answer }
  }

  return {
    cookies,
    request,
    /** Goes to the identity provider; returns the address to which it sends the browser back. */
    async callback(): Promise<string> {
      const { location } = await request('GET', '/console/oidc/login')
      return (await request('GET', location)).location
    },
    /** Signs in; returns the address at the end. */
    async signIn(): Promise<URL> {
      return new URL((await request('GET', await this.callback())).location)
    },
    async session(): Promise<Readonly<Record<string, unknown>> | null> {
      const { answer } = await request('GET', '/console/session')
      return ((await answer.json()) as { data: Readonly<Record<string, unknown>> | null }).data
    },
  }
}

/** Why the sign-in page says that nobody was signed in. */
async function refusedOf(service: TestService): Promise<string | null> {
  const browser = openBrowser(service)
  const { searchParams } = await browser.signIn()
  assert.equal(await browser.session(), null)
  return searchParams.get('refused')
}

interface Entry {
  readonly action: string
  readonly actor: { readonly name: string | null }
  readonly changes: Readonly<Record<string, { readonly to: unknown }>>
}

async function auditOf(service: TestService, action: string): Promise<readonly Entry[]> {
  const headers = { authorization: `token=${root}` }
  const body = { claims: { upstreamToken: root, email: 'auditor@example.org' } }
  const login = await service.request('POST', '/auditlog/admin/v1/user/_login', { body, headers })
  const { token } = login.body as unknown as { token: string }
  const answer = await service.request('GET', `/auditlog/admin/v1/event?action=${action}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return (answer.body as unknown as { data: readonly Entry[] }).data
}

forEachEngine((engine) => {
  test(`${engine}: an administrator signs in with the identity provider, is named in the audit trail, and signs out there as well`, async () => {
    await using issuer = await startFakeIssuer()
    await using service = await startTestService(engine, settingsFor(issuer))
    const browser = openBrowser(service)
    assert.deepEqual((await service.request('GET', '/console/oidc')).body.data, { host: new URL(issuer.issuer).host })
    assert.equal((await browser.signIn()).href, `${service.baseUrl}/console`)
    const session = await browser.session()
    assert.deepEqual([session?.['kind'], session?.['name']], ['admin', 'ada@example.com'])
    assert.equal((await browser.request('GET', '/auditlog/admin/v1/user/me')).status, 200)
    const [entry] = await auditOf(service, 'admin.login').then((found) => found.slice(-1))
    assert.deepEqual(
      [entry?.actor.name, entry?.changes],
      ['ada@example.com', { identity_provider: { from: null, to: issuer.issuer } }],
    )
    const { answer } = await browser.request('DELETE', '/console/session')
    const { data } = (await answer.json()) as { data: { sign_out_url: string } }
    await browser.request('GET', data.sign_out_url)
    const [query] = issuer.signOuts
    assert.equal(query?.get('post_logout_redirect_uri'), `${service.baseUrl}/console`)
    assert.match(query?.get('id_token_hint') ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/)
    assert.deepEqual([await browser.session(), browser.cookies.size], [null, 0])
  })

  test(`${engine}: a session ends with the setting that admitted its person, and with the identity provider`, async () => {
    await using issuer = await startFakeIssuer()
    await using database = await openTestDatabase(engine)
    const first = await startTestService(database, settingsFor(issuer, 'ada@example.com,@example.org'))
    const browser = openBrowser(first)
    await browser.signIn()
    await first.close()
    const withSettings = async (settings: TestSettings) => {
      await using service = await startTestService(database, settings)
      const { cookies, session } = openBrowser(service)
      for (const [name, value] of browser.cookies) cookies.set(name, value)
      return (await session())?.['name']
    }
    assert.equal(await withSettings(settingsFor(issuer, '@example.org,ada@example.com')), 'ada@example.com')
    assert.equal(await withSettings(settingsFor(issuer, '@example.org')), undefined)
    assert.equal(await withSettings({ ADMIN_ROOT_TOKEN: root }), undefined)
    assert.equal(
      await withSettings({ ...settingsFor(issuer, 'ada@example.com'), CONSOLE_OIDC_CLIENT_ID: 'b' }),
      undefined,
    )
  })
})

describe('who signs in', () => {
  const issuer = forSuite(() => startFakeIssuer())
  const admins = 'Ada@Example.com,@corp.example.com,groups=Platform admins,level=7,__proto__=x'
  const open = forSuite(() => startTestService('sqlite', { ...settingsFor(issuer(), admins), TRUST_PROXY: '1' }))
  const { person } = { person: { email: 'bob@example.org', email_verified: true } }

  for (const [what, claims] of [
    ['an address in another letter case', { ...person, email: 'ADA@example.COM' }],
    ['a domain', { ...person, email: 'bob@corp.EXAMPLE.com' }],
    ['one of several groups', { ...person, groups: ['Sales', 'Platform admins'] }],
    ['a number', { ...person, level: 7 }],
    ['an address without a statement about its verification', { email: 'ada@example.com' }],
    ['an address that is verified, as a text', { email: 'ada@example.com', email_verified: 'true' }],
  ] as const) {
    test(`${what} admits`, async () => {
      issuer().knobs.person = claims
      const browser = openBrowser(open())
      await browser.signIn()
      assert.equal((await browser.session())?.['kind'], 'admin')
    })
  }

  for (const [what, claims, refused] of [
    ['another address', person, 'not-admin'],
    ['an address that ends like another', { ...person, email: 'xada@example.com' }, 'not-admin'],
    ['a subdomain', { ...person, email: 'bob@sub.corp.example.com' }, 'not-admin'],
    ['a group that begins like another', { ...person, groups: ['Platform admins 2'] }, 'not-admin'],
    ['a list within a list', { ...person, groups: [['Platform admins']] }, 'not-admin'],
    ['no address', { groups: ['Platform admins'] }, 'not-admin'],
    [
      'an address with a line break',
      { ...person, email: 'ada@example.com\n', groups: ['Platform admins'] },
      'not-admin',
    ],
    ['an unverified address', { email: 'ada@example.com', email_verified: false }, 'unverified'],
    ['an address that is unverified, as a text', { email: 'ada@example.com', email_verified: 'false' }, 'unverified'],
    [
      'an unverified address in a group',
      { ...person, email_verified: false, groups: ['Platform admins'] },
      'unverified',
    ],
  ] as const) {
    test(`${what} is refused`, async () => {
      const service = open()
      issuer().knobs.person = claims
      assert.equal(await refusedOf(service), refused)
      const [entry] = await auditOf(service, 'admin.login_failed')
      assert.equal(entry?.changes['reason']?.to, `identity provider: ${refused}`)
      const isNamed = 'email' in claims && !claims.email.includes('\n')
      assert.equal(entry.actor.name, isNamed ? claims.email : null)
      assert.ok(
        service.log.every((line) => !JSON.stringify(line).includes('example.com')),
        'the log names nobody',
      )
    })
  }

  test('claims that only the UserInfo endpoint has admit as well', async () => {
    Object.assign(issuer().knobs, { person: {}, userInfo: { email: 'bob@example.org', groups: 'Platform admins' } })
    const browser = openBrowser(open())
    await browser.signIn()
    assert.equal((await browser.session())?.['name'], 'bob@example.org')
  })

  test('the scope of a claim is requested where the identity provider has one', async () => {
    const { location } = await openBrowser(open()).request('GET', '/console/oidc/login')
    const query = new URL(location).searchParams
    assert.equal(query.get('scope'), 'openid email groups')
    assert.deepEqual([query.get('code_challenge_method'), query.get('response_type')], ['S256', 'code'])
    assert.ok([query.get('nonce'), query.get('code_challenge')].every((text) => text?.length === 43))
  })
})

describe('responses of the identity provider', () => {
  const shared = forSuite(() => startFakeIssuer())
  const open = forSuite(() => startTestService('sqlite', { ...settingsFor(shared()), TRUST_PROXY: '1' }))
  const now = Math.floor(Date.now() / 1000)

  for (const [what, knobs] of [
    ['another nonce', { changes: { nonce: 'another' } }],
    ['no nonce', { changes: { nonce: undefined } }],
    ['another audience', { changes: { aud: 'another-client' } }],
    ['another party of several audiences', { changes: { aud: ['rollcall-console', 'b'], azp: 'b' } }],
    ['another issuer', { changes: { iss: 'https://evil.example' } }],
    ['a lifetime that is over', { changes: { iat: now - 600, exp: now - 300 } }],
    ['no end of its lifetime', { changes: { exp: undefined } }],
    ['no subject', { changes: { sub: undefined } }],
    ['no signature', { signature: 'none' }],
    ['the signature of another key', { signature: 'foreign' }],
  ] as const) {
    test(`an ID token with ${what} is rejected, and only the log says why`, async () => {
      const service = open()
      Object.assign(shared().knobs, { changes: {}, signature: 'right', ...knobs })
      assert.equal(await refusedOf(service), 'rejected')
      const line = service.log.findLast(({ msg }) => msg === 'a sign-in failed') ?? assert.fail('nothing was logged')
      assert.ok(typeof line['requestId'] === 'string' && String(line['reason']).length > 10, JSON.stringify(line))
      const [entry] = await auditOf(service, 'admin.login_failed')
      assert.equal(entry?.changes['reason']?.to, 'identity provider: rejected')
    })
  }

  test('clocks may differ by some seconds', async () => {
    await using issuer = await startFakeIssuer()
    await using service = await startTestService('sqlite', settingsFor(issuer))
    issuer.knobs.changes = { iat: now - 300, exp: Math.floor(Date.now() / 1000) - 5 }
    const browser = openBrowser(service)
    await browser.signIn()
    assert.equal((await browser.session())?.['kind'], 'admin')
  })

  test('whoever cancels is told that they are not signed in', async () => {
    await using issuer = await startFakeIssuer()
    await using service = await startTestService('sqlite', settingsFor(issuer))
    issuer.knobs.refusal = 'access_denied'
    assert.equal(await refusedOf(service), 'denied')
  })

  test('a wrong client secret is in the log', async () => {
    await using issuer = await startFakeIssuer()
    const settings = { ...settingsFor(issuer), CONSOLE_OIDC_CLIENT_SECRET: 'wrong-secret-of-the-client' }
    await using service = await startTestService('sqlite', settings)
    assert.equal(await refusedOf(service), 'rejected')
    const line = await service.logged(({ msg }) => msg === 'a sign-in failed')
    assert.match(String(line['reason']), /invalid_client/)
    assert.ok(service.log.every((one) => !JSON.stringify(one).includes('wrong-secret')))
  })

  test('an identity provider that is down stops neither the start nor the root token, and is asked again', async () => {
    await using issuer = await startFakeIssuer()
    issuer.knobs.isDown = true
    await using service = await startTestService('sqlite', settingsFor(issuer))
    const browser = openBrowser(service)
    const failed = new URL((await browser.request('GET', '/console/oidc/login')).location)
    assert.equal(failed.searchParams.get('refused'), 'unreachable')
    assert.match(failed.searchParams.get('id') ?? '', /^[\w-]{36}$/)
    const body = { email: 'ada@example.com', root_token: root }
    const headers = { origin: service.origin }
    assert.equal((await service.request('POST', '/console/session', { body, headers })).status, 201)
    issuer.knobs.isDown = false
    await browser.signIn()
    assert.equal((await browser.session())?.['kind'], 'admin')
    const callback = await browser.callback()
    issuer.knobs.isDown = true
    const { location } = await browser.request('GET', callback)
    assert.equal(new URL(location).searchParams.get('refused'), 'unreachable')
  })

  test('a sign-out ends the session here even if the identity provider has no address for it', async () => {
    await using issuer = await startFakeIssuer({ metadata: { end_session_endpoint: undefined } })
    await using service = await startTestService('sqlite', settingsFor(issuer))
    const browser = openBrowser(service)
    await browser.signIn()
    const { answer } = await browser.request('DELETE', '/console/session')
    assert.deepEqual(((await answer.json()) as { data: object }).data, {})
    assert.equal(await browser.session(), null)
  })
})

describe('the browser of an attempt', () => {
  const issuer = forSuite(() => startFakeIssuer())
  const open = forSuite(() => startTestService('sqlite', { ...settingsFor(issuer()), TRUST_PROXY: '1' }))
  const refusedAt = async (browser: ReturnType<typeof openBrowser>, url: string) =>
    new URL((await browser.request('GET', url)).location).searchParams.get('refused')

  test('another browser cannot complete an attempt', async () => {
    const callback = await openBrowser(open()).callback()
    const other = openBrowser(open())
    assert.equal(await refusedAt(other, callback), 'expired')
    await other.callback()
    const requests = issuer().requests['/tenant/token']
    assert.equal(await refusedAt(other, callback), 'expired')
    assert.equal(issuer().requests['/tenant/token'], requests, 'the code is not redeemed')
  })

  for (const [what, change] of [
    ['a state with a later end', (state: string) => state.replace(/^\d/, (digit) => String(Number(digit) + 1))],
    ['a state without signature', (state: string) => state.replace(/\.[^.]*$/, '')],
    ['no state', () => ''],
  ] as const) {
    test(`${what} belongs to no attempt`, async () => {
      const browser = openBrowser(open())
      const url = new URL(await browser.callback())
      url.searchParams.set('state', change(url.searchParams.get('state') ?? ''))
      assert.equal(await refusedAt(browser, url.href), 'expired')
    })
  }

  test('a code is redeemed once', async () => {
    const browser = openBrowser(open())
    const callback = await browser.callback()
    const cookies = [...browser.cookies]
    assert.equal(await refusedAt(browser, callback), null)
    browser.cookies.clear()
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    assert.equal(await refusedAt(browser, callback), 'expired')
    assert.equal(await browser.session(), null)
  })

  test('attempts in two tabs do not disturb each other', async () => {
    const browser = openBrowser(open())
    const callbacks = [await browser.callback(), await browser.callback()]
    assert.notEqual(callbacks[0], callbacks[1])
    assert.equal(await refusedAt(browser, callbacks[0] ?? ''), null)
  })

  test('failed attempts are limited for each address', async () => {
    await using service = await startTestService('sqlite', settingsFor(issuer()))
    const refused: (string | null)[] = []
    for (let attempt = 0; attempt < 11; attempt++)
      refused.push(await refusedAt(openBrowser(service), '/console/oidc/callback?state=x'))
    assert.deepEqual(refused, [...Array(10).fill('expired'), 'too-many'])
    const browser = openBrowser(service)
    await browser.signIn()
    assert.equal((await browser.session())?.['kind'], 'admin')
  })
})

test('over https and below a path, the redirect URI and the cookies are for the path only', async () => {
  await using issuer = await startFakeIssuer()
  const settings = { ...settingsFor(issuer), EXTERNAL_URL: 'https://sync.example.com/sync' }
  await using service = await startTestService('sqlite', settings)
  const browser = openBrowser(service)
  const { location, answer } = await browser.request('GET', '/sync/console/oidc/login')
  assert.equal(
    new URL(location).searchParams.get('redirect_uri'),
    'https://sync.example.com/sync/console/oidc/callback',
  )
  assert.match(
    String(answer.headers.getSetCookie()),
    /^__Secure-rollcall-sign-in=[\w-]{43}; Path=\/sync; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  )
  const { search } = new URL((await browser.request('GET', location)).location)
  const done = await browser.request('GET', `/sync/console/oidc/callback${search}`)
  assert.equal(done.location, 'https://sync.example.com/sync/console')
  assert.match(
    done.answer.headers.getSetCookie().find((cookie) => cookie.includes('rollcall-session')) ?? '',
    /^__Secure-rollcall-session=[\w-]{43}; Path=\/sync; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
  )
  assert.equal((await browser.request('GET', '/sync/auditlog/admin/v1/user/me')).status, 200)
})

test('without an identity provider, there is no button, and its routes are pages of the console', async () => {
  await using service = await startTestService('sqlite')
  assert.deepEqual((await service.request('GET', '/console/oidc')).body.data, { host: null })
  const answer = await service.request('GET', '/console/oidc/callback?state=a&code=b')
  assert.match(String(answer.headers['content-type']), /text\/(html|plain)/)
  assert.equal(answer.headers['set-cookie'], undefined)
})
