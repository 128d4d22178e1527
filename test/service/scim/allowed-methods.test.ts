import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

const rootToken = 'root-token-of-32-characters-0000'

forEachEngine((engine) => {
  const service = serviceForSuite(engine, { ADMIN_ROOT_TOKEN: rootToken, CORS_ORIGINS: 'https://console.example' })

  for (const [path, allow, refused] of [
    ['', 'GET, POST', ['PUT', 'PATCH', 'DELETE']],
    ['/users', 'GET', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/users/some-id', 'GET', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/groups/some-id/members', 'GET', ['POST', 'DELETE']],
    ['/events', 'GET, DELETE', ['POST', 'PUT', 'PATCH']],
    ['/some-id', 'GET, PATCH, DELETE', ['POST', 'PUT']],
    ['/feed', 'GET', ['PUT']],
    ['/api/v1/dsync/groups', 'GET', ['PUT']],
    ['/api/v1/dsync/cron/process-events', 'POST', ['GET']],
  ] as const) {
    test(`${path || '/'} of the API allows ${allow}, and says so for other methods and OPTIONS`, async () => {
      for (const method of refused) {
        const answer = await service().api(method, path, method === 'DELETE' ? undefined : {})
        assertApiError(answer, 405)
        assert.equal(answer.headers['allow'], allow)
      }
      const { status, headers, text } = await service().api('OPTIONS', path, undefined, {
        origin: 'https://other.example',
      })
      assert.deepEqual([status, text], [204, ''])
      if (headers['allow'] !== undefined) assert.equal(headers['allow'], allow)
    })
  }

  test('a method that a URL does not support is only named to authorized callers', async () => {
    const answer = await service().request('PUT', '/api/v1/directory-sync/users')
    assertApiError(answer, 401)
    assert.equal(answer.headers['allow'], undefined)
    assertApiError(await service().request('PUT', '/auditlog/admin/v1/token'), 401)
    const login = await service().request('PUT', '/auditlog/admin/v1/user/_login')
    assertApiError(login, 405)
    assert.equal(login.headers['allow'], 'POST')
  })
})
