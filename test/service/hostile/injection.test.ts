import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminPrefix } from '../../../src/http/admin/routes.ts'
import type { Answer } from '../../support/client.ts'
import { apiPrefix } from '../../support/client.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { pairs } from '../../support/extent.ts'
import type { Engine } from '../../support/service.ts'
import { forEachEngine, forSuite, startTestService, testApiKey } from '../../support/service.ts'
import { admin, adminSettings, logIn, rootToken } from './support/admin.ts'
import { asHeader } from './support/headers.ts'

/** Texts with a meaning in SQL, HTTP, a terminal, JSON, HTML, a template or JavaScript objects. */
const nasty = [
  ...[
    "'; drop table users; --",
    "' or '1'='1",
    '" or ""="',
    "%' or 1=1 --",
    "\\'; select 1; --",
    '$1',
    ':id',
    '?',
    '%',
    '_',
  ],
  ...["a'||(select version())||'", '1);delete from directories;--', '\\', "''", '$$;$$', 'a/*', '--'],
  ...['a\r\nSet-Cookie: a=b', 'a\nHTTP/1.1 200 OK', '\n{"level":60,"msg":"forged"}', 'a\u0085b', 'a\u2028b\u2029c'],
  ...['\u001b[2J\u001b[31mred', '\u009b31mred', '\u0007', '\b\b\b', '\u007f', '\u202egnp.exe', 'a\u200bb', '\ufeff'],
  ...['"},"admin":true,{"a":"', '\\u0000', '\\"', '{"$ne":null}', ']]', '\ud800', '\udfff\ud800', '\0', 'a\0b'],
  ...['</script><script>alert(1)</script>', '{{7*7}}', '#{7*7}', '%s%n%x', '%0d%0a', '&#10;', '../../etc/passwd'],
  ...['__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', '[object Object]', 'İ', 'ﬀ', 'x'.repeat(150)],
]

