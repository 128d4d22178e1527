import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExtdirStore } from '../../google/store.ts'
import type { Database, Row } from './database.ts'
import type { Reader } from './read.ts'

const rowsPerStep = 500

/** The row of the run is locked, so that nothing is held for a run that ends meanwhile. */
const hold = `
  with run as (
    select directory_id, id from sync_runs where directory_id = $1 and id = $2 and state = 'running' for share
  )
  insert into held_deletions (directory_id, run_id, kind, id)
  select r.directory_id, r.id, $3, k.id from run r cross join unnest((select $4::text[])) as k (id)
  on conflict (directory_id, run_id, kind, id) do nothing`

const among = `
  select id from held_deletions
  where directory_id = $1 and run_id = $2 and kind = $3 and id = any((select $4::text[])::text[])`

const list = `
  select id from held_deletions
  where directory_id = $1 and run_id = $2 and kind = $3 and id > $4 order by id limit $5`

const release = `
  with step as (
    delete from held_deletions where ctid = any(array(
      select ctid from held_deletions where directory_id = $1 and run_id = $2
      limit ${rowsPerStep} for update skip locked))
    returning 1
  )
  select count(*) as n from step`

/**
 * Whether a run `r` holds anything: one look into the index for each run that is asked about. As an `exists` the planner
 * joins it, and reads all that the directory holds.
 */
export const holdsSome = `
  (select 1 from held_deletions h where h.directory_id = r.directory_id and h.run_id = r.id limit 1) is not null`

const ended = `
  select r.id from sync_runs r
  where r.directory_id = $1 and r.state not in ('running', 'held') and ${holdsSome}`

/** What runs would delete, and what removes that of the runs that have ended. */
export interface HeldDeletions extends Pick<ExtdirStore, 'holdDeletions' | 'heldAmong' | 'listHeld' | 'releaseHeld'> {
  /** Forgets what runs of a directory hold that are neither running nor held. */
  releaseEnded(directoryId: string): Promise<void>
}

/** What runs would delete, on PostgreSQL. */
export function postgresHeldDeletions({ query }: Database, { rows, number }: Reader): HeldDeletions {
  const ids = (found: readonly Row[]) => found.map(({ id }) => String(id))

  async function releaseHeld(directoryId: string, runId: string): Promise<void> {
    while ((await number({ text: release, values: [directoryId, runId] })) > 0) await nextTurn()
  }

  return {
    async holdDeletions(directoryId, runId, kind, deletions) {
      await query({ text: hold, values: [directoryId, runId, kind, deletions] })
    },
    heldAmong: async (directoryId, runId, kind, asked) =>
      new Set(ids(await rows({ text: among, values: [directoryId, runId, kind, asked] }))),
    listHeld: async (directoryId, runId, kind, after, limit) =>
      ids(await rows({ text: list, values: [directoryId, runId, kind, after, limit] })),
    releaseHeld,
    async releaseEnded(directoryId) {
      for (const runId of ids(await rows({ text: ended, values: [directoryId] }))) await releaseHeld(directoryId, runId)
    },
  }
}
