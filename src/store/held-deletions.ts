import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GoogleStore } from '../google/google-store.ts'
import { createRemoveStep } from './remove-rows.ts'
import type { Row } from './row.ts'
import { text } from './row.ts'
import type { Dialect, SqlDatabase } from './sql-database.ts'

/** The deletions that sync runs hold until they are approved. */
export interface HeldDeletions extends Pick<GoogleStore, 'holdDeletions' | 'heldAmong' | 'listHeld' | 'releaseHeld'> {
  /** Removes what is held by the runs of a directory that are neither running nor held. */
  releaseEnded(directoryId: string): Promise<void>
}

/**
 * The condition that a run `r` holds any deletion: one index lookup per run. Written with `exists`, the planner of PostgreSQL would join,
 * and read every deletion that the directory holds.
 */
export const holdsSome = `
  (select 1 from held_deletions h where h.directory_id = r.directory_id and h.run_id = r.id limit 1) is not null`

const list = `
  select id from held_deletions
  where directory_id = $1 and run_id = $2 and kind = $3 and id > $4 order by id limit $5`

/** The runs that are neither running nor held, but still hold deletions. */
const ended = `
  select r.id from sync_runs r
  where r.directory_id = $1 and r.state not in ('running', 'held') and ${holdsSome}`

/** Locks the row of the run, so that nothing is held for a run that ends in the meantime. */
const hold = ({ elementsOf }: Dialect) => `
  with run as (
    select directory_id, id from sync_runs where directory_id = $1 and id = $2 and state = 'running' for share
  )
  insert into held_deletions (directory_id, run_id, kind, id)
  select r.directory_id, r.id, $3, j.value ->> 0 from run r cross join ${elementsOf('$4', 'j')}
  where true on conflict (directory_id, run_id, kind, id) do nothing`

const among = ({ elementsOf, joinOne }: Dialect) => `
  select h.id from ${elementsOf('$4', 'j')} ${joinOne(
    'held_deletions',
    'h',
    'h.directory_id = $1 and h.run_id = $2 and h.kind = $3 and h.id = (j.value ->> 0)',
  )}`

/** Held deletions. They are released in small steps, between other work. */
export function createHeldDeletions(database: SqlDatabase): HeldDeletions {
  const { query, atomically, dialect } = database
  const [holding, readingAmong] = [hold(dialect), among(dialect)]
  const removeStep = createRemoveStep(database, {
    ...{ table: 'held_deletions', of: ['directory_id', 'run_id'], key: ['kind', 'id'] },
  })
  async function releaseHeld(directoryId: string, runId: string): Promise<void> {
    while (await removeStep([directoryId, runId])) await nextTurn()
  }
  return {
    async holdDeletions(directoryId, runId, kind, deletions) {
      await atomically([{ text: holding, values: [directoryId, runId, kind, elements(deletions)] }])
    },
    async heldAmong(directoryId, runId, kind, candidates) {
      const stored = candidates.filter((id) => !id.includes('\0'))
      return new Set(ids(await query({ text: readingAmong, values: [directoryId, runId, kind, elements(stored)] })))
    },
    listHeld: async (directoryId, runId, kind, after, limit) =>
      ids(await query({ text: list, values: [directoryId, runId, kind, after, limit] })),
    releaseHeld,
    async releaseEnded(directoryId) {
      for (const runId of ids(await query({ text: ended, values: [directoryId] })))
        await releaseHeld(directoryId, runId)
    },
  }
}

function elements(values: readonly string[]): string {
  return JSON.stringify(values.map((value) => [value]))
}

/** Decodes rows of `id`. */
function ids(rows: readonly Row[]): string[] {
  return rows.map((row) => text(row, 'id'))
}