/** Not allowed in a line: control characters, line separators and bidirectional controls. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

async function openWorld(engine: Engine) {
  const service = await startTestService(engine, { ...adminSettings, LOG_LEVEL: 'debug' })
  const directory = await service.createDirectory()
  const { bearer } = await logIn(service)
  return {
    ...{ service, directory, bearer },
    /** Names an attempt in the message of a failed assertion. */
    refusedOr(response: Answer, allowed: readonly number[], what: string): boolean {
      assert([...allowed, 400, 403, 404].includes(response.status), `${what}: ${response.status} ${response.text}`)
      return allowed.includes(response.status)
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

const name = (text: string) => JSON.stringify(text).slice(0, 60)
const coded = (text: string) => encodeURIComponent(text.toWellFormed())

/** The exported audit trail. */
async function exported({ service, bearer }: Awaited<ReturnType<typeof openWorld>>): Promise<string> {
  const { status, text } = await service.request('GET', `${adminPrefix}/event/export`, {
    headers: { authorization: bearer },
  })
  assert.equal(status, 200)
  return text
}

forEachEngine((engine) => {
  const world = forSuite(() => openWorld(engine))

  test('an email address at a login is stored unchanged or rejected', async () => {
    const { service, refusedOr } = world()
    const logInAs = async (email: string) => {
      const body = { claims: { upstreamToken: rootToken, email } }
      const response = await admin(service, `token=${rootToken}`, 'POST', '/user/_login', body)
      if (!refusedOr(response, [200], name(email))) return
      const { user, token } = JSON.parse(response.text) as { user: { email: string }; token: string }
      const me = await admin(service, `Bearer ${token}`, 'GET', '/user/me')
      assert.deepEqual([user.email, me.body.data.email], [email, email])
      assert(!unprintable.test(email), name(email))
    }
    await Promise.all(nasty.flatMap((text) => [text, `${text}@example.com`]).map(logInAs))
  })

  test('the name and scope of a key are stored unchanged or rejected', async () => {
    const { service, bearer, refusedOr } = world()
    for (const text of nasty) {
      for (const body of [{ name: text }, { name: 'a', scope: { tenant: text, product: text } }]) {
        const response = await admin(service, bearer, 'POST', '/apikey', body)
        if (!refusedOr(response, [201], name(text))) continue
        const { id } = response.body.data
        const listed = (await admin(service, bearer, 'GET', '/apikey?pageLimit=1000')).body.data.find(
          (key) => key.id === id,
        )
        const { name: named = '', scope } = { ...listed } as { name?: string; scope?: Record<string, unknown> }
        const expected = { tenant: null, product: null, readOnly: false, ...('scope' in body ? body.scope : {}) }
        assert.deepEqual([named, scope], [body.name, expected])
      }
    }
  })

  test('the names of a directory are stored unchanged or rejected', async () => {
    const { service, refusedOr } = world()
    const fields = ['name', 'tenant', 'product', 'webhook_secret', 'webhook_url'] as const
    for (const [text, field] of pairs(nasty, fields)) {
      const url = field === 'webhook_secret' ? { webhook_url: 'http://127.0.0.1:9/' } : {}
      const value = field === 'webhook_url' ? `http://127.0.0.1:9/${text}` : text
      const response = await service.api('POST', '', { tenant: 'acme', product: 'nasty', ...url, [field]: value })
      if (!refusedOr(response, [201], `${field} ${name(text)}`)) continue
      const { body } = await service.api('GET', `/${response.body.data.id}`)
      const { webhook, ...read } = body.data
      const found = { ...read, webhook_secret: webhook.secret, webhook_url: webhook.endpoint }[field]
      assert.equal(found, value)
      if (field !== 'tenant' && field !== 'product') continue
      const scope = `?tenant=${coded(read.tenant)}&product=${coded(read.product)}`
      const listed = (await service.api('GET', scope)).body.data.map(({ id }) => id)
      assert(listed.includes(read.id), `${field} ${name(text)}`)
    }
  })

  test('a time zone exists or is rejected', async () => {
    const { service, bearer, refusedOr } = world()
    for (const timezone of nasty) {
      assert(!refusedOr(await admin(service, bearer, 'PUT', '/user/me', { timezone }), [200], name(timezone)))
    }
  })

  test('an id in a URL finds the resource with exactly that id, or nothing', async () => {
    const { service, directory, bearer } = world()
    type Call = (id: string) => Promise<Answer>
    const scope = `?directoryId=${directory.id}`
    const calls: readonly Call[] = [
      ...['', '/delivery', '/sync-runs'].map(
        (rest): Call =>
          (id) =>
            service.api('GET', `/${id}${rest}`),
      ),
      (id) => service.api('GET', `/${id}/sync-runs/${id}`),
      ...['users', 'groups', 'events'].map(
        (kind): Call =>
          (id) =>
            service.api('GET', `/${kind}/${id}${scope}`),
      ),
      ...['apikey', 'token'].map(
        (kind): Call =>
          (id) =>
            admin(service, bearer, 'DELETE', `/${kind}/${id}`),
      ),
      ...['GET', 'DELETE'].map(
        (method): Call =>
          (id) =>
            service.scim(directory, method, `/Users/${id}`),
      ),
      (id) => service.request('GET', `/api/scim/v2.0/${id}/Users`, { headers: { authorization: bearer } }),
      (id) => service.api('DELETE', `/${id}`),
    ]
    for (const [text, call] of pairs(nasty, calls)) {
      const { status, text: said } = await call(coded(text))
      assert([400, 401, 404].includes(status), `${name(text)} ${status} ${said}`)
    }
    assert.equal((await service.api('GET', `/${directory.id}`)).status, 200)
  })

  test('a query value is taken literally', async () => {
    const { service, directory, bearer } = world()
    await service.scim(directory, 'POST', '/Users', { userName: 'somebody' })
    type Call = (value: string, text: string) => Promise<Answer>
    const own = `directoryId=${directory.id}`
    const calls: readonly Call[] = [
      ...['tenant', 'product', 'directoryId', `${own}&pageToken`, `${own}&pageOffset`, `${own}&pageLimit`].map(
        (field): Call =>
          (value) =>
            service.api('GET', `/users?${field}=${value}`),
      ),
      (value) => service.api('GET', `/users?tenant=${value}&product=${value}`),
      (value) => service.api('GET', `/feed?${own}&after=${value}`),
      ...['action', 'actor_kind', 'from', 'to', 'pageToken'].map(
        (field): Call =>
          (value) =>
            admin(service, bearer, 'GET', `/event?${field}=${value}`),
      ),
      ...['actor_id', 'target_id', 'tenant', 'product'].map(
        (field): Call =>
          (value) =>
            admin(service, bearer, 'GET', `/event?${field}=${value}&action=directory.deleted`),
      ),
      ...['filter', 'sortBy', 'attributes', 'cursor'].map(
        (field): Call =>
          (value) =>
            service.scim(directory, 'GET', `/Users?${field}=${value}&count=0`),
      ),
      (_, text) => service.scim(directory, 'GET', `/Users?filter=${coded(`userName eq ${JSON.stringify(text)}`)}`),
    ]
    for (const [text, call] of pairs(nasty, calls)) {
      const { status, body, text: said } = await call(coded(text), text)
      assert([200, 400, 404].includes(status), `${name(text)} ${status} ${said}`)
      const found = Array.isArray(body.data) ? body.data : (body.Resources ?? [])
      assert.deepEqual(found, [], `${name(text)} ${said.slice(0, 200)}`)
    }
  })

  test('header values are not interpreted as anything else', async () => {
    const { service, directory, bearer } = world()
    const together = [
      ...['user-agent', 'referer', 'origin', 'x-request-id', 'x-forwarded-for', 'x-forwarded-host', 'traceparent'],
      ...['x-forwarded-proto', 'forwarded', 'if-match', 'if-none-match', 'last-event-id', 'cookie', 'request-id'],
      ...['x-http-method-override'],
    ]
    for (const [text, names] of pairs(nasty, [together, ['accept'], ['accept-version'], ['content-type'], ['host']])) {
      const value = asHeader(text)
      const headers = Object.fromEntries(names.map((header) => [header, value]))
      const responses = await Promise.all([
        service.api('GET', '/providers', undefined, headers),
        service.request('POST', `${adminPrefix}/apikey`, {
          headers: { authorization: bearer, 'content-type': 'application/json', ...headers },
          body: '{"name":"by a nasty header"}',
        }),
        service.scim(directory, 'GET', '/Users', undefined, headers),
      ])
      for (const response of responses) {
        assert(response.status < 500, `${names.join()} ${name(text)} ${response.text}`)
        const said = JSON.stringify({ ...response.headers, date: '' })
        assert(
          value.length < 4 || !said.includes(value) || /^[\w-]+$/.test(value),
          `${names.join()} comes back: ${said}`,
        )
      }
    }
  })

  test('a streamed event is exactly one event', async () => {
    const { service } = world()
    const directory = await service.createDirectory({ tenant: 'streamed' })
    const userNames = nasty.filter((text) => !text.includes('\0') && text.isWellFormed())
    for (const userName of userNames) await service.scim(directory, 'POST', '/Users', { userName, title: userName })
    const url = `${service.origin}${apiPrefix}/feed?directoryId=${directory.id}`
    await using stream = await openEventStream(url, { authorization: `Api-Key ${testApiKey}` })
    const { body } = await service.scim(directory, 'GET', '/Users?count=1000')
    const events = await stream.first(body.totalResults)
    const titles = events.map(({ data }) => (data as unknown as { data: { raw: { title: string } } }).data.raw.title)
    assert.deepEqual(
      titles,
      body.Resources.map((user) => (user as unknown as { title: string }).title),
    )
    assert(titles.length > userNames.length - 10)
  })

  test('afterwards the audit trail has one entry per line, no control characters and an intact chain', async () => {
    const { service, bearer } = world()
    const text = await exported(world())
    const lines = text.trimEnd().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as { sequence: number; action: string })
    assert.deepEqual(
      entries.map(({ sequence }) => sequence),
      entries.map((_, index) => index + 1),
    )
    assert(entries.length > 200, String(entries.length))
    assert(!lines.some((line) => /\p{Cc}/u.test(line)))
    const { body } = await admin(service, bearer, 'GET', '/event/verify')
    assert.equal((body.data as unknown as { ok: boolean }).ok, true)
  })

  test('afterwards the log has one object per line and no forged lines', () => {
    const { service } = world()
    assert(service.log.length > 500, String(service.log.length))
    const strange = service.log.filter(({ err: _, ...line }) => unprintable.test(JSON.stringify(line)))
    assert.deepEqual(strange, [])
    const forged = service.log.filter(({ msg }) => msg === 'forged')
    assert.deepEqual(forged, [])
    assert.deepEqual(
      service.log.filter(({ level }) => Number(level) >= 50),
      [],
    )
  })
})
