import assert from 'node:assert/strict'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { SyncRunView } from '../../../src/google/sync/run-view.ts'
import type { FakeGoogle } from '../../../tools/fake-google/server.ts'
import { settingsOf, startFakeGoogle } from '../../../tools/fake-google/server.ts'
import type { Client } from '../../support/client.ts'
import type { TestDatabase } from '../../support/database.ts'
import { execute } from '../../support/postgres.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { replicaFrom, replicaRead } from '../../support/replica.ts'
import type { TestSettings } from '../../support/service.ts'
import { generatePlain } from '../../unit/fake-google/generate.ts'
import { assertSameAsWorkspace } from '../../unit/fake-google/same-as-workspace.ts'
import { feedAfter } from './feed.ts'

type OfDirectory = Pick<DirectoryView, 'id'>

/** A fake Google with a hundred users on small pages, which means many requests per sync. */
export async function startSmallGoogle(seed: number): Promise<FakeGoogle> {
  const google = await startFakeGoogle()
  generatePlain(google, { seed, users: 120, groups: 12, memberships: 350 })
  google.knobs.pageSizeCap = 20
  return google
}

/** The settings of a service that uses it, without a deletion threshold. */
export function settingsFor(google: FakeGoogle): TestSettings {
  return { ...settingsOf(google), DSYNC_EXTDIR_MAX_DELETE_PERCENT: '100' }
}

/** The runs of a directory, newest first. */
export async function runsOf(client: Client, { id }: OfDirectory): Promise<SyncRunView[]> {
  const { status, body, text } = await client.api('GET', `/${id}/sync-runs`)
  assert.equal(status, 200, text)
  return body.data as unknown as SyncRunView[]
}

/**
 * Expires the leases of all runs in the database, so that another process can take them over without waiting 15
 * seconds.
 */
export async function endLeases({ engine, env }: TestDatabase): Promise<void> {
  if (engine !== 'postgres') return
  await execute(env['DATABASE_URL'] ?? '', `update sync_runs set lease_expires_at = 0 where state = 'running'`)
}

/**
 * Asserts that a directory and the replica built from its events equal the Workspace, and that the events have no gaps,
 * duplicates or contradictions. The events after `checked`, since when the Workspace has not changed, must not remove a
 * user who still exists. Returns the events.
 */
export async function assertPulled(
  client: Client,
  directory: DirectoryView,
  google: FakeGoogle,
  checked = 0,
): Promise<ReceivedEvent[]> {
  const events = await feedAfter(client, directory)
  assert.deepEqual(deletedByMistake(events.slice(checked), google), [])
  const replica = replicaFrom(events)
  assertSameAsWorkspace(replica, google)
  assertSameAsWorkspace(await replicaRead(client, directory), google)
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length, 'no event is there twice')
  return events
}

function deletedByMistake(events: readonly ReceivedEvent[], google: FakeGoogle): ReceivedEvent[] {
  const there = new Set([...google.users(), ...google.groups()].map(({ id }) => id))
  return events.filter(({ event, data }) => event.endsWith('.deleted') && there.has(data.id))
}
