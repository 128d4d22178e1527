import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'

const rootToken = 'r'.repeat(40)
const admin = '/auditlog/admin/v1'
const scope = 'tenant=acme&product=crm'

/** A request with an unknown name; `:id` is the id of the directory. `meant` is the known name in the message. */
interface UnknownName {
  readonly request: readonly [method: string, path: string, body?: object]
  readonly unknown: string
  readonly meant?: string
}

const apiCases: readonly UnknownName[] = [
  {
    request: ['POST', '', { tenant: 'acme', product: 'crm', webhookUrl: 'https://a.example' }],
    ...{ unknown: 'webhookUrl', meant: 'webhook_url' },
  },
  { request: ['POST', '', { tenant: 'acme', product: 'crm', tenent: 'x' }], unknown: 'tenent', meant: 'tenant' },
  { request: ['POST', '', { tenant: 'acme', product: 'crm', colour: 'red' }], unknown: 'colour' },
  { request: ['POST', '?dry_run=true', { tenant: 'acme', product: 'crm' }], unknown: 'dry_run' },
  { request: ['PATCH', '/:id', { name: 'New', deactivate: true }], unknown: 'deactivate', meant: 'deactivated' },
  { request: ['PATCH', '/:id', { tenant: 'other', name: 'New' }], unknown: 'tenant' },
  { request: ['GET', '/:id?secrets=false'], unknown: 'secrets' },
  { request: ['DELETE', '/:id?force=true'], unknown: 'force' },
  { request: ['GET', `?${scope}&limit=5`], unknown: 'limit' },
  { request: ['GET', '/product?product=crm&pageSize=5'], unknown: 'pageSize' },
  { request: ['GET', '/providers?type=okta'], unknown: 'type' },
  { request: ['POST', '/:id/rotate-secret', { graceSeconds: 60 }], unknown: 'graceSeconds', meant: 'grace_seconds' },
  { request: ['POST', '/:id/rotate-webhook-secret', { secret: 'x' }], unknown: 'secret' },
  { request: ['GET', `/users?${scope}&usrName=ann`], unknown: 'usrName', meant: 'userName' },
  { request: ['GET', `/users?${scope}&first_name=Ann`], unknown: 'first_name' },
  { request: ['GET', `/users?${scope}&page_limit=5`], unknown: 'page_limit', meant: 'pageLimit' },
  { request: ['GET', `/users/u?${scope}&fields=id`], unknown: 'fields' },
  { request: ['GET', `/groups?${scope}&displayName=Sales`], unknown: 'displayName' },
  { request: ['GET', `/groups/g?${scope}&nested=true`], unknown: 'nested' },
  { request: ['GET', `/groups/g/members?${scope}&PageOffset=1`], unknown: 'PageOffset', meant: 'pageOffset' },
  { request: ['GET', `/events?${scope}&event=user.created`], unknown: 'event' },
  { request: ['GET', `/events/e?${scope}&x=1`], unknown: 'x' },
  { request: ['DELETE', `/events?directory_id=:id`], unknown: 'directory_id', meant: 'directoryId' },
  { request: ['GET', `/feed?${scope}&cursor=abc`], unknown: 'cursor' },
  { request: ['GET', '/:id/delivery?verbose=1'], unknown: 'verbose' },
  { request: ['POST', '/:id/pause', { reason: 'maintenance' }], unknown: 'reason' },
  { request: ['POST', '/:id/resume', { from: 3 }], unknown: 'from' },
  {
    request: ['POST', '/:id/replay', { sequence: 1, fromSequence: 2 }],
    unknown: 'fromSequence',
    meant: 'from_sequence',
  },
  { request: ['GET', '/:id/dead-events?limits=5'], unknown: 'limits', meant: 'limit' },
  { request: ['POST', '/:id/resync', { users: ['u'] }], unknown: 'users' },
  { request: ['POST', '/:id/test-event', { type: 'user.created' }], unknown: 'type' },
  { request: ['POST', '/:id/sync?waits=true'], unknown: 'waits', meant: 'wait' },
  { request: ['GET', '/:id/sync-runs?state=failed'], unknown: 'state' },
  { request: ['POST', '/cron/sync-extdir?wiat=true'], unknown: 'wiat', meant: 'wait' },
  { request: ['POST', '/cron/process-events', { limit: 5 }], unknown: 'limit' },
]

const adminCases: readonly UnknownName[] = [
  { request: ['GET', '/user/me?x=1'], unknown: 'x' },
  { request: ['PUT', '/user/me', { timezone: 'UTC', timeZone: 'UTC' }], unknown: 'timeZone', meant: 'timezone' },
  { request: ['GET', '/token?pagelimit=5'], unknown: 'pagelimit', meant: 'pageLimit' },
  { request: ['POST', '/apikey', { name: 'k', expiresAt: '2030-01-01' }], unknown: 'expiresAt', meant: 'expires_at' },
  { request: ['POST', '/apikey', { name: 'k', tenant: 'acme' }], unknown: 'tenant' },
  { request: ['GET', '/apikey?pageOffset=5'], unknown: 'pageOffset' },
  { request: ['GET', '/event?actorId=5'], unknown: 'actorId', meant: 'actor_id' },
  { request: ['GET', '/event/export?from=2026-01-01'], unknown: 'from' },
  { request: ['GET', '/event/verify?ends=0:'], unknown: 'ends', meant: 'end' },
]

