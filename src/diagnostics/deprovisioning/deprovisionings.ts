import type { Directory } from '../../directory/directory.ts'
import type { DeprovisioningStore, OpenDeprovisioning } from './deprovisioning-store.ts'
import { percentilesOf } from './percentiles.ts'

const dayMs = 24 * 3_600_000

/** The period that the statistics of a directory cover; open deprovisionings are dropped after it as well. */
export const keptDays = 30

/** The maximum number of overdue deprovisionings in a response, which lists the oldest. */
const maxListed = 100

/** The maximum number of overdue deprovisionings that the metric counts. */
const maxCounted = 100_000

export interface DeprovisioningParts {
  readonly store: DeprovisioningStore
  readonly directories: { get(id: string): Promise<Directory> }
  /** See `overdueUntil`. */
  readonly targetMs: number
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Statistics on the time until the product receives that a user lost access. */
export type Deprovisionings = ReturnType<typeof createDeprovisionings>

export function createDeprovisionings({ store, directories, targetMs, clock }: DeprovisioningParts) {
  return {
    /**
     * The times of a directory over the last 30 days, and its overdue deprovisionings.
     *
     * @throws DirectoryError `directory-not-found`
     */
    async times(id: string) {
      const { id: directoryId } = await directories.get(id)
      const now = clock()
      const durations = await store.deprovisionTimes(directoryId, now - keptDays * dayMs)
      const open = await store.openDeprovisionings(directoryId, maxListed)
      const until = overdueUntil(now, targetMs)
      const overdue = open.filter(({ receivedAt }) => receivedAt <= until)
      return { ...percentilesOf(durations), target_ms: targetMs, overdue: overdue.map(overdueView) }
    },
    /** The number of overdue deprovisionings of all directories, up to 100,000. */
    countOverdue: () => store.countOpenDeprovisionings(overdueUntil(clock(), targetMs), maxCounted),
  }
}

/**
 * The time, in Unix milliseconds, at or before which a request must have arrived for its open deprovisioning to be
 * overdue.
 *
 * @param targetMs `DEPROVISION_TARGET`; 0: none is ever overdue
 */
export function overdueUntil(now: number, targetMs: number): number {
  return targetMs === 0 ? -1 : now - targetMs
}

function overdueView({ userId, subject, receivedAt, sequence }: OpenDeprovisioning) {
  return { user_id: userId, subject, since: new Date(receivedAt).toISOString(), sequence }
}
