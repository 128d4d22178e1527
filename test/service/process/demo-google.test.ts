import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstStepsText } from '../../../src/cli/terminal/first-steps.ts'
import { companyDomain } from '../../../tools/demo/google/company.ts'
import { runGoogleDemo } from '../../../tools/demo/google/demo.ts'
import { startReceiver } from '../../../tools/demo/receiver.ts'
import { settingsOf, startFakeGoogle } from '../../../tools/fake-google/server.ts'
import { openTestDatabase, startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

test('a Workspace is connected and synced twice, and an empty list of users deletes nobody, also in a second demo', async () => {
  await using database = await openTestDatabase('sqlite')
  const outputs = []
  for (const _ of [1, 2]) {
    await using google = await startFakeGoogle({ domains: [companyDomain] })
    await using service = await startTestService(database, settingsOf(google))
    await using receiver = await startReceiver()
    const io = fakeIo()
    const { baseUrl } = service
    const { succeeded, directories } = await runGoogleDemo({ baseUrl, apiKey: testApiKey, receiver, google, io })
    assert.equal(succeeded, true, io.out())
    outputs.push(io.out())
    const commands = firstStepsText({ baseUrl, apiKey: testApiKey, directory: directories[0] })
    const paths = [...commands.matchAll(/directory-sync([^']*)'/g)].map(([, path]) => path ?? '')
    assert.deepEqual(paths, [
      `/${directories[0]?.id}`,
      '/users?tenant=initech&product=demo',
      `/${directories[0]?.id}/sync-runs`,
    ])
    for (const path of paths) assert.equal((await service.api('GET', path)).status, 200, path)
  }
  for (const out of outputs) {
    assert.match(out, /The page says: Connected with Google Workspace/)
    assert.match(out, /\n {2}completed +\d+ created, 0 updated, 0 deleted/)
    assert.match(out, /\n {2}completed +1 created, 2 updated, 1 deleted/)
    assert.match(out, /user\.deleted/)
    assert.match(out, /\n {2}held +0 created, 0 updated, 0 deleted, 48 held back/)
    assert.match(out, /none missing/)
  }
})
