import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import type { OperatorNotices } from '../../directory/operator-notice.ts'
import { isUnauthorized, unauthorizedNotice } from '../notices/unauthorized.ts'
import { isSomebodyElse } from './failures.ts'
import type { HealthStore, StoredHealth } from './health-store.ts'

const checkDelayMs = 2_000
/** The maximum number of directories that wait for a check; others are checked at their next rejected request. */
const maxWaiting = 200

export interface RejectionWatchParts {
  readonly store: Pick<HealthStore, 'storedHealth'> & Pick<DirectoryRecords, 'getDirectory'>
  readonly schedule: Schedule
  readonly log: DeliveryLogger
  readonly notices: Pick<OperatorNotices, 'notify'>
}

/**
 * Notifies the operator of identity providers with a wrong secret. All rejected requests within two seconds cost one
 * check per directory; the counts cover all processes.
 */
export interface RejectionWatch {
  /** Reports that rejected requests to these directories were stored. */
  noticed(directoryIds: readonly string[]): void
  close(): Promise<void>
}

export function createRejectionWatch({ store, schedule, log, notices }: RejectionWatchParts): RejectionWatch {
  const waiting = new Set<string>()
  let cancelTimer: (() => void) | undefined
  let checking = Promise.resolve()
  let isClosed = false

  async function check(): Promise<void> {
    cancelTimer = undefined
    const ids = [...waiting]
    waiting.clear()
    try {
      for (const [id, stored] of await store.storedHealth(ids, 0)) await notifyOf(id, stored)
    } catch (error) {
      log.error({ err: error }, 'rejected requests could not be checked')
    }
  }

  async function notifyOf(id: string, stored: StoredHealth): Promise<void> {
    const { failed, lastRequestAt } = stored
    if (failed?.since === undefined || isSomebodyElse(stored)) return
    const failures = {
      ...{ count: failed.sinceSuccess, withOtherSecret: failed.withSecret },
      ...{ firstAt: failed.since, lastAt: failed.lastAt, hasWorked: lastRequestAt !== undefined },
      problem: failed.problem,
    }
    if (!isUnauthorized(failures)) return
    const directory = await store.getDirectory(id)
    if (directory !== undefined) await notices.notify(unauthorizedNotice(directory, failures))
  }

  return {
    noticed(directoryIds) {
      if (isClosed) return
      for (const id of directoryIds) if (waiting.size < maxWaiting) waiting.add(id)
      cancelTimer ??= schedule(() => {
        checking = check()
      }, checkDelayMs)
    },
    close() {
      isClosed = true
      cancelTimer?.()
      return checking
    },
  }
}
