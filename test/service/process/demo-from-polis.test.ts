import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runPolisDemo } from '../../../tools/demo/polis/demo.ts'
import { startMoveFrom } from '../../../tools/demo/polis/move.ts'
import { startPostgres } from '../../support/postgres.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

test('a Polis is moved while its identity providers go on, and the product misses nothing', async () => {
  await using polis = await startPostgres({ isEmpty: true })
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-demo-'))
  const io = fakeIo()
  const env = { DATABASE_URL: `sqlite:${join(folder, 'rollcall.db')}`, PORT: '0', LOG_LEVEL: 'error' }
  {
    await using move = await startMoveFrom(polis.url, env, io)
    const { directories, succeeded } = await runPolisDemo(move)
    assert.equal(succeeded, true, io.out())
    assert(directories.every(({ scimUrl }) => scimUrl.startsWith(`${move.proxy.url}/api/scim/v2.0/`)))
  }
  await rm(folder, { recursive: true })
  const out = io.out()
  assert.match(out, /Microsoft Entra ID provisions the tenant globex into Polis\n/)
  assert.match(out, /--plan: what would be moved\n {2}2 directories, \d+ users, 5 groups, \d+ members, with all ids/)
  assert.match(out, /Requests were answered with 503 for \d[\d.]* m?s; \d+ requests? had to be repeated\./)
  assert.match(
    out,
    /The second run brought what had changed since the first: [1-9]\d* changes?, [1-9]\d* queued events?\./,
  )
  assert.match(out, /--verify: 0 differences\./)
  assert.match(out, /acme: \d+ events, 0 missing, 0 out of order\n {2}globex: \d+ events, 0 missing, 0 out of order/)
  assert.doesNotMatch(out, /error/)
})
