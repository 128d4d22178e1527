import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { oauthClientsCommand } from '../../../src/cli/oauth-clients.ts'
import { startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from './support/fake-io.ts'

async function run(...argv: readonly string[]) {
  const io = fakeIo({ env: { ROLLCALL_API_KEY: testApiKey } })
  const code = await oauthClientsCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

test('a client is created, listed and deleted', async () => {
  await using service = await startTestService('sqlite')
  const { id } = await service.createDirectory()
  const where = ['--directory', id, '--url', `${service.origin}/`]
  const created = await run('create', ...where, '--name', 'Entra ID', '--expires-in-days', '365')
  assert.equal(created.code, 0, created.err)
  assert.match(
    created.out,
    /^client ID {6}[\w-]{36}\nclient secret {2}rcs_[\w-]{43}\ntoken URL {6}http:.*\/token\nSCIM URL {7}http:/,
  )
  const [clientId = ''] = /[\w-]{36}/.exec(created.out) ?? []
  const listed = await run('list', ...where)
  assert.match(listed.out, new RegExp(`${clientId} +secret +Entra ID +\\d{4}-\\d\\d-\\d\\d +not yet\n`))
  const federated = ['--issuer', 'https://login.example/t', '--subject', 's', '--audience', 'api://a']
  const jwks = ['--jwks-url', 'https://login.example/keys']
  const other = await run('create', ...where, '--type', 'federated', ...federated, ...jwks)
  assert.equal(other.code, 0, other.err)
  assert(!other.out.includes('client secret'))
  const deleted = await run('delete', ...where, '--client', clientId)
  assert.equal(deleted.code, 0, deleted.err)
  assert(!(await run('list', ...where)).out.includes(clientId))
  const unknown = await run('delete', ...where, '--client', clientId)
  assert.deepEqual([unknown.code, /no OAuth client/.test(unknown.err)], [1, true])
})

for (const { what, type, body, shows } of [
  {
    what: 'a login page',
    type: 'text/html',
    body: '<html>\n<title>Sign in',
    shows: /200, text\/html, “<html> <title>Sign in”/,
  },
  { what: 'other JSON', type: 'application/json', body: '{"ok":true}', shows: /200, application\/json, “{"ok":true}”/ },
]) {
  test(`a command that gets ${what} in place of the service's response says so`, async () => {
    const proxy = createServer((_request, response) => response.setHeader('content-type', type).end(body))
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    const { code, err } = await run('list', '--directory', 'd', '--url', `http://127.0.0.1:${port}`)
    proxy.closeAllConnections()
    proxy.close()
    assert.equal(code, 1)
    assert.match(err, shows)
  })
}

test('wrong arguments are named', async () => {
  const { code, err } = await run('change', '--name')
  assert.equal(code, 2)
  for (const problem of [/list, create or delete/, /--directory/, /--name needs a value/]) assert.match(err, problem)
  assert.match((await run('delete', '--directory', 'x')).err, /--client/)
})
