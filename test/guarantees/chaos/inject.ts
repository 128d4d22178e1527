import { setTimeout as pause } from 'node:timers/promises'
import type { OwnPostgres } from '../support/own-postgres.ts'
import type { PostgresPair } from '../support/postgres-pair.ts'
import type { Fleet } from './fleet.ts'
import type { Fault, Plan } from './plan.ts'

/** Injects the faults of a plan, each at its time, until `signal` aborts. Resolves when the last one is over. */
export async function inject(
  { faults }: Plan,
  fleet: Fleet,
  postgres: OwnPostgres | PostgresPair,
  signal: AbortSignal,
): Promise<void> {
  let ofDatabase = Promise.resolve()
  await Promise.all(
    faults.map(async (fault) => {
      await pause(fault.atMs, undefined, { signal })
      if (!isOfDatabase(fault)) return perform(fault, fleet, postgres)
      // One that takes long, because the machine is busy, postpones the next.
      ofDatabase = ofDatabase.then(() => perform(fault, fleet, postgres))
      await ofDatabase
    }),
  )
}

const databaseFaults: ReadonlySet<Fault['kind']> = new Set([
  'restart-database',
  'fail-over',
  'read-only',
  'hang-standby',
  'full-disk',
])

function isOfDatabase({ kind }: Fault): boolean {
  return databaseFaults.has(kind)
}

async function perform(fault: Fault, fleet: Fleet, postgres: OwnPostgres | PostgresPair): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      return fleet.kill(fault.victim)
    case 'stop':
      return fleet.stop(fault.victim, fault.forMs)
    case 'disconnect':
      return fleet.disconnect(fault.victim, fault.forMs)
    case 'slow-network':
      return fleet.slowDown(fault.victim, fault.forMs)
    case 'step-clock':
      return fleet.stepClock(fault.victim, fault.aheadMs, fault.forMs)
    case 'restart-database':
      await (fault.isCrash ? postgres.crash() : postgres.stop())
      await pause(fault.forMs)
      return postgres.start()
    default:
      return performOnPair(fault, postgres)
  }
}

async function performOnPair(fault: Fault, postgres: OwnPostgres | PostgresPair): Promise<void> {
  if (!('failOver' in postgres)) throw new Error(`a server without a standby cannot have the fault ${fault.kind}`)
  if (fault.kind === 'fail-over') return postgres.failOver(fault.isCrash)
  if (fault.kind === 'read-only') return postgres.makeReadOnly(fault.forMs)
  if (fault.kind === 'hang-standby') return postgres.hangStandby(fault.forMs)
  if (fault.kind === 'full-disk') return postgres.fillDisk(fault.forMs)
}
