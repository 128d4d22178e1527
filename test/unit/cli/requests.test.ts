import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestsCommand } from '../../../src/cli/requests/command.ts'
import { requestLine } from '../../../src/cli/requests/line.ts'
import { createPalette } from '../../../src/cli/terminal/palette.ts'
import type { RequestView } from '../../../src/diagnostics/requests/view.ts'
import { forEachEngine, openTestDatabase, startTestService, testApiKey } from '../../support/service.ts'
import type { FakeIoOptions } from './support/fake-io.ts'
import { fakeIo } from './support/fake-io.ts'

async function run(argv: readonly string[], options: FakeIoOptions = {}) {
  const io = fakeIo(options)
  const code = await requestsCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`
const created = new RegExp(`^${time} POST   201 maya {21}/Users$`)
const refused = new RegExp(`^${time} POST   409 MAYA {21}/Users\\n {20}\\S.*\\S$`)

forEachEngine((engine) => {
  test('the requests of identity providers are read from the service, and from the database after it has stopped', async () => {
    await using database = await openTestDatabase(engine)
    const { directory, other } = await (async () => {
      await using service = await startTestService(database)
      const [directory, other] = [await service.createDirectory(), await service.createDirectory()]
      await service.scim(directory, 'POST', '/Users', { userName: 'maya' })
      await service.scim(directory, 'POST', '/Users', { userName: 'MAYA' })
      await service.scim(other, 'GET', `/Users?filter=${encodeURIComponent('userName eq "omar"')}`)
      const options = { env: { ...database.env, ROLLCALL_API_KEY: testApiKey } }
      const url = ['--url', `${service.origin}/`]
      const { code, out, err } = await run(url, options)
      assert.equal(code, 0, err)
      const lines = out.split('\n')
      assert.match(lines[0] ?? '', created)
      assert.match(lines.slice(1, 3).join('\n'), refused)
      assert.match(lines[3] ?? '', /GET {4}200 omar {21}\/Users\?filter=userName eq "omar"$/)
      assert.match((await run([...url, '--status', 'refused'], options)).out.trimEnd(), refused)
      assert.match((await run([...url, '--subject', 'om'], options)).out, /^\S+ \S+ GET .*\n$/)
      const none = await run([...url, '--subject', 'nobody'], options)
      assert.deepEqual(none, { code: 0, out: '', err: 'None of the newest requests matches.\n' })
      assert.deepEqual(await run([...url, '--directory', 'unknown'], options).then(({ code }) => code), 1)
      const wrongKey = await run([...url, '--api-key', 'a-wrong-key-of-the-tests'], options)
      const says = `${service.origin} rejects the API key: pass another one with --api-key or ROLLCALL_API_KEY.\n`
      assert.deepEqual(wrongKey, { code: 1, out: '', err: says })
      if (engine === 'sqlite') {
        const withoutKey = await run(url, { env: database.env })
        assert.deepEqual([withoutKey.code, /--api-key/.test(withoutKey.err)], [1, true])
      }
      return { directory, other }
    })()
    const env = { API_KEYS: testApiKey, ...database.env }
    const offline = await run(['--status', 'refused'], { env })
    assert.equal(offline.code, 0, offline.err)
    assert.match(offline.out.trimEnd(), refused)
    assert.equal((await run(['--directory', other.id], { env })).out.trimEnd().split('\n').length, 1)
    const coloured = await run(['--directory', directory.id], { env, isTTY: true })
    assert.deepEqual(
      ['\u001b[32m201\u001b', '\u001b[31m409\u001b'].map((text) => coloured.out.includes(text)),
      [true, true],
    )
    assert.ok(!(await run([], { env: { ...env, NO_COLOR: '1' }, isTTY: true })).out.includes('\u001b'))
  })
})

test('--follow shows requests as they arrive, until it is stopped', async () => {
  await using service = await startTestService('sqlite')
  const directory = await service.createDirectory()
  await service.scim(directory, 'POST', '/Users', { userName: 'maya' })
  const ending = new AbortController()
  const io = fakeIo({ env: { ...service.database.env, ROLLCALL_API_KEY: testApiKey }, signal: ending.signal })
  const shown = (name: string) =>
    io
      .out()
      .split('\n')
      .filter((line) => line.includes(` ${name} `)).length
  const until = Promise.withResolvers<void>()
  const watched = {
    ...io,
    stdout: {
      ...io.stdout,
      write(text: string) {
        io.stdout.write(text)
        if (text.includes('omar')) until.resolve()
        if (text.includes('maya')) void service.scim(directory, 'POST', '/Users', { userName: 'omar' })
      },
    },
  }
  const running = requestsCommand(['--follow', '--url', service.origin], watched)
  await until.promise
  ending.abort()
  assert.equal(await running, 0)
  assert.deepEqual([shown('maya'), shown('omar'), io.err()], [1, 1, ''])
})

const request: RequestView = {
  ...{ id: 'r', at: '2026-03-01T10:00:00.123Z', method: 'GET', path: '/Users', status: 200, scim_type: null },
  ...{
    detail: null,
    duration_ms: 2,
    user_agent: null,
    address: null,
    resource: null,
    subject: null,
    event_sequences: [],
  },
}

for (const { what, given, columns, line } of [
  { what: 'without a subject', given: {}, line: `2026-03-01 10:00:00 GET    200 -${' '.repeat(24)}/Users\n` },
  {
    what: 'with control characters',
    given: { subject: 'a\u001b[31mb\nc', path: '/Users?filter=%1b%0a' },
    line: /^[ -~…\ufffd]*\n$/,
  },
  { what: 'of a narrow terminal', given: { path: `/Users?${'x'.repeat(300)}` }, columns: 40, line: /^.{57,73}\n$/ },
  { what: 'with a malformed path', given: { path: '/Users/%zz' }, line: /\/Users\/%zz\n$/ },
  {
    what: 'with a long reason',
    given: { status: 400, detail: 'y'.repeat(300) },
    columns: 60,
    line: /\n {20}y{30,39}…?\n$/,
  },
] satisfies readonly {
  what: string
  given: Partial<RequestView>
  columns?: number
  line: string | RegExp
}[]) {
  test(`a line ${what}`, () => {
    const io = fakeIo()
    const printed = requestLine({ ...request, ...given }, createPalette(io), columns)
    if (typeof line === 'string') assert.equal(printed, line)
    else assert.match(printed, line)
  })
}

for (const { what, argv, says } of [
  { what: 'an argument', argv: ['maya'], says: /"maya" is an unexpected argument/ },
  { what: 'an unknown option', argv: ['--who'], says: /no option --who/ },
  { what: 'an address without a scheme', argv: ['--url', 'localhost'], says: /http:\/\/ or https:\/\// },
]) {
  test(`rejects ${what}`, async () => {
    const { code, err } = await run(argv)
    assert.equal(code, 2)
    assert.match(err, says)
  })
}

for (const status of ['banana', '99', '4x', '600', '409,404']) {
  test(`--status ${status} is refused before anything is opened`, async () => {
    const { code, err } = await run(['--status', status])
    assert.equal(code, 2)
    assert.match(err, /^--status must be a code such as 409, a class such as 4xx, or refused, not ".+"\.\n/)
  })
}

for (const status of ['409', '4xx', '5XX', 'refused']) {
  test(`--status ${status} is accepted`, async () => {
    const { code, err } = await run(['--status', status], { env: { DATABASE_URL: 'sqlite:./nothing.db' } })
    assert.equal(code, 1)
    assert.match(err, /^There is no database/)
  })
}
