import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GoogleStore } from '../google/google-store.ts'
import type { Row } from './row.ts'
import { text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

/** The number of rows that one step of a release removes. */
export const heldRowsPerStep = 500

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

/** The statements on many rows, which engines write differently. */
export interface EngineHeldDeletions extends Pick<GoogleStore, 'holdDeletions' | 'heldAmong'> {
  /** Removes at most `heldRowsPerStep` rows of a run; returns how many. */
  removeStep(directoryId: string, runId: string): Promise<number>
}

/** Held deletions. They are released in small steps, between other work. */
export function createHeldDeletions(
  { query }: SqlDatabase,
  { removeStep, ...held }: EngineHeldDeletions,
): HeldDeletions {
  async function releaseHeld(directoryId: string, runId: string): Promise<void> {
    while ((await removeStep(directoryId, runId)) > 0) await nextTurn()
  }
  return {
    ...held,
    listHeld: async (directoryId, runId, kind, after, limit) =>
      ids(await query({ text: list, values: [directoryId, runId, kind, after, limit] })),
    releaseHeld,
    async releaseEnded(directoryId) {
      for (const runId of ids(await query({ text: ended, values: [directoryId] })))
        await releaseHeld(directoryId, runId)
    },
  }
}

/** Decodes rows of `id`. */
export function ids(rows: readonly Row[]): string[] {
  return rows.map((row) => text(row, 'id'))
}
