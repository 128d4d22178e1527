import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fetchScimAddress, scimAddressOf } from '../../../tools/simulate/api-client.ts'
import { simulateCommand } from '../../../tools/simulate/command.ts'
import { parseSimulateArguments } from '../../../tools/simulate/options.ts'
import { fakeIo } from './support/fake-io.ts'
import { apiKey, scimSecret, startFakeService } from './support/fake-service.ts'

const target = ['--directory', 'dir-1', '--api-key', 'key']

for (const { argv, problem } of [
  { argv: [...target], problem: /^Name an identity provider: okta, okta-aiw, entra/ },
  { argv: ['otka', ...target], problem: /no identity provider "otka"\. Choose one of okta/ },
  { argv: ['okta', 'entra', ...target], problem: /^"entra" is an unexpected argument/ },
  { argv: ['okta', '--api-key', 'key'], problem: /^Name the directory to provision: --directory <id>/ },
  { argv: ['okta', '--directory', 'dir-1'], problem: /^Pass an API key: --api-key <key>, or set ROLLCALL_API_KEY/ },
  {
    argv: ['entra', ...target, '--auth', 'oauth'],
    problem: /^--auth must be one of token, secret, federation, not "oauth"/,
  },
  { argv: ['okta', ...target, '--auth', 'federation'], problem: /^--auth federation is for entra and entra-flag/ },
  {
    argv: ['entra', '--scim-url', 'http://localhost/scim', '--secret', 's', '--auth', 'secret'],
    problem: /^--auth secret needs --directory/,
  },
  { argv: ['okta', ...target, '--users', 'many'], problem: /^--users must be a whole number from 1 to .*, not "many"/ },
  { argv: ['okta', ...target, '--users', '0'], problem: /^--users must be a whole number from 1/ },
  { argv: ['okta', ...target, '--users', '1.5'], problem: /^--users must be a whole number/ },
  { argv: ['okta', ...target, '--rate', '-1'], problem: /^--rate must be a number from 0/ },
  { argv: ['okta', ...target, '--offboard', '101'], problem: /^--offboard must be a whole number from 0 to 100/ },
  { argv: ['okta', ...target, '--seed'], problem: /^--seed needs a value/ },
  { argv: ['okta', '--directory', '--api-key', 'key'], problem: /^--directory needs a value/ },
  { argv: ['okta', ...target, '--user', '5'], problem: /^There is no option --user\./ },
  { argv: ['okta', ...target, '--url', 'localhost:5225'], problem: /^--url must be an address that starts with http/ },
  { argv: ['okta', '--scim-url', 'http://x/scim'], problem: /^--scim-url requires --secret/ },
  { argv: ['okta', '--secret', 'x'], problem: /^--secret requires --scim-url/ },
]) {
  test(`rejects ${argv.join(' ')}`, () => {
    const parsed = parseSimulateArguments(argv, {})
    assert.equal(parsed.kind, 'problems')
    assert.match(parsed.problems[0] ?? '', problem)
  })
}

test('all problems are reported together', async () => {
  const io = fakeIo()
  assert.equal(await simulateCommand(['okta', '--users', 'x', '--groups', 'y'], io), 2)
  for (const name of ['--users', '--groups', '--directory', '--api-key', '--help']) assert.ok(io.err().includes(name))
})

for (const { argv, env, expected } of [
  { argv: [], env: { API_KEYS: ' one , two' }, expected: { apiKey: 'one', baseUrl: 'http://localhost:5225' } },
  { argv: ['--api-key', 'three'], env: { API_KEYS: 'one' }, expected: { apiKey: 'three' } },
  { argv: [], env: { API_KEYS: 'one', ROLLCALL_API_KEY: 'two' }, expected: { apiKey: 'two' } },
  { argv: [], env: { API_KEYS: 'one', PORT: '80' }, expected: { baseUrl: 'http://localhost:80' } },
  {
    argv: [],
    env: { API_KEYS: 'one', EXTERNAL_URL: 'https://r.example/' },
    expected: { baseUrl: 'https://r.example' },
  },
  { argv: ['--url', 'http://h:1'], env: { API_KEYS: 'one', EXTERNAL_URL: 'x' }, expected: { baseUrl: 'http://h:1' } },
]) {
  test(`determines the service address and key: ${argv.join(' ')} with ${JSON.stringify(env)}`, () => {
    const parsed = parseSimulateArguments(['okta', '--directory', 'dir-1', ...argv], env)
    assert.equal(parsed.kind, 'arguments')
    assert.partialDeepStrictEqual(parsed.arguments.target, { kind: 'directory', directoryId: 'dir-1', ...expected })
  })
}

