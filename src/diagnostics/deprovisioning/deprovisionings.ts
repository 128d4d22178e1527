import type { Directory } from '../../directory/directory.ts'
import type { DeprovisioningStore, OpenDeprovisioning } from './deprovisioning-store.ts'
import { percentilesOf } from './percentiles.ts'

const dayMs = 24 * 3_600_000

/** The period that the times of a directory are about; open deprovisionings are forgotten after it as well. */
export const keptDays = 30

/** The most overdue deprovisionings that one response lists: the oldest ones. */
const maxListed = 100

/** The most overdue deprovisionings that the metric counts. */
const maxCounted = 100_000

export interface DeprovisioningParts {
  readonly store: DeprovisioningStore
  readonly directories: { get(id: string): Promise<Directory> }
  /** See `overdueUntil`. */
  readonly targetMs: number
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** How long it takes until the product receives that a user lost access. */
export type Deprovisionings = ReturnType<typeof createDeprovisionings>

export function createDeprovisionings({ store, directories, targetMs, clock }: DeprovisioningParts) {
  return {
    /** The times of a directory over the last 30 days, and what is overdue. @throws DirectoryError `directory-not-found` */
    async times(id: string) {
      const { id: directoryId } = await directories.get(id)
      const now = clock()
      const durations = await store.deprovisionTimes(directoryId, now - keptDays * dayMs)
      const open = await store.openDeprovisionings(directoryId, maxListed)
      const until = overdueUntil(now, targetMs)
      const overdue = open.filter(({ receivedAt }) => receivedAt <= until)
      return { ...percentilesOf(durations), target_ms: targetMs, overdue: overdue.map(overdueView) }
    },
    /** How many deprovisionings of all directories are overdue, up to 100,000. */
    countOverdue: () => store.countOpenDeprovisionings(overdueUntil(clock(), targetMs), maxCounted),
  }
}

/**
 * Open deprovisionings are overdue whose request arrived at this time or before, in Unix milliseconds.
 *
 * @param targetMs `DEPROVISION_TARGET`; 0: none is ever overdue
 */
export function overdueUntil(now: number, targetMs: number): number {
  return targetMs === 0 ? -1 : now - targetMs
}

function overdueView({ userId, subject, receivedAt, sequence }: OpenDeprovisioning) {
  return { user_id: userId, subject, since: new Date(receivedAt).toISOString(), sequence }
}
