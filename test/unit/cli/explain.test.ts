import assert from 'node:assert/strict'
import { test } from 'node:test'
import stringWidth from 'string-width'
import { explainCommand } from '../../../src/cli/explain/command.ts'
import { wrapText } from '../../../src/cli/terminal/wrap.ts'
import type { TestDatabase } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from './support/fake-io.ts'

async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}, isTTY = false) {
  const io = fakeIo({ env, isTTY })
  const code = await explainCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

/** A database with a user, after its service has stopped. */
async function openUsed(engine: TestDatabase['engine']) {
  const database = await openTestDatabase(engine)
  await using service = await startTestService(database)
  await service.createDirectory({ tenant: 'other' })
  const directory = await service.createDirectory({ name: 'Acme' })
  await service.scim(directory, 'POST', '/Users', { userName: 'maya' })
  return { database, directory }
}

forEachEngine((engine) => {
  test('with the database, all directories are searched, or one', async () => {
    const { database, directory } = await openUsed(engine)
    await using _database = database
    const env = { API_KEYS: testApiKey, ...database.env }
    const everywhere = await run(['MAYA'], env)
    assert.equal(everywhere.code, 0, everywhere.err)
    assert.match(everywhere.out, /^MAYA {2}waiting\n\n {2}The new user maya \(event 1, on /)
    assert.match(everywhere.out, new RegExp(`Directory {2}Acme \\(.*\\n {13}${directory.id}\\n`))
    assert.match(everywhere.out, /newest first, in UTC\n {2}20\S+ \S+ {2}event {5}1 user\.created\n/)
    assert.deepEqual(await run(['maya', '--directory', directory.id], env), {
      ...everywhere,
      out: everywhere.out.replace('MAYA', 'maya'),
    })
    const elsewhere = await run(['maya', '--tenant', 'other', '--product', 'crm'], env)
    assert.match(elsewhere.out, /^maya {2}never-sent\n.*Nothing is recorded\./s)
    const coloured = await run(['maya'], env, true)
    assert.ok(coloured.out.includes('\u001b[33mwaiting\u001b'))
    assert.ok(!(await run(['maya'], { ...env, NO_COLOR: '1' }, true)).out.includes('\u001b'))
    assert.deepEqual(await run(['maya', '--directory', 'unknown'], env), {
      ...{ code: 1, out: '', err: 'There is no such directory.\n' },
    })
  })
})

test('without a directory, it says so, and not that one is missing', async () => {
  await using service = await startTestService('sqlite')
  const env = { ROLLCALL_API_KEY: testApiKey }
  const said = (await run(['maya', '--url', service.origin], env)).err
  assert.equal(said, 'There is no directory yet.\n')
  const ofTenant = await run(['maya', '--url', service.origin, '--tenant', 'acme', '--product', 'crm'], env)
  assert.equal(ofTenant.err, 'There is no directory of this tenant and product.\n')
})

test('with a running service, the same explanation is shown', async () => {
  await using service = await startTestService('sqlite')
  await service.createDirectory()
  const scope = ['--tenant', 'acme', '--product', 'crm']
  const url = ['--url', `${service.origin}/`]
  const env = { ...service.database.env, ROLLCALL_API_KEY: testApiKey }
  assert.match((await run(['maya', ...scope, ...url], env)).out, /^maya {2}never-sent/)
  assert.match(
    (await run(['maya', ...scope, ...url, '--api-key', 'another-key-of-a-caller'], env)).err,
    /rejects the API key/,
  )
  const everywhere = await run(['maya', ...url], env)
  assert.deepEqual([everywhere.code, /^maya {2}never-sent/.test(everywhere.out)], [1, true])
  assert.match(
    (await run(['maya', ...scope, '--url', 'http://127.0.0.1:1'], env)).err,
    /cannot be reached: pass .* --url/,
  )
  const withoutKey = await run(['maya', ...scope], service.database.env)
  assert.deepEqual([withoutKey.code, /--api-key/.test(withoutKey.err)], [1, true])
})

test('several users of one name are listed, with what asks for each of them, and the exit code says whether any is known', async () => {
  await using service = await startTestService('sqlite')
  const [first, second] = [
    await service.createDirectory({ name: 'First' }),
    await service.createDirectory({ name: 'Second', tenant: 'other', product: 'mail' }),
  ]
  const name = { givenName: 'Maya', familyName: 'Silva' }
  const { body: older } = await service.scim(first, 'POST', '/Users', { userName: 'maya', name })
  await service.scim(second, 'POST', '/Users', { userName: 'm.silva', name })
  const env = { ...service.database.env, ROLLCALL_API_KEY: testApiKey }
  const ask = (...argv: readonly string[]) => run([...argv, '--url', service.origin], env)
  const { code, out } = await ask('Maya Silva')
  assert.equal(code, 0)
  assert.match(out, /^Maya Silva {2}waiting\n\n {2}The new user m\.silva /)
  const others = `Others with this name or id\n  maya (User): waiting\n  First, tenant acme, product crm\n  ${older.id} --directory ${first.id}\n`
  assert.ok(out.includes(others), out)
  const one = await ask(older.id, '--directory', first.id)
  assert.deepEqual([one.code, one.out.includes('Others with'), /The new user maya /.test(one.out)], [0, false, true])
  const inProduct = await ask('Maya Silva', '--product', 'crm')
  assert.deepEqual([inProduct.code, /The new user maya /.test(inProduct.out)], [0, true])
  const nobody = await ask('Omar Haddad')
  assert.deepEqual([nobody.code, nobody.err], [1, ''])
  assert.match(nobody.out, /^Omar Haddad {2}never-sent\n\n {2}No user or group in 2 directories has Omar Haddad as/)
})

for (const { what, argv, says } of [
  { what: 'nobody', argv: [], says: /^Name a user or group/ },
  { what: 'two users', argv: ['maya', 'omar'], says: /"omar" is an unexpected argument/ },
  { what: 'an unknown option', argv: ['maya', '--who'], says: /no option --who/ },
  { what: 'an address without a scheme', argv: ['maya', '--url', 'localhost'], says: /http:\/\/ or https:\/\// },
]) {
  test(`rejects ${what}`, async () => {
    const { code, err } = await run(argv)
    assert.equal(code, 2)
    assert.match(err, says)
    assert.match(err, /Run rollcall explain --help for help\.\n$/)
  })
}

test('--help shows an example', async () => {
  const { code, out } = await run(['--help'])
  assert.equal(code, 0)
  assert.match(out, /Example: rollcall explain "Maya Silva"/)
  assert.ok(out.split('\n').every((line) => line.length <= 120))
})

for (const { text, columns, lines } of [
  { text: 'one two three', columns: 7, lines: ['one two', 'three'] },
  { text: ' one\n two ', columns: 40, lines: ['one two'] },
  { text: 'a-word-that-is-too-long b', columns: 6, lines: ['a-word-that-is-too-long', 'b'] },
  { text: '健二 佐藤 健二', columns: 9, lines: ['健二 佐藤', '健二'] },
  { text: '', columns: 9, lines: [] },
]) {
  test(`"${text}" is wrapped at ${columns} columns`, () => {
    assert.deepEqual(wrapText(text, columns), lines)
    assert.ok(lines.every((line) => stringWidth(line) <= columns || !line.includes(' ')))
  })
}
