import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { adoptCommand } from '../../../src/cli/adopt.ts'
import { forSuite, startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from './support/fake-io.ts'

const opened = forSuite(() => startTestService('sqlite'))
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-adopt-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function run(argv: readonly string[], stdin?: string) {
  const io = fakeIo({ env: { ROLLCALL_API_KEY: testApiKey }, ...(stdin === undefined ? {} : { stdin }) })
  const code = await adoptCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

async function fileOf(text: string): Promise<string> {
  const file = join(folder, 'accounts')
  await writeFile(file, text)
  return file
}

interface LinkedUser {
  readonly raw: { readonly userName: string }
  readonly account_id: string | null
}

/** A directory with users, and the arguments that name it. */
async function directoryWith(...userNames: readonly string[]) {
  const service = opened()
  const directory = await service.createDirectory({ tenant: randomUUID() })
  for (const userName of userNames) await service.scim(directory, 'POST', '/Users', { userName })
  const where = ['--directory', directory.id, '--url', service.origin]
  const linked = async () => {
    const { body } = await service.api('GET', `/users?directoryId=${directory.id}`)
    return Object.fromEntries(
      (body.data as unknown as readonly LinkedUser[]).map(({ raw, account_id }) => [raw.userName, account_id]),
    )
  }
  return { directory, where, linked }
}

const lines = (...accounts: readonly object[]) => accounts.map((account) => `${JSON.stringify(account)}\n`).join('')

test('a list is sent as lines, and its plan shown with the conflicts', async () => {
  const { where, linked } = await directoryWith('ann@acme.example', 'bob@acme.example', 'eve@acme.example')
  const file = await fileOf(
    lines(
      { account_id: 'a1', user_name: 'ANN@acme.example' },
      { account_id: 'a2', user_name: 'bob@acme.example' },
      { account_id: 'a3', user_name: 'bob@acme.example' },
      { account_id: 'a4', user_name: 'nobody@acme.example' },
    ),
  )
  const plan = await run(['plan', ...where, '--file', file])
  assert.equal(plan.code, 0, plan.err)
  assert.match(plan.out, /^4 accounts, sent at 20/)
  assert.match(plan.out, / 1 +users would be linked/)
  assert.match(plan.out, / 1 +conflicts/)
  assert.match(plan.out, /bob@acme\.example, a2, a3\n {4}Several accounts match this user/)
  assert.deepEqual(Object.values(await linked()), [null, null, null])
})

test('a plan is applied after the question is answered with y, and a JSON array is a list as well', async () => {
  const { where, linked } = await directoryWith('ann@acme.example')
  const file = await fileOf(`\n ${JSON.stringify([{ account_id: 'a1', user_name: 'ann@acme.example' }])}`)
  const refused = await run(['apply', ...where, '--file', file], 'n\n')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /Link 1 user\? \[y\/N\] Nobody was linked: answer y/)
  assert.deepEqual(await linked(), { 'ann@acme.example': null })
  const applied = await run(['apply', ...where, '--file', file], 'y\n')
  assert.equal(applied.code, 0, applied.err)
  assert.match(applied.out, /1 user is linked\./)
  assert.deepEqual(await linked(), { 'ann@acme.example': 'a1' })
  const forgotten = await run(['plan', ...where])
  assert.deepEqual([forgotten.code, forgotten.err], [1, 'There is no list: pass one with --file <file>.\n'])
})

test('a list from the standard input is applied with --yes, in the directory of a tenant and product', async () => {
  const { directory, linked } = await directoryWith('ann@acme.example')
  const { tenant, product } = directory
  const named = ['--tenant', tenant, '--product', product, '--url', opened().origin]
  const list = lines({ account_id: 'a1', user_name: 'ann@acme.example' })
  const applied = await run(['apply', ...named, '--file', '-', '--yes'], list)
  assert.equal(applied.code, 0, applied.err)
  assert.deepEqual(await linked(), { 'ann@acme.example': 'a1' })
  const other = await opened().createDirectory({ tenant, product })
  const ambiguous = await run(['plan', ...named])
  assert.equal(ambiguous.code, 1)
  for (const { id } of [directory, other]) assert.ok(ambiguous.err.includes(id), ambiguous.err)
})

test('an account that is wrong is named by its number, and a file that is missing by its name', async () => {
  const { where } = await directoryWith()
  const bad = await run(['plan', ...where, '--file', await fileOf('{"account_id":"a1"}\n{"account_id":7}\n')])
  assert.equal(bad.code, 1)
  assert.match(bad.err, /Account 2 of the list: .*account_id/)
  const missing = await run(['plan', ...where, '--file', join(folder, 'none')])
  assert.deepEqual([missing.code, /no such file.*none/.test(missing.err)], [1, true])
})

test('a list that is replaced while the question is asked is not applied', async () => {
  const { directory, where, linked } = await directoryWith('ann@acme.example')
  const file = await fileOf(lines({ account_id: 'a1', user_name: 'ann@acme.example' }))
  const io = fakeIo({ env: { ROLLCALL_API_KEY: testApiKey } })
  async function* answer() {
    await opened().api('POST', `/${directory.id}/adoption`, [{ account_id: 'a2', user_name: 'ann@acme.example' }])
    yield 'y\n'
  }
  const code = await adoptCommand(['apply', ...where, '--file', file], { ...io, stdin: () => Readable.from(answer()) })
  assert.equal(code, 1)
  assert.match(io.err(), /Nobody was linked, as the plan has changed meanwhile: run the command again/)
  assert.deepEqual(await linked(), { 'ann@acme.example': null })
})

test('wrong arguments are named', async () => {
  const { code, err } = await run(['link', '--tenant', 'acme'])
  assert.equal(code, 2)
  for (const problem of [/plan or apply/, /--directory <id>, or with --tenant/]) assert.match(err, problem)
  const both = await run(['apply', '--directory', 'a', '--product', 'b', '--file', '-'])
  for (const problem of [/--directory <id>, or with/, /Pass --yes/]) assert.match(both.err, problem)
})
