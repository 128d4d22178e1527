import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GoogleStore } from '../google/google-store.ts'

/** How many rows one step of a release removes. */
export const heldRowsPerStep = 500

/** The deletions that sync runs hold until they are approved. */
export interface HeldDeletions extends Pick<GoogleStore, 'holdDeletions' | 'heldAmong' | 'listHeld' | 'releaseHeld'> {
  /** Removes what is held by the runs of a directory that are neither running nor held. */
  releaseEnded(directoryId: string): Promise<void>
}

/**
 * Whether a run `r` holds any deletion: one index lookup per run. Written with `exists`, the planner of PostgreSQL would join,
 * and read every deletion that the directory holds.
 */
export const holdsSome = `
  (select 1 from held_deletions h where h.directory_id = r.directory_id and h.run_id = r.id limit 1) is not null`

/** The statements of an engine that a release consists of. */
export interface ReleaseSteps {
  /** Removes at most `heldRowsPerStep` rows of a run; returns how many. */
  removeStep(directoryId: string, runId: string): Promise<number>
  /** The runs that are neither running nor held, but still hold deletions. */
  endedRuns(directoryId: string): Promise<string[]>
}

/** Releases held deletions in small steps, between other work. */
export function createRelease({
  removeStep,
  endedRuns,
}: ReleaseSteps): Pick<HeldDeletions, 'releaseHeld' | 'releaseEnded'> {
  async function releaseHeld(directoryId: string, runId: string): Promise<void> {
    while ((await removeStep(directoryId, runId)) > 0) await nextTurn()
  }
  return {
    releaseHeld,
    async releaseEnded(directoryId) {
      for (const runId of await endedRuns(directoryId)) await releaseHeld(directoryId, runId)
    },
  }
}
