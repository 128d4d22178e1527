import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { mappingCommand } from '../../../src/cli/mapping.ts'
import { startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from './support/fake-io.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-mapping-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function run(...argv: readonly string[]) {
  const io = fakeIo({ env: { ROLLCALL_API_KEY: testApiKey } })
  const code = await mappingCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

async function fileOf(mapping: unknown): Promise<string> {
  const file = join(folder, 'mapping.json')
  await writeFile(file, typeof mapping === 'string' ? mapping : JSON.stringify(mapping))
  return file
}

test('a mapping is previewed, applied and shown', async () => {
  await using service = await startTestService('sqlite')
  const directory = await service.createDirectory()
  await service.scim(directory, 'POST', '/Users', { userName: 'ann@acme.example' })
  const where = ['--directory', directory.id, '--url', service.origin]
  const mapping = { roles: { default: ['member'], rules: [{ role: 'admin', when: { group_name: 'Admins' } }] } }
  const file = await fileOf(mapping)
  const none = await run('show', ...where)
  assert.deepEqual([none.code, none.out, none.err], [0, '', 'There is no mapping.\n'])
  const preview = await run('preview', ...where, '--file', file)
  assert.equal(preview.code, 0, preview.err)
  assert.match(preview.out, /^1 of 1 users would change\./)
  assert.match(preview.out, /member +\+1 +-0/)
  assert.match(preview.out, /ann@acme.example .*member +default/)
  assert.match(preview.err, /Warning: Rule r1: there is no group named Admins\./)
  const applied = await run('apply', ...where, '--file', file, '--version', '0')
  assert.deepEqual([applied.code, applied.out], [0, 'Version 1 is in effect.\n'], applied.err)
  const shown = await run('show', ...where)
  assert.deepEqual(JSON.parse(shown.out), mapping)
  const late = await run('apply', ...where, '--file', file, '--version', '0')
  assert.deepEqual([late.code, /last version of this mapping is 1, not 0/.test(late.err)], [1, true])
  const product = await run('apply', '--product', 'crm', '--url', service.origin, '--file', file)
  assert.equal(product.code, 0, product.err)
})

test('wrong arguments and files are named', async () => {
  const { code, err } = await run('change', '--version', 'x')
  assert.equal(code, 2)
  for (const problem of [/show, preview or apply/, /--directory <id> or the product/, /--version is a number/]) {
    assert.match(err, problem)
  }
  const both = await run('preview', '--directory', 'a', '--product', 'b')
  for (const problem of [/either the directory/, /--file/]) assert.match(both.err, problem)
  const text = await run('apply', '--directory', 'a', '--file', await fileOf('{'))
  assert.deepEqual([text.code, /is not JSON/.test(text.err)], [1, true])
})
