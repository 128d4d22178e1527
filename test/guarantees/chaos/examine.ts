import { checkDirectory } from './check.ts'
import type { StoredEvents } from './drain.ts'
import type { ChaosEndpoint } from './endpoint.ts'
import type { Stop } from './fleet.ts'
import { longestOutageMs } from './outage.ts'
import type { DirectoryReport } from './report.ts'
import type { Subject } from './subjects.ts'

/** Checks the events of a directory. */
export function examine(
  { number, directory: { id }, log: { acknowledged, uncertain } }: Subject,
  stored: StoredEvents,
  endpoint: ChaosEndpoint,
  stops: readonly Stop[],
): DirectoryReport {
  const attempts = endpoint.attemptsAt(number)
  return {
    ...checkDirectory({ id, stored, attempts, acknowledged }, stops),
    ...{ events: stored.length, attempts: attempts.length, acknowledged: acknowledged.length, uncertain },
    failed: attempts.filter(({ isAccepted }) => !isAccepted).length,
    outageMs: longestOutageMs(attempts),
  }
}
