import { createRepetition } from '../../concurrency/repetition.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import { overdueUntil } from '../deprovisioning/deprovisionings.ts'
import type { CheckedHealth, DueCheck, HealthCheckStore } from './check-store.ts'
import type { HealthFactParts } from './facts.ts'
import { readHealth } from './facts.ts'
import { severityOf } from './severity.ts'
import type { HealthFacts } from './state.ts'
import { backlogMs, decideHealth, holdsOfEvents, nextChangeAt } from './state.ts'

const intervalMs = 5_000
/** The pause while more directories are due. */
const busyIntervalMs = 100
/** The maximum number of directories that are read at once for each reason to be due. */
const maxAtOnce = 100
/** The maximum number of such reads before a read of states. */
const maxBeforeRead = 3
/** A state that ends without making a check due is checked this often. */
const recheckMs = 10_000

export interface HealthCheckParts extends HealthFactParts {
  readonly store: HealthFactParts['store'] & HealthCheckStore & Pick<DirectoryRecords, 'getDirectories'>
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/**
 * Keeps the state of each directory that counts and lists read. The commit of any fact that the state depends on makes a check
 * due (`store/health-checks.ts`), and so may time. Checks run every few seconds, and before each read of states; so what is
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
      return (await checkNext()) ? busyIntervalMs : intervalMs
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
  const dueById = new Map(due.map((one) => [one.directoryId, one]))
  return known.flatMap(({ directory, facts }) => {
    const one = dueById.get(directory.id)
    return one === undefined ? [] : [checked(one, facts)]
  })
}

function checked(due: DueCheck, facts: HealthFacts): CheckedHealth {
  const health = decideHealth(facts)
  const { overdue } = facts.stored
  const isOverdue = overdue > 0
  const isBehind = health.reasons.some(({ code }) => code === 'delivery-behind')
  const checkAt = isOverdue || isBehind ? facts.now + recheckMs : nextChangeAt(facts)
  return {
    ...due,
    severity: severityOf(health),
    isHeld: holdsOfEvents(facts.stored).length > 0,
    isOverdue,
    isBehind,
    checkAt,
  }
}
