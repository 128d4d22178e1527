import { createRepetition } from '../../concurrency/repetition.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import { overdueUntil } from '../deprovisioning/deprovisionings.ts'
import type { HealthFactParts, KnownHealth } from './facts.ts'
import { readHealth } from './facts.ts'
import type { CheckedHealth, DueCheck, HealthCheckStore } from './health-store.ts'
import { severityOf } from './severity.ts'
import { backlogMs, decideHealth, nextChangeAt } from './state.ts'

const intervalMs = 5_000
/** The maximum number of directories that are checked at once. */
const maxAtOnce = 100
/** The maximum number of such steps before a read: it tells how many directories are left. */
const maxSteps = 5
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
  /** Checks the directories that are due, up to a few hundred. */
  run(): Promise<void>
  close(): Promise<void>
}

export function createHealthChecks(parts: HealthCheckParts): HealthChecks {
  const { schedule, log } = parts
  let workAfter = ''
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined

  const repetition = createRepetition(schedule, async () => {
    try {
      await run()
    } catch (error) {
      log.error({ err: error }, 'the health of directories could not be checked; retrying')
    }
    return intervalMs
  })

  /** Callers that wait for the current run share the next one. */
  function run(): Promise<void> {
    next ??= running.then(() => {
      next = undefined
      const current = checkAll()
      running = current.catch(() => {})
      return current
    })
    return next
  }

  async function checkAll(): Promise<void> {
    for (let step = 0; step < maxSteps; step += 1) {
      const now = parts.clock()
      const until = overdueUntil(now, parts.deprovisionTargetMs)
      const waitingUntil = now - backlogMs
      const found = await parts.store.dueChecks({
        ...{ now, overdueUntil: until, waitingUntil, workAfter, limit: maxAtOnce },
      })
      workAfter = found.workAfter
      if (found.due.length === 0) return
      await parts.store.saveChecks(await check(parts, found.due))
      if (found.due.length < maxAtOnce) return
    }
  }

  return {
    start: () => repetition.start(intervalMs),
    run,
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
  const { hold, overdue } = known.facts.stored
  const isOverdue = overdue > 0
  const isBehind = health.reasons.some(({ code }) => code === 'delivery-behind')
  const checkAt = isOverdue || isBehind ? known.facts.now + recheckMs : nextChangeAt(known.facts)
  return { ...due, severity: severityOf(health), isHeld: hold !== undefined, isOverdue, isBehind, checkAt }
}
