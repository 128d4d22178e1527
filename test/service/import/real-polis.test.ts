import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPolisSource } from '../../../src/polis/import/source/open.ts'
import { runPolisDemo } from '../../../tools/demo/polis/demo.ts'
import { startMoveFrom } from '../../../tools/demo/polis/move.ts'
import { execute, startPostgres } from '../../support/postgres.ts'
import { forSuite } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'
import type { PublishedAnswers } from '../polis/same-calls.ts'
import { publishedAnswersFile } from '../polis/same-calls.ts'
import { openImportBench } from './support/import.ts'
import { installPolisLibrary, startLivePolis } from './support/live-polis.ts'
import { emptyPolis } from './support/memory-polis.ts'
import { recordAnswers, recordPolis } from './support/record.ts'
import { openRecordedDatabase, readRecording, withChangingNumbered, withoutIds } from './support/recording.ts'
import { encryptionKeyOf, playScenario, scenarioOptions } from './support/scenario.ts'

const library = forSuite(installPolisLibrary)

for (const name of ['plain', 'encrypted'] as const) {
  test(`Polis writes and shows what is recorded (${name}), and is imported from its database and over its API`, async () => {
    const encryptionKey = encryptionKeyOf(name)
    const options = { library: library().url, encryptionKey, ...scenarioOptions }
    await using polis = await startLivePolis({ ...options, pageLimit: 2 })
    const played = await playScenario(polis, name)
    const recorded = await readRecording(name)
    assert.deepEqual(withoutIds(await recordPolis(polis, { encryptionKey, ...played })), withoutIds(recorded))
    await using recordedDatabase = await openRecordedDatabase(recorded)
    assert.deepEqual(await columnsOf(polis.databaseUrl), await columnsOf(recordedDatabase.url))

    for (const from of [polis.databaseUrl, polis.url]) {
      await using bench = await openImportBench('postgres')
      const source = await openPolisSource({ from, key: encryptionKey, apiKey: polis.apiKey })
      const run = (mode: 'plan' | 'apply' | 'verify') =>
        bench.run(emptyPolis(), mode, { source, filter: { product: 'crm' } })
      const plan = await run('plan')
      const { totals, directories } = await run('apply')
      assert.deepEqual(totals, plan.totals)
      assert.equal(directories.length, recorded.shown.length)
      assert.ok(totals.users.created > 10 && totals.members.created > 0)
      assert.equal((await run('verify')).difference_count, 0)
      await source.close()
    }
  })
}

test('Polis refuses another API key, and says which records it does not have', async () => {
  await using polis = await startLivePolis({ library: library().url })
  const { id } = await polis.createDirectory({ tenant: 'acme', product: 'crm' })
  const refused = await openPolisSource({ from: polis.url, apiKey: 'wrong' })
  await assert.rejects(Array.fromAsync(refused.directories({ product: 'crm' })), { message: /refuses the API key/ })
  await refused.close()
  const source = await openPolisSource({ from: polis.url, apiKey: polis.apiKey })
  const [directory = assert.fail()] = await Array.fromAsync(source.directories({ product: 'crm' }))
  const gone = '00000000-0000-4000-8000-000000000000'
  assert.deepEqual(await source.existing('directory', directory, [id, gone]), new Set([id]))
  for (const kind of ['user', 'group', 'setup-link'] as const)
    assert.deepEqual(await source.existing(kind, directory, [gone]), new Set(), kind)
  await source.close()
})

test('the controllers of Polis answer what is recorded', async () => {
  const recorded: PublishedAnswers = JSON.parse(await readFile(publishedAnswersFile, 'utf8'))
  assert.deepEqual(withChangingNumbered(await recordAnswers(library().url)), withChangingNumbered(recorded))
})

test('a Polis is moved while its identity providers go on, and the product misses nothing', async () => {
  await using polis = await startPostgres({ isEmpty: true })
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-demo-'))
  const io = fakeIo()
  const env = { DATABASE_URL: `sqlite:${join(folder, 'rollcall.db')}`, PORT: '0', LOG_LEVEL: 'error' }
  {
    await using move = await startMoveFrom({ from: polis.url, env, io, library: library().url })
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

/** The columns of Polis' tables. */
async function columnsOf(url: string) {
  return await execute(
    url,
    `select table_name, column_name, data_type, character_maximum_length, is_nullable, column_default
     from information_schema.columns where table_name like 'jackson%' order by table_name, ordinal_position`,
  )
}
