import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { auditActions } from '../../src/directory/audit.ts'
import { startTestService } from '../support/service.ts'

const page = await readFile(new URL('../../docs/admin-api.md', import.meta.url), 'utf8')
const rootToken = 'root-token-of-the-test-of-the-page'
const main = fileURLToPath(new URL('../../bin/rollcall.js', import.meta.url))

/** The lines of a page's shell blocks; a service is started by the test. */
function shellLines(text: string): string {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return blocks.filter((block) => !block.includes('rollcall serve')).join('\n')
}

test('the commands in docs/admin-api.md work as they are', async () => {
  await using service = await startTestService('sqlite', { ADMIN_ROOT_TOKEN: rootToken })
  const { env, folder } = service.database
  const script = shellLines(page)
    .replaceAll('http://localhost:5225', service.origin)
    .replaceAll('curl -s ', 'curl -sS --fail-with-body --write-out "\\n" ')
    .replaceAll('npx rollcall', `node ${main}`)
  const { stdout, stderr } = await promisify(execFile)('sh', ['-eu', '-c', script], {
    cwd: folder,
    env: {
      ...env,
      PATH: [dirname(process.execPath), process.env['PATH']].join(':'),
      ADMIN_ROOT_TOKEN: rootToken,
    },
  })
  assert.equal(stderr, '')
  for (const text of ['"key":"rck_', '"timezone":"Europe/Berlin"', '"ok":true', 'The audit trail is intact']) {
    assert(stdout.includes(text), `${text} in ${stdout}`)
  }
  const exported = await readFile(join(folder, 'audit.jsonl'), 'utf8')
  assert.match(exported, /"action":"audit\.exported"/)
})

test('docs/admin-api.md lists every recorded action', () => {
  const [, table = ''] = /^### Recorded actions\n(.*?)^#/ms.exec(page) ?? []
  assert.deepEqual(
    [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, action]) => action),
    [...auditActions],
  )
})