forEachEngine((engine) => {
  const subject = forSuite(async () => {
    const service = await startTestService(engine, { ADMIN_ROOT_TOKEN: rootToken })
    const directory = await service.createDirectory({ webhook_url: 'https://app.example.com/events' })
    const logIn = (body: object) =>
      service.request('POST', `${admin}/user/_login`, { headers: { authorization: `token=${rootToken}` }, body })
    const claims = { upstreamToken: rootToken, email: 'ops@example.com' }
    const { body } = await logIn({ claims })
    const jwt = (body as unknown as { token: string }).token
    const asAdmin = (method: string, path: string, sent?: unknown) =>
      service.request(method, admin + path, { headers: { authorization: `Bearer ${jwt}` }, body: sent })
    return { service, directory, logIn, claims, asAdmin, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
  })

  for (const { request, unknown, meant } of apiCases) {
    const [method, path, body] = request
    test(`rejects ${method} ${path} ${JSON.stringify(body) ?? ''}: ${unknown} is unknown`, async () => {
      const { service, directory } = subject()
      const response = await service.api(method, path.replace(':id', directory.id), body)
      assertApiError(response, 400)
      assertNamed(response.body.error, unknown, meant)
    })
  }

  for (const { request, unknown, meant } of adminCases) {
    const [method, path, body] = request
    test(`admin API: rejects ${method} ${path} ${JSON.stringify(body) ?? ''}: ${unknown} is unknown`, async () => {
      const response = await subject().asAdmin(method, path, body)
      assert.equal(response.status, 400, response.text)
      assertNamed(response.body.error, unknown, meant)
    })
  }

  test('rejects a login with an unknown claim', async () => {
    const { logIn, claims } = subject()
    const { status, body } = await logIn({ claims: { ...claims, mail: 'x' } })
    assert.equal(status, 400)
    assertNamed(body.error, 'mail', 'email')
  })

  test('a rejected request creates and changes nothing', async () => {
    const { service, directory } = subject()
    await service.api('POST', '', { tenant: 'hooli', product: 'crm', webhookUrl: 'https://a.example' })
    assert.deepEqual((await service.api('GET', '?tenant=hooli&product=crm')).body.data, [])
    assert.equal((await service.api('GET', `/${directory.id}`)).body.data.name, directory.name)
  })

  test('names every unknown field together with the invalid ones, but not thousands of them', async () => {
    const { service } = subject()
    const fields = { tenant: 'acme', product: '', webhookUrl: 'x', colour: 'red' }
    const { body } = await service.api('POST', '', fields)
    assert.deepEqual(
      body.error.problems?.map(({ field }) => field),
      ['product', 'webhookUrl', 'colour'],
    )
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field-${n}`.padEnd(40, 'x'), 1]))
    const { text } = await service.api('POST', '', { tenant: 'acme', product: 'crm', ...many })
    assert.ok(text.length < 10_000, `${text.length} characters`)
  })

  test('accepts an empty body for a request without input', async () => {
    const { service, directory } = subject()
    assert.equal((await service.api('POST', `/${directory.id}/pause`, {})).status, 200)
    assert.equal((await service.api('POST', `/${directory.id}/resume`)).status, 200)
  })

  test('a list of directories can be restricted to one of them', async () => {
    const { service, directory } = subject()
    await service.createDirectory()
    const { body } = await service.api('GET', `?${scope}&directoryId=${directory.id}`)
    assert.deepEqual(
      body.data.map(({ id }) => id),
      [directory.id],
    )
  })

  test('SCIM ignores unknown query parameters and keeps unknown attributes (RFC 7644 §3.3)', async () => {
    const { service, directory } = subject()
    const created = await service.scim(directory, 'POST', '/Users?aadOptscim062020', { userName: 'u', shoeSize: 43 })
    assert.equal(created.status, 201)
    const listed = await service.scim(directory, 'GET', '/Users?foo=bar')
    assert.equal(listed.status, 200)
  })

  test('the page of Google’s consent ignores parameters that Google and mail programs add', async () => {
    const { service, directory } = subject()
    const { text } = await service.request('GET', `/api/scim/oauth/authorize?directoryId=${directory.id}&utm_source=x`)
    assert.doesNotMatch(text, /unknown/)
  })
})

function assertNamed(
  { message, problems = [] }: { message: string; problems?: readonly { field: string; message: string }[] },
  unknown: string,
  meant: string | undefined,
): void {
  const problem = problems.find(({ field }) => field === unknown)
  assert.ok(problem, message)
  assert.ok(message.includes(problem.message), message)
  const expected =
    meant === undefined ? `${unknown}: unknown; remove it` : `${unknown}: unknown; did you mean ${meant}?`
  assert.ok(problem.message.startsWith(expected), problem.message)
}
