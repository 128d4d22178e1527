import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../support/receiver.ts'
import type { LogLine } from '../../support/service.ts'
import { forEachEngine, serviceForSuite, startTestService, testApiKey } from '../../support/service.ts'

const isRequest = ({ msg }: LogLine) => msg === 'request'

for (const { TRUST_PROXY, warnings } of [
  { TRUST_PROXY: '', warnings: 1 },
  { TRUST_PROXY: '1', warnings: 0 },
]) {
  test(`requests with X-Forwarded-For cause ${warnings} warnings with TRUST_PROXY=${TRUST_PROXY}`, async () => {
    await using service = await startTestService('sqlite', { TRUST_PROXY })
    for (const headers of [{}, { 'x-forwarded-for': '192.0.2.1' }, { 'x-forwarded-for': '192.0.2.2' }]) {
      await service.request('GET', '/healthz', { headers })
    }
    const found = service.log.filter(({ msg }) => String(msg).includes('TRUST_PROXY is not set'))
    assert.equal(found.length, warnings)
  })
}

for (const { EXTERNAL_URL, TRUST_PROXY, warnings } of [
  { EXTERNAL_URL: 'https://sync.acme.example', TRUST_PROXY: '', warnings: 1 },
  { EXTERNAL_URL: 'https://sync.acme.example', TRUST_PROXY: '1', warnings: 0 },
  { EXTERNAL_URL: 'http://sync.acme.example', TRUST_PROXY: '', warnings: 0 },
]) {
  test(`the start logs ${warnings} warnings with TRUST_PROXY=${TRUST_PROXY} at ${EXTERNAL_URL}`, async () => {
    await using service = await startTestService('sqlite', { EXTERNAL_URL, TRUST_PROXY })
    const found = service.log.filter(({ msg }) => String(msg).includes('TRUST_PROXY is not set'))
    assert.equal(found.length, warnings)
  })
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  for (const [what, method, path, status] of [
    ['a success', 'GET', '/providers', 200],
    ['a 401 response', 'GET', '/users', 400],
    ['an address that is none', 'GET', '/no/such/thing', 404],
    ['a body that is none', 'POST', '', 400],
    ['an address that cannot be read', 'GET', '/%E0%A4%A', 400],
  ] as const) {
    test(`${what} is logged in one line with the request id of the response`, async () => {
      const answer = await service().api(method, path)
      const id = answer.headers['x-request-id']
      await service().logged((line) => isRequest(line) && line['requestId'] === id)
      const lines = service().log.filter((line) => line['requestId'] === id)
      assert.deepEqual(
        lines.map((line) => [line['method'], line['status']]),
        [[method, status]],
      )
    })
  }

  test('a SCIM request is logged with its route and directory', async () => {
    const directory = await service().createDirectory()
    const answer = await service().scim(directory, 'GET', '/Users/nobody')
    const line = await service().logged((one) => one['requestId'] === answer.headers['x-request-id'])
    const { time: _, requestId, ms, ...rest } = line
    assert.deepEqual(rest, {
      level: 30,
      method: 'GET',
      route: '/api/scim/v2.0/:directoryId/Users/:id',
      status: 404,
      directoryId: directory.id,
      msg: 'request',
    })
    assert(typeof ms === 'number' && ms >= 0)
  })

  test('a request for something that is not supported is not logged as an error', async () => {
    const directory = await service().createDirectory()
    const answer = await service().scim(directory, 'GET', '/Me')
    const line = await service().logged((one) => one['requestId'] === answer.headers['x-request-id'])
    assert.deepEqual([line['status'], line['level']], [501, 30])
  })

  test('the log contains no secret, email address, name or filter', async () => {
    await using receiver = await startReceiver()
    receiver.answerWith(500)
    await using talkative = await startTestService(engine, { LOG_LEVEL: 'trace' })
    const directory = await talkative.createDirectory({ ...receiver.endpoint, type: 'okta-scim-v2' })
    const extdir = { type: 'extdir', extdir_access_token: 'google-token-1', extdir_refresh_token: 'google-token-2' }
    await talkative.createDirectory(extdir)
    const { body: user } = await talkative.scim(directory, 'POST', '/Users', {
      userName: 'barbara@secretive.example',
      password: 'pa55-of-barbara',
      name: { givenName: 'Barbara-Ann', familyName: 'Jensen-Smith' },
      emails: [{ value: 'babs@secretive.example' }],
    })
    const filter = encodeURIComponent('userName eq "barbara@secretive.example"')
    await talkative.scim(directory, 'GET', `/Users?filter=${filter}`)
    await talkative.scim(directory, 'GET', `/Users?filter=${filter}%20and`)
    await talkative.scim(directory, 'GET', '/Users/barbara@secretive.example')
    await talkative.scim(directory, 'GET', '/Users/barbara@secretive.example%E0%A4%A')
    await talkative.scim(directory, 'POST', '/Users', '{"userName":"barbara@secretive.example"')
    await talkative.scim(directory, 'POST', '/Users', { userName: 'Barbara@secretive.example' })
    await talkative.scim(directory, 'PATCH', `/Users/${user.id}`, {
      Operations: [{ op: 'add', path: 'x', value: 'babs@secretive.example' }],
    })
    await talkative.api('GET', '/users?tenant=barbara@secretive.example')
    await talkative.api('GET', '/providers', undefined, { authorization: 'Api-Key guessed-key-of-somebody' })
    await talkative.scim({ scim: { ...directory.scim, secret: 'guessed-secret-of-somebody' } }, 'GET', '/Users')
    const rotated = await talkative.api('POST', `/${directory.id}/rotate-secret`, { grace_seconds: 60 })
    await talkative.logged(({ msg }) => /was not delivered/.test(String(msg)))
    await talkative.close()
    const text = talkative.log.map((line) => JSON.stringify(line)).join('\n')
    const secrets = [
      ...[testApiKey, directory.scim.secret, rotated.body.data.scim.secret, receiver.endpoint.webhook_secret],
      ...['google-token', 'guessed-', 'pa55-of-barbara', 'secretive.example', 'Barbara', 'Jensen-Smith', 'userName eq'],
      ...['Bearer ', 'Api-Key '],
    ]
    assert.deepEqual(
      secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase())),
      [],
    )
    assert(talkative.log.filter(isRequest).length >= 13)
  })
})

