import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, startTestService, testApiKey } from '../../support/service.ts'
import { storedText } from '../../support/stored-text.ts'

const password = 'Pa55-of-nobody'

forEachEngine((engine) => {
  test('a password never appears in a response, event, log line, the request log or the database', async () => {
    await using receiver = await startReceiver()
    await using service = await startTestService(engine, { LOG_LEVEL: 'trace' })
    const directory = await service.createDirectory(receiver.endpoint)
    await service.api('PATCH', `/${directory.id}`, { log_scim_requests: true })
    const patchOf = (...Operations: readonly unknown[]) => ({ Operations })
    const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    const created = await service.scim(directory, 'POST', '/Users', { userName: 'a', password, Password: password })
    const path = `/Users/${created.body.id}`
    const responses = [
      created,
      await service.scim(directory, 'PUT', path, {
        userName: 'a',
        title: 'b',
        PASSWORD: password,
        [core]: { password },
      }),
      await service.scim(directory, 'PATCH', path, patchOf({ op: 'replace', value: { password, title: 'c' } })),
      await service.scim(directory, 'PATCH', path, patchOf({ op: 'replace', path: 'password', value: password })),
      await service.scim(directory, 'PATCH', path, patchOf({ op: 'add', path: `${core}:password`, value: password })),
      await service.scim(directory, 'PATCH', path, patchOf({ op: 'add', value: { [`${core}:password`]: password } })),
      await service.scim(directory, 'PUT', path, {
        userName: 'a',
        title: 'd',
        ' userPassword': password,
        login: [{ deep: { PASSWD: password } }],
        emails: [{ value: 'a@x', password }],
        [enterprise]: { passwd: password },
        'urn:acme:1.0:User': { Password: password, level: 1 },
        'urn:acme:1.0:password': { value: password },
      }),
      await service.scim(
        directory,
        'PATCH',
        path,
        patchOf(
          { op: 'add', path: 'urn:acme:1.0:User:userPassword', value: password },
          { op: 'add', path: 'urn:acme:1.0:password', value: password },
          { op: 'add', path: enterprise, value: { userPassword: password } },
          { op: 'add', value: { passwd: password, login: { password } } },
          { op: 'replace', path: 'emails[type eq "work"]', value: { value: 'b@x', passwd: password } },
        ),
      ),
      await service.scim(directory, 'GET', `${path}?attributes=password`),
      await service.scim(directory, 'GET', `/Users?filter=${encodeURIComponent(`password eq "${password}"`)}`),
      await service.scim(directory, 'GET', `/Users?filter=${encodeURIComponent(`passwd eq "${password}`)}`),
      await service.scim(directory, 'POST', '/Users/.search', { filter: `password eq "${password}" and (` }),
      await service.scim(directory, 'POST', '/Users', `{"userName":"b","password":"${password}"`),
      await service.scim(directory, 'POST', '/Users', `{"userName":"b","password":"${password}"} "${password}"`),
      await service.scim(directory, 'POST', '/Users', `{"password": ${password}}`),
      await service.scim(directory, 'POST', '/Bulk', {
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'b', data: { userName: 'bulk', password } },
          { method: 'PATCH', path, data: patchOf({ op: 'add', path: 'PassWord', value: password }) },
          {
            method: 'PATCH',
            path,
            data: patchOf({ op: 'no', path: `password[value eq "${password}"]`, value: password }),
          },
        ],
      }),
      await service.scim(directory, 'PATCH', path, patchOf({ op: 'add', path: ['password'], value: password })),
      await service.scim(directory, 'PATCH', path, patchOf({ op: 'replace', path: 'password', values: password })),
      await service.scim(directory, 'PATCH', path, patchOf({ op: 'replace', attribute: 'password', val: password })),
      await service.scim(
        directory,
        'PATCH',
        path,
        patchOf({ op: 'no', path: ['password', password], list: [password] }),
      ),
      await service.scim(directory, 'PATCH', path, patchOf({ op: 'no', path: 'pass\u200bword', value: password })),
      await service.scim(directory, 'PATCH', path, { Operations: { op: 'no', path: 'password', value: password } }),
      await service.scim(directory, 'PATCH', path, [{ op: 'add', path: 'password', value: password }]),
      await service.scim(directory, 'POST', '/Users', { userName: 'a', password }),
      await service.api('GET', `/users?directoryId=${directory.id}`),
    ]
    const last = await service.scim(directory, 'POST', '/Users', { userName: 'last' })
    await receiver.until(() => receiver.events(directory.id).at(-1)?.data.id === last.body.id, 'all events')
    const requests = await requestLog(service, directory.id)
    const said = responses.map(({ text }) => text).join('\n')
    const sent = JSON.stringify(receiver.attempts)
    const logged = JSON.stringify(service.log)
    const places = { answers: said, events: sent, log: logged, requests, database: await storedText(service) }
    assert.deepEqual(
      Object.entries(places).flatMap(([place, text]) => (text.includes(password) ? [place] : [])),
      [],
    )
    assert(
      places.database.includes('urn:ietf:params:scim:schemas:core:2.0:User'),
      'users are looked for where they are',
    )
    assert(requests.includes('"title":"b"'), 'bodies are in the request log')
    const secrets = [directory.scim.secret, testApiKey, receiver.endpoint.webhook_secret]
    const held = secrets.filter((secret) => requests.includes(secret) || places.database.includes(secret))
    assert.deepEqual(held, [])
    assert.deepEqual(
      responses.slice(0, 9).map(({ status }) => status),
      [201, ...Array(8).fill(200)],
    )
  })
})

/** The request log of a directory with the bodies, as the API shows it. */
async function requestLog(service: TestService, directoryId: string): Promise<string> {
  const { body } = await service.api('GET', `/${directoryId}/requests`)
  const rows = body.data as unknown as readonly { readonly id: string }[]
  assert(rows.length > 20)
  const traces = await Promise.all(rows.map(({ id }) => service.api('GET', `/requests/${id}`)))
  return [...rows.map((row) => JSON.stringify(row)), ...traces.map(({ text }) => text)].join('\n')
}
