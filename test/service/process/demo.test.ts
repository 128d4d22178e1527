import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstStepsText } from '../../../src/cli/terminal/first-steps.ts'
import { runAccidentDemo } from '../../../tools/demo/accident.ts'
import { startReceiver } from '../../../tools/demo/receiver.ts'
import { runScimDemo } from '../../../tools/demo/scim-demo.ts'
import { startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'
import { apiKey, startFakeService } from '../../unit/cli/support/fake-service.ts'

test('provisions both directories and prints their content from the API', async () => {
  await using service = await startFakeService()
  await using receiver = await startReceiver()
  const io = fakeIo()
  const { succeeded, directories } = await runScimDemo({ baseUrl: service.baseUrl, apiKey, receiver, io })
  assert.equal(succeeded, true)
  assert.deepEqual(
    directories.map(({ tenant }) => tenant),
    ['acme', 'globex'],
  )
  assert.match(directories[0]?.userName ?? '', /@acme\.example\.com$/)
  const out = io.out()
  assert.match(out, /What the product sees of acme\n {2}user +email +active\n/)
  assert.match(out, /@globex\.example\.org +(yes|no)\n/)
  assert.match(out, /\n {2}group +members {2}names\n/)
  assert.match(out, /\n {2}globex: \d+ events in order, none missing; .*median latency/)
  assert.match(out, /\d+ signatures verified, 0 invalid/)
})

test('a second run reuses the directories with its own receiver and adds other users', async () => {
  await using service = await startFakeService()
  const results = []
  const outputs = []
  for (const _ of [1, 2]) {
    await using receiver = await startReceiver()
    const io = fakeIo()
    results.push(await runScimDemo({ baseUrl: service.baseUrl, apiKey, receiver, io }))
    outputs.push(io.out())
  }
  const [first, second] = results
  assert.deepEqual(
    second?.directories.map(({ id }) => id),
    first?.directories.map(({ id }) => id),
  )
  assert.equal(second?.succeeded, true)
  assert.match(outputs[1] ?? '', /12 users from an earlier run remain; new users are added/)
  assert.match(outputs[1] ?? '', /and 12 earlier users/)
})

test('an error of the service is printed and fails the demo', async () => {
  await using service = await startFakeService(({ method, path }) =>
    method === 'DELETE' && path.includes('/Users/') ? { status: 500, body: { detail: 'broken' } } : undefined,
  )
  await using receiver = await startReceiver()
  const io = fakeIo()
  const { succeeded } = await runScimDemo({ baseUrl: service.baseUrl, apiKey, receiver, io })
  assert.equal(succeeded, false)
  assert.match(io.out(), /1 error:\n.*\n {2}500 +1 {2}DELETE .*: broken/)
})

const directory = { id: '1', tenant: 'acme', product: 'demo', scimUrl: 'http://h/api/scim/v2.0/1', secret: 's3cret' }

for (const { name, options } of [
  { name: 'with a directory', options: { directory: { ...directory, userName: "sean.o'hara@example.com" } } },
  { name: 'without a directory', options: {} },
]) {
  test(`the first steps ${name}: the key on a line of its own and three commands`, () => {
    const lines = firstStepsText({ baseUrl: 'http://localhost:5225', apiKey: 'abc', ...options }).split('\n')
    assert.ok(lines.includes('API key: abc'))
    assert.ok(lines.includes('Base URL: http://localhost:5225'))
    assert.equal(lines.filter((line) => line.startsWith('curl ')).length, 3)
  })
}

test('an apostrophe in a userName is quoted for the shell', () => {
  const text = firstStepsText({
    baseUrl: 'http://localhost:5225',
    apiKey: 'abc',
    directory: { ...directory, userName: "sean.o'hara@example.com" },
  })
  assert.ok(text.includes(`'filter=userName eq "sean.o'\\''hara@example.com"' 'http://h/api/scim/v2.0/1/Users'`))
})

test('an accident is held, and after the repair and the discard the product has received no removal', async () => {
  await using service = await startTestService('sqlite')
  await using receiver = await startReceiver({ keepEvents: 1_000 })
  const io = fakeIo()
  const { succeeded } = await runAccidentDemo({ baseUrl: service.origin, apiKey: testApiKey, receiver, io })
  assert.equal(succeeded, true)
  const [, provisioned = '', unassigned = '', repaired = ''] = io
    .out()
    .split(/^(?=Okta provisions|An administrator|The administrator)/m)
  assert.match(provisioned, /assign users +60\/60/)
  assert.match(unassigned, /look up users +60\/60 .*\n +unassign users +60\/60/)
  assert.match(repaired, /assign users +60\/60/)
  assert.doesNotMatch(io.out(), /create users/)
  assert.match(
    io.out(),
    /The directory is held: 60 removals of 60 active users\. The events from number \d+ on are waiting\./,
  )
  assert.match(io.out(), /It concerns .+@initech\.example\.com, .* and 55 other users\./)
  assert.match(io.out(), /Removals that the product received: 0\./)
})
