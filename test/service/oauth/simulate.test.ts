import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateCommand } from '../../../tools/simulate/command.ts'
import { forEachEngine, serviceForSuite, startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  for (const auth of ['secret', 'federation']) {
    test(`rollcall simulate entra --auth ${auth} provisions a directory that accepts OAuth only`, async () => {
      const { id } = await service().createDirectory({ type: 'azure-scim-v2', scim_auth: 'oauth' })
      const io = fakeIo()
      const target = ['--directory', id, '--url', service().origin, '--api-key', testApiKey]
      const code = await simulateCommand(['entra', ...target, '--auth', auth, '--users', '6', '--groups', '1'], io)
      assert.equal(code, 0, io.out() + io.err())
      assert.match(io.out(), /Users: 6 created/)
      const clients = (await service().api('GET', `/${id}/oauth-clients`)).body.data
      assert.deepEqual(clients, [], 'the client is deleted at the end')
    })
  }
})

test('a service elsewhere that must not connect to this machine refuses the issuer, and the command says so', async () => {
  await using service = await startTestService('sqlite', { EXTERNAL_URL: 'https://rollcall.example.com' })
  const { id } = await service.createDirectory({ type: 'azure-scim-v2' })
  const io = fakeIo()
  const target = ['--directory', id, '--url', service.origin, '--api-key', testApiKey]
  assert.equal(await simulateCommand(['entra', ...target, '--auth', 'federation'], io), 1)
  assert.match(io.err(), /failed with 400: jwks_url: /)
})
