import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fillPolis } from '../../../tools/polis/fill.ts'
import { seededRandom, wholeBetween } from '../../guarantees/support/random.ts'
import { runCommand, startCommand } from '../../support/command.ts'
import { execute, startPostgres } from '../../support/postgres.ts'
import type { TestDatabase } from '../../support/service.ts'
import { openTestDatabase, startTestService, testApiKey } from '../../support/service.ts'
import { polisKey } from './support/recording.ts'

const size = { directories: 8, users: 60, groups: 5, members: 30, encryptionKey: polisKey }
const kills = 20
const seed = Number(process.env['TEST_SEED'] ?? 20_261_126)

function commandOf({ env }: TestDatabase, polis: string, mode: string) {
  const argv = ['import', 'polis', '--from', polis, mode]
  return { argv, options: { env: { ...env, API_KEYS: testApiKey, POLIS_ENCRYPTION_KEY: polisKey } } }
}

/** How far an import is: the rows that it has written. */
async function written({ env: { DATABASE_URL = '' } }: TestDatabase): Promise<number> {
  const tables = [
    'directories',
    'users',
    'groups',
    'members',
    'audit_entries',
    'imports where completed_at is not null',
  ]
  const counts = tables.map((table) => `(select count(*) from ${table})`)
  const [row] = await execute(DATABASE_URL, `select (${counts.join(' + ')})::int4 as written`)
  return Number(row?.['written'])
}

/** Everything that an import writes, without secrets, times and the numbers of directories. */
async function rowsOf({ env: { DATABASE_URL = '' } }: TestDatabase): Promise<unknown> {
  const queries = [
    'select id, name, tenant, product, directory_type, deactivated from directories order by id',
    `select directory_id, revision, last_sequence, discarded_events, active_users, memberships, endpoint_work > 0 as work,
      oldest_event_at, last_change_at from directory_state order by directory_id`,
    `select directory_id, id, sequence, version, user_name, user_name_folded, external_id, display_name, email, first_name,
      last_name, active, raw from users order by directory_id, sequence`,
    'select * from user_emails order by 1, 2, 3',
    'select directory_id, id, sequence, version, name, raw from groups order by directory_id, sequence',
    'select * from members order by 1, 2, 3',
    'select * from list_counts order by 1, 2, 3',
    'select list, term, shared, row_key % 8589934592 as place from search_terms order by 1, 2, 4, 3',
    'select directory_id, target, delivered_sequence from delivery_streams order by 1, 2',
    'select count(*) as events from events',
    'select directory_id, revision, last_sequence, completed_at is not null as complete from imports order by 1',
  ]
  return Promise.all(queries.map((query) => execute(DATABASE_URL, query)))
}

test('an import that was killed at twenty random points, then run again, leaves what one run leaves', async (t) => {
  await using polis = await startPostgres({ isEmpty: true })
  await fillPolis(polis.url, size)
  await using whole = await openTestDatabase('postgres')
  await using killed = await openTestDatabase('postgres')
  // The rows that a killed import has written are counted from its start on, so that the tables must be there.
  await (await startTestService(killed)).close()
  const single = commandOf(whole, polis.url, '--apply')
  const { code, stderr } = await runCommand(single.argv, single.options)
  assert.equal(code, 0, stderr)
  const total = await written(whole)
  const random = seededRandom(seed)
  const moments = Array.from({ length: kills }, () => wholeBetween(random, 1, total - 1)).toSorted((a, b) => a - b)
  t.diagnostic(`seed ${seed}: killed after ${moments.join(', ')} of ${total} rows`)
  let killedBeforeEnd = 0
  for (const moment of moments) {
    const { argv, options } = commandOf(killed, polis.url, '--apply')
    const child = startCommand(argv, options)
    const ended = once(child, 'exit')
    while (child.exitCode === null && (await written(killed)) < moment) await nextTurn()
    if (child.exitCode === null) child.kill('SIGKILL')
    const [, signal] = await ended
    if (signal === 'SIGKILL') killedBeforeEnd += 1
  }
  assert.ok(killedBeforeEnd > kills / 2, `${killedBeforeEnd} of ${kills} runs were killed`)
  const again = commandOf(killed, polis.url, '--apply')
  assert.equal((await runCommand(again.argv, again.options)).code, 0)
  assert.deepEqual(await rowsOf(killed), await rowsOf(whole))
  const verify = commandOf(killed, polis.url, '--verify')
  const verified = await runCommand(verify.argv, verify.options)
  assert.equal(verified.code, 0, verified.stdout)
  assert.match(verified.stdout, /Both sides are the same\./)
})