test('reads the API key from the file that API_KEYS_FILE names', () => {
  const argv = ['okta', '--directory', 'dir-1']
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-simulate-'))
  try {
    const file = join(folder, 'keys')
    writeFileSync(file, 'one,two\n')
    const parsed = parseSimulateArguments(argv, { API_KEYS_FILE: file })
    assert.equal(parsed.kind, 'arguments')
    assert.partialDeepStrictEqual(parsed.arguments.target, { apiKey: 'one' })
    const without = parseSimulateArguments(argv, { API_KEYS_FILE: join(folder, 'nothing') })
    assert.equal(without.kind, 'problems')
    assert.match(without.problems[0] ?? '', /^API_KEYS must be in the file .+nothing that API_KEYS_FILE names/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('--help names every option and exits with 0', async () => {
  const io = fakeIo()
  assert.equal(await simulateCommand(['--help'], io), 0)
  for (const name of [
    'directory',
    'users',
    'groups',
    'rate',
    'url',
    'api-key',
    'scim-url',
    'concurrency',
    'offboard',
    'auth',
  ]) {
    assert.ok(io.out().includes(`--${name}`), name)
  }
})

test('looks up the SCIM address over the API and prints one line for each phase and a summary', async () => {
  await using service = await startFakeService()
  const io = fakeIo({ env: { API_KEYS: apiKey } })
  const argv = ['entra', '--directory', 'dir-1', '--users', '10', '--groups', '2', '--url', service.baseUrl]
  assert.equal(await simulateCommand(argv, io), 0)
  assert.equal(service.directory.users.size, 9)
  assert.match(io.out(), /\n {2}create users +10\/10 {2}\d+ calls\n/)
  assert.match(io.out(), /\nUsers: 10 created, 3 updated, 1 deactivated, 1 deleted\. Groups: 2 created/)
  assert.match(io.out(), /\n {2}create user +10 /)
  assert.equal(io.out().includes('\u001b'), false)
})

test('the SCIM requests go to the address that was passed, also where the service has another public one', async () => {
  await using service = await startFakeService()
  const options = { baseUrl: service.baseUrl, apiKey }
  const scim = { path: '/api/scim/v2.0/dir-1', endpoint: 'https://sync.example.com/dir-1', secret: 's' }
  assert.deepEqual(scimAddressOf({ scim }), { scimUrl: scim.endpoint, scimPath: scim.path, secret: 's' })
  assert.equal((await fetchScimAddress(options, 'dir-1')).scimUrl, `${service.baseUrl}${scim.path}`)
})

test('a terminal gets a bar in colour', async () => {
  await using service = await startFakeService()
  const io = fakeIo({ isTTY: true })
  await simulateCommand(['okta', '--scim-url', service.scimUrl, '--secret', scimSecret, '--users', '3'], io)
  assert.ok(io.out().includes('█') && io.out().includes('\u001b[32m'))
})

test('a failed call makes the exit code 1, with its status and detail', async () => {
  await using service = await startFakeService()
  const io = fakeIo()
  assert.equal(await simulateCommand(['okta', '--scim-url', service.scimUrl, '--secret', 'wrong'], io), 1)
  assert.match(io.out(), /1 error:\n.*\n {2}401 +1 {2}GET \/Users\?startIndex=1&count=1: wrong secret/)
  const unreachable = fakeIo()
  await simulateCommand(['okta', '--scim-url', 'http://127.0.0.1:1/scim', '--secret', 'x'], unreachable)
  assert.match(unreachable.out(), /: 0\.0\/s\.\n\n1 error:\n/)
})

for (const { argv, message } of [
  { argv: ['--directory', 'dir-9', '--api-key', apiKey], message: /failed with 404: There is no such directory/ },
  { argv: ['--directory', 'dir-1', '--api-key', 'wrong'], message: /rejects the API key: pass another one/ },
  { argv: ['--directory', 'dir-1', '--api-key', 'x', '--url', 'http://127.0.0.1:1'], message: /cannot be reached/ },
]) {
  test(`reports why it cannot start: ${argv.join(' ')}`, async () => {
    await using service = await startFakeService()
    const io = fakeIo()
    assert.equal(await simulateCommand(['okta', '--url', service.baseUrl, ...argv], io), 1)
    assert.match(io.err(), message)
  })
}

test('an interrupted run says so and exits with 130', async () => {
  await using service = await startFakeService()
  const io = fakeIo({ signal: AbortSignal.abort() })
  assert.equal(await simulateCommand(['okta', '--scim-url', service.scimUrl, '--secret', scimSecret], io), 130)
  assert.match(io.out(), /Interrupted/)
  assert.equal(service.requests.length, 0)
})