for (const { ACCESS_LOG, logged } of [
  { ACCESS_LOG: 'all', logged: [200, 404, 400] },
  { ACCESS_LOG: 'errors', logged: [404, 400] },
  { ACCESS_LOG: '0', logged: [404, 400] },
  { ACCESS_LOG: '1', logged: [200, 404, 400] },
  { ACCESS_LOG: 'none', logged: [] },
]) {
  test(`with ACCESS_LOG=${ACCESS_LOG}, of requests with the statuses 200, 404 and 400 it has ${logged.join(', ') || 'none'}`, async () => {
    await using service = await startTestService('sqlite', { ACCESS_LOG })
    for (const path of ['/providers', '/users/nobody?directoryId=none', '/%E0%A4%A']) await service.api('GET', path)
    await service.close()
    assert.deepEqual(
      service.log.filter(isRequest).map(({ status }) => status),
      logged,
    )
  })
}

test('requests to operational routes are only logged at debug level', async () => {
  await using quiet = await startTestService('sqlite', { LOG_LEVEL: 'info' })
  for (const path of ['/healthz', '/readyz', '/metrics']) await quiet.request('GET', path)
  const { headers } = await quiet.api('GET', '/providers')
  await quiet.logged(({ requestId }) => requestId === headers['x-request-id'])
  assert.equal(quiet.log.filter(isRequest).length, 1)
})
