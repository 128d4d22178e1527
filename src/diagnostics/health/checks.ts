import { createRepetition } from '../../concurrency/repetition.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import { overdueUntil } from '../deprovisioning/deprovisionings.ts'
import type { CheckedHealth, DueCheck, HealthCheckStore } from './check-store.ts'
import type { HealthFactParts, KnownHealth } from './facts.ts'
import { readHealth } from './facts.ts'
import { severityOf } from './severity.ts'
import { backlogMs, decideHealth, nextChangeAt } from './state.ts'

const intervalMs = 5_000
/** The pause while more directories are due, as after an upgrade. */
const busyIntervalMs = 100
/** The maximum number of marks, and of directories that are due for another reason, that are read at once. */
const maxAtOnce = 100
/** The number of such reads before a read of states, which tells how much is left. */
const maxBeforeRead = 3
/** The maximum number of changes of counts that are added up at once. */
const maxAddedUp = 200
/** A state that ends with time, without a mark, is checked this often. */
const recheckMs = 10_000

export interface HealthCheckParts extends HealthFactParts {
  readonly store: HealthFactParts['store'] & HealthCheckStore & Pick<DirectoryRecords, 'getDirectories'>
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/**
 * Keeps the state of each directory that counts and lists read. The commit of any fact that the state depends on marks the
 * directory, and time may make a check due as well. Checks run every few seconds, and before each read of states; so what is
 * read is true, and costs nothing for directories without news.
 */
export interface HealthChecks {
  start(): void
  /** Checks the directories that are due, up to a few hundred: before a read of their states. */
  refresh(): Promise<void>
  close(): Promise<void>
}

export function createHealthChecks(parts: HealthCheckParts): HealthChecks {
  const { schedule, log } = parts
  let workAfter = ''
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<boolean> | undefined

  const repetition = createRepetition(schedule, async () => {
    try {
      const hasMore = await checkNext()
      const isAddedUp = (await parts.store.addHealthCounts(maxAddedUp)) < maxAddedUp
      return hasMore || !isAddedUp ? busyIntervalMs : intervalMs
    } catch (error) {
      log.error({ err: error }, 'the health of directories could not be checked; retrying')
      return intervalMs
    }
  })

  /** Checks the directories that are due, and returns whether more are. Callers that wait for the current run share the next. */
  function checkNext(): Promise<boolean> {
    next ??= running.then(() => {
      next = undefined
      const current = checkDue()
      running = current.catch(() => {})
      return current
    })
    return next
  }

  async function checkDue(): Promise<boolean> {
    const now = parts.clock()
    const until = overdueUntil(now, parts.deprovisionTargetMs)
    const found = await parts.store.dueChecks({
      ...{ now, overdueUntil: until, waitingUntil: now - backlogMs, workAfter, limit: maxAtOnce },
    })
    workAfter = found.workAfter
    if (found.due.length > 0) await parts.store.saveChecks(await check(parts, found.due))
    return found.hasMore
  }

  return {
    start: () => repetition.start(intervalMs),
    async refresh() {
      for (let run = 0; run < maxBeforeRead && (await checkNext()); run += 1);
    },
    async close() {
      await repetition.close()
      await running
    },
  }
}

async function check(parts: HealthCheckParts, due: readonly DueCheck[]): Promise<CheckedHealth[]> {
  const directories = await parts.store.getDirectories(due.map(({ directoryId }) => directoryId))
  const known = await readHealth(parts, [...directories.values()])
  const byId = new Map(known.map((one) => [one.directory.id, one]))
  return due.map((one) => checked(one, byId.get(one.directoryId)))
}

function checked(due: DueCheck, known: KnownHealth | undefined): CheckedHealth {
  if (known === undefined) {
    return { ...due, severity: undefined, isHeld: false, isOverdue: false, isBehind: false, checkAt: undefined }
  }
  const health = decideHealth(known.facts)
  const { holds, overdue } = known.facts.stored
  const isOverdue = overdue > 0
  const isBehind = health.reasons.some(({ code }) => code === 'delivery-behind')
  const checkAt = isOverdue || isBehind ? known.facts.now + recheckMs : nextChangeAt(known.facts)
  return { ...due, severity: severityOf(health), isHeld: holds.length > 0, isOverdue, isBehind, checkAt }
}
