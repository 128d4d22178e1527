import type { Finding } from './check.ts'
import { checkDirectory } from './check.ts'
import type { StoredEvents } from './drain.ts'
import type { ChaosEndpoint } from './endpoint.ts'
import type { Stop } from './fleet.ts'
import { longestOutageMs } from './outage.ts'
import type { DirectoryReport } from './report.ts'
import type { Subject } from './subjects.ts'

/** Checks the events of a directory, all of which must have been delivered. */
export function examine(
  { number, directory: { id }, log: { acknowledged, uncertain, givenUp, durationsMs } }: Subject,
  stored: StoredEvents,
  endpoint: ChaosEndpoint,
  stops: readonly Stop[],
): DirectoryReport {
  const attempts = endpoint.attemptsAt(number)
  return {
    ...checkDirectory({ id, stored, attempts, acknowledged }, stops),
    ...{ events: stored.length, attempts: attempts.length, uncertain, givenUp },
    failed: attempts.filter(({ isAccepted }) => !isAccepted).length,
    outageMs: longestOutageMs(attempts),
    ...{ requestMs: durationsMs, eventMs: latenciesOf(attempts) },
  }
}

/** Checks the delivered events of a hostile tenant's directory, some of which may be undelivered. */
export function examineHostile(
  { number, directory: { id } }: Subject,
  endpoint: ChaosEndpoint,
  stops: readonly Stop[],
): Finding & { readonly attempts: number } {
  const attempts = endpoint.attemptsAt(number)
  return {
    ...checkDirectory({ id, stored: undefined, attempts, acknowledged: [] }, stops),
    attempts: attempts.length,
  }
}

/** From the creation of each event until it was accepted for the first time, in milliseconds. */
function latenciesOf(attempts: ReturnType<ChaosEndpoint['attemptsAt']>): number[] {
  const first = new Map<number, number>()
  for (const { sequence, createdAt, endedAt, isAccepted } of attempts) {
    const latencyMs = Math.max(0, endedAt - createdAt)
    if (isAccepted) first.set(sequence, Math.min(latencyMs, first.get(sequence) ?? Number.POSITIVE_INFINITY))
  }
  return [...first.values()]
}
