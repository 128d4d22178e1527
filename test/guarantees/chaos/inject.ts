import { setTimeout as pause } from 'node:timers/promises'
import type { OwnPostgres } from '../support/own-postgres.ts'
import type { Fleet } from './fleet.ts'
import type { Fault, Plan } from './plan.ts'

/** Injects the faults of a plan, each at its time, until `signal` aborts. Resolves when the last one is over. */
export async function inject(
  { faults }: Plan,
  fleet: Fleet,
  postgres: OwnPostgres,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    faults.map(async (fault) => {
      await pause(fault.atMs, undefined, { signal })
      await perform(fault, fleet, postgres)
    }),
  )
}

async function perform(fault: Fault, fleet: Fleet, postgres: OwnPostgres): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      return fleet.kill(fault.victim)
    case 'stop':
      return fleet.stop(fault.victim, fault.forMs)
    case 'disconnect':
      return fleet.disconnect(fault.victim, fault.forMs)
    case 'restart-database':
      await (fault.isCrash ? postgres.crash() : postgres.stop())
      await pause(fault.forMs)
      return postgres.start()
  }
}
