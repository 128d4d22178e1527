import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { compareCommand } from '../../../src/cli/compare.ts'
import { startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from './support/fake-io.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-compare-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function run(...argv: readonly string[]) {
  const io = fakeIo({ env: { ROLLCALL_API_KEY: testApiKey } })
  const code = await compareCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

async function fileOf(...lines: readonly (string | object)[]): Promise<string> {
  const file = join(folder, 'users.ndjson')
  await writeFile(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\r\n'))
  return file
}

test('a file of users is compared with a directory', async () => {
  await using service = await startTestService('sqlite')
  const directory = await service.createDirectory()
  const create = async (userName: string) => (await service.scim(directory, 'POST', '/Users', { userName })).body.id
  const [ann, bob, cid] = [await create('ann'), await create('bob'), await create('cid')]
  const where = ['--directory', directory.id, '--url', service.origin]
  const rowOf = (id: string, email: string) => ({ id, email, active: true, note: 'not compared' })
  const rows = [rowOf(ann, 'ann'), rowOf(bob, 'bob'), rowOf(cid, 'cid')] as const
  const same = await run(...where, '--file', await fileOf(...rows, ''))
  assert.deepEqual([same.code, same.out, same.err], [0, 'The users in the file are the same as in Rollcall.\n', ''])
  const other = ['--file', await fileOf(rows[0], rowOf(bob, 'robert'), rowOf('stranger', 'eve'))]
  const { code, out } = await run(...where, ...other)
  assert.equal(code, 1)
  assert.match(out, new RegExp(`^${cid} +only in Rollcall +active true; email "cid"$`, 'm'))
  assert.match(out, new RegExp(`^${bob} +different +email "bob", in the file "robert"$`, 'm'))
  assert.match(out, /^stranger +only in the file +active true; email "eve"$/m)
  assert.match(out, /^3 users differ\.$/m)
  assert.doesNotMatch(out, new RegExp(ann))
  const json = await run(...where, ...other, '--json', '--fields', 'email')
  const lines = json.out.trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).find(({ id }) => id === bob),
    { id: bob, kind: 'different', ours: { id: bob, email: 'bob' }, theirs: { id: bob, email: 'robert' } },
  )
  assert.equal(lines.length, 3)
})

test('what cannot be compared is named, with the exit code 2', async () => {
  const none = await run('users.ndjson', '--colour')
  assert.equal(none.code, 2)
  for (const problem of [/--colour/, /"users.ndjson" is an unexpected/, /--directory <id>/, /--file <file>/])
    assert.match(none.err, problem)
  const where = ['--directory', 'd', '--url', 'http://127.0.0.1:1']
  for (const [problem, ...argv] of [
    [/users\.ndjson, line 2: write a JSON object with the id/, '--file', await fileOf({ id: 'a' }, '{"id":7}')],
    [/needs fields: one or more of active, email/, '--file', join(folder, 'users.ndjson'), '--fields', 'title'],
    [/no such file/, '--file', join(folder, 'nothing')],
  ] as const) {
    const { code, err } = await run(...where, ...argv)
    assert.equal(code, 2)
    assert.match(err, problem)
  }
  const unreachable = await run(...where, '--file', await fileOf({ id: 'a', email: 'a' }))
  assert.deepEqual([unreachable.code, /cannot be reached: pass the address/.test(unreachable.err)], [2, true])
  assert.match((await run('--help')).out, /^Usage: rollcall compare/)
})
