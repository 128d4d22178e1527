import type { EngineHeldDeletions } from '../held-deletions.ts'
import { heldRowsPerStep, ids } from '../held-deletions.ts'
import type { Database } from './database.ts'
import type { Reader } from './reader.ts'
import { withoutNulIds } from './reader.ts'
import { ofDirectory } from './sql.ts'

/** Locks the row of the run, so that nothing is held for a run that ends in the meantime. */
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

const release = `
  with step as (
    delete from held_deletions where ${ofDirectory()} and ctid = any(array(
      select ctid from held_deletions where directory_id = $1 and run_id = $2
      limit ${heldRowsPerStep} for update skip locked))
    returning 1
  )
  select count(*) as n from step`

/** Statements on many held deletions on PostgreSQL. */
export function postgresHeldDeletions({ query }: Database, { rows, number }: Reader): EngineHeldDeletions {
  return {
    async holdDeletions(directoryId, runId, kind, deletions) {
      await query({ text: hold, values: [directoryId, runId, kind, deletions] })
    },
    heldAmong: async (directoryId, runId, kind, candidates) =>
      new Set(ids(await rows({ text: among, values: [directoryId, runId, kind, withoutNulIds(candidates)] }))),
    removeStep: (directoryId, runId) => number({ text: release, values: [directoryId, runId] }),
  }
}
