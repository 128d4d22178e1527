import type { Schedule } from '../concurrency/schedule.ts'
import { DatabaseUpgraded, isDatabaseTrouble } from '../store/errors.ts'
import type { ServiceLog } from './service-options.ts'

/** The time between two checks whether the database is back, in milliseconds. */
const probeMs = 1_000
/** The time without errors after which an outage has ended: a database that comes and goes has one outage. */
const quietMs = 5_000

/** Writes one line when the database becomes unavailable and one when it is back: every part reports it, for every directory. */
export interface OutageLog {
  /** Writes all lines but those about errors of the database during an outage, which it counts. */
  readonly log: ServiceLog
  /** Reports an error that no part has logged. */
  report(error: unknown): void
  /** Stops checking the database. */
  close(): void
}

export interface OutageLogParts {
  readonly log: ServiceLog
  /** Rejects while the database cannot be used. */
  readonly ping: () => Promise<void>
  readonly schedule: Schedule
  /** Monotonic milliseconds. */
  readonly monotonicMs?: () => number
}

const upgraded = 'a newer version has migrated the database: this process has to be replaced'

interface Outage {
  readonly beganAt: number
  /** The time of its last error. */
  lastAt: number
  /** The number of lines left out, by their message. */
  readonly omitted: Map<string, number>
}

export function createOutageLog({
  log,
  ping,
  schedule,
  monotonicMs = () => performance.now(),
}: OutageLogParts): OutageLog {
  let outage: Outage | undefined
  let cancel = () => {}
  let isClosed = false

  function reportTrouble(err: unknown, message: string): void {
    const now = monotonicMs()
    if (outage !== undefined) {
      outage.lastAt = now
      outage.omitted.set(message, (outage.omitted.get(message) ?? 0) + 1)
      return
    }
    outage = { beganAt: now, lastAt: now, omitted: new Map() }
    log.error({ err, first: message }, err instanceof DatabaseUpgraded ? upgraded : 'the database is not available')
    probeSoon(outage)
  }

  function probeSoon(current: Outage): void {
    if (!isClosed) cancel = schedule(() => void probe(current), probeMs)
  }

  async function probe(current: Outage): Promise<void> {
    const isUp = await ping().then(
      () => true,
      () => false,
    )
    if (!isUp) current.lastAt = monotonicMs()
    if (monotonicMs() - current.lastAt < quietMs) return probeSoon(current)
    const seconds = Math.round((current.lastAt - current.beganAt) / 1000)
    outage = undefined
    log.warn({ seconds, omitted: Object.fromEntries(current.omitted) }, 'the database is available again')
  }

  const filtered = (level: keyof ServiceLog) => (details: object, message: string) => {
    if ('err' in details && isDatabaseTrouble(details.err)) reportTrouble(details.err, message)
    else log[level](details, message)
  }
  return {
    log: { info: filtered('info'), warn: filtered('warn'), error: filtered('error') },
    report(error) {
      if (isDatabaseTrouble(error)) reportTrouble(error, 'a request needed it')
    },
    close() {
      isClosed = true
      cancel()
    },
  }
}
