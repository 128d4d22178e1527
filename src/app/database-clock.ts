import { createRepetition } from '../concurrency/repetition.ts'
import type { Schedule } from '../concurrency/schedule.ts'
import type { DeliveryLogger } from '../delivery/observer.ts'
import type { ServiceClock } from '../service-parts.ts'
import type { Store } from '../store/store.ts'

const measureMs = 5_000

/** A larger difference between the clocks is reported to the operator. */
const maxSkewMs = 5_000

/**
 * The time of the database. It counts with the monotonic clock of the process: when the clock of the machine is set, nothing
 * changes. On SQLite it is the clock of the process.
 */
export interface DatabaseClock extends ServiceClock {
  /** Begins to measure every few seconds. */
  start(): void
  close(): Promise<void>
}

export interface DatabaseClockParts {
  readonly store: Pick<Store, 'readClock'>
  readonly schedule: Schedule
  readonly log: Pick<DeliveryLogger, 'warn'>
  /** The clock of the process, in Unix milliseconds. */
  readonly processClock?: () => number
  readonly monotonicMs?: () => number
}

/**
 * Measures the difference to the clock of the database.
 *
 * @throws StoreUnavailable when the database cannot be reached
 */
export async function openDatabaseClock({
  store: { readClock },
  schedule,
  log,
  processClock = Date.now,
  monotonicMs = () => performance.now(),
}: DatabaseClockParts): Promise<DatabaseClock> {
  if (readClock === undefined) return onlyClock(processClock)

  const measure = async (): Promise<Offsets> => {
    const sentAt = monotonicMs()
    const databaseMs = await readClock()
    return { lowest: databaseMs - monotonicMs(), highest: databaseMs - sentAt }
  }
  let offsetMs = firstOffset(processClock() - monotonicMs(), await measure())
  const now = () => Math.round(monotonicMs() + offsetMs)
  const skewMs = () => processClock() - now()
  const problem = () => describeSkew(skewMs())
  let isReported = false
  const report = () => {
    const message = problem()
    if (message !== undefined && !isReported) log.warn({}, message)
    isReported = message !== undefined
  }
  report()
  const measurements = createRepetition(schedule, async () => {
    try {
      offsetMs = correctedOffset(offsetMs, await measure())
      report()
    } catch {
      // Those who need the database report that it cannot be reached; until then the last difference holds.
    }
    return measureMs
  })
  return { now, skewMs, problem, start: () => measurements.start(measureMs), close: measurements.close }
}

function onlyClock(now: () => number): DatabaseClock {
  return { now, skewMs: () => 0, problem: () => undefined, start: () => {}, close: async () => {} }
}

/** The bounds of the difference between two clocks: the answer was made after the question was sent, and before it arrived. */
export interface Offsets {
  readonly lowest: number
  readonly highest: number
}

/**
 * The offset of a process that starts: that of its own clock, unless the measurement proves it wrong. Then, like NTP, it assumes
 * that both ways take half of the round trip.
 */
export function firstOffset(ofProcess: number, { lowest, highest }: Offsets): number {
  return ofProcess >= lowest && ofProcess <= highest ? ofProcess : (lowest + highest) / 2
}

/** The offset after a later measurement: it changes only as far as that proves it wrong, so that a slow round trip does no harm. */
export function correctedOffset(offsetMs: number, { lowest, highest }: Offsets): number {
  return Math.min(Math.max(offsetMs, lowest), highest)
}

function describeSkew(skewMs: number): string | undefined {
  if (Math.abs(skewMs) <= maxSkewMs) return undefined
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  const direction = skewMs > 0 ? 'ahead of' : 'behind'
  return `The clock of this process is ${seconds} s ${direction} that of the database, which Rollcall uses: synchronize the clocks of both machines, with chrony or systemd-timesyncd.`
}
