import { createRepetition } from '../../concurrency/repetition.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import type { OperatorNotices } from '../../directory/operator-notice.ts'
import type { DeprovisioningStore, OverdueDeprovisioning } from './deprovisioning-store.ts'
import { overdueUntil } from './deprovisionings.ts'

const maxIntervalMs = 10_000
const minIntervalMs = 1_000
const takenAtOnce = 100

export interface OverdueWatchParts {
  readonly store: Pick<DeprovisioningStore, 'takeOverdue'> & Pick<DirectoryRecords, 'getDirectory'>
  /** See `overdueUntil`. */
  readonly targetMs: number
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  readonly notices: Pick<OperatorNotices, 'notify'>
}

/** Reports each deprovisioning once when it becomes overdue, in the log and to the operator. */
export interface OverdueWatch {
  start(): void
  close(): Promise<void>
}

/** Checks every ten seconds, more often for a short target. An index makes checks without a result cheap. */
export function createOverdueWatch(parts: OverdueWatchParts): OverdueWatch {
  const { store, targetMs, clock, schedule, log } = parts
  const intervalMs = Math.min(maxIntervalMs, Math.max(minIntervalMs, targetMs / 4))
  const watch = createRepetition(schedule, async () => {
    try {
      await reportOverdue()
    } catch (error) {
      log.error({ err: error }, 'overdue deprovisionings could not be read; retrying')
    }
    return intervalMs
  })

  async function reportOverdue(): Promise<void> {
    for (;;) {
      const overdue = await store.takeOverdue(overdueUntil(clock(), targetMs), takenAtOnce)
      for (const [directoryId, ofDirectory] of Map.groupBy(overdue, (one) => one.directoryId)) {
        await report(parts, directoryId, ofDirectory)
      }
      if (overdue.length < takenAtOnce || watch.isClosed()) return
    }
  }

  return {
    start() {
      if (targetMs > 0) watch.start(intervalMs)
    },
    close: watch.close,
  }
}

/** Logs the ids of the users, not their names. */
async function report(
  { store, targetMs, clock, log, notices }: OverdueWatchParts,
  directoryId: string,
  overdue: readonly OverdueDeprovisioning[],
): Promise<void> {
  const directory = await store.getDirectory(directoryId)
  if (directory === undefined) return
  const found = overdue.map(({ userId, sequence, receivedAt }) => {
    return { userId, sequence, since: new Date(receivedAt).toISOString() }
  })
  for (const one of found) {
    log.warn({ directoryId, ...one }, 'the product was not notified in time that a user lost access')
  }
  const count = overdue.length
  const seconds = targetMs / 1_000
  const who = count === 1 ? 'A user has' : `${count} users have`
  const message = `${who} lost access, but the product was not notified within ${seconds} s and may still let them in. Check the endpoint of the directory.`
  const [first] = found
  if (first === undefined) return
  const { userId: user_id, sequence, since } = first
  const details = { user_id, sequence, since, overdue: count }
  await notices.notify({ type: 'deprovision.overdue', directory, at: clock(), message, details })
}
