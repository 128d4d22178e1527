import { startOwnPostgres } from '../support/own-postgres.ts'
import { seededRandom } from '../support/random.ts'
import { openStoreOf } from '../support/store.ts'
import { now } from './clock.ts'
import { drain } from './drain.ts'
import { startChaosEndpoint } from './endpoint.ts'
import { examine } from './examine.ts'
import type { Fleet } from './fleet.ts'
import { startFleet } from './fleet.ts'
import { inject } from './inject.ts'
import type { ChaosOptions } from './options.ts'
import type { PatientClient } from './patient-client.ts'
import { createPatientClient } from './patient-client.ts'
import { longPlan, shortPlan } from './plan.ts'
import type { ChaosReport } from './report.ts'
import { deliveryTimeoutMs } from './responses.ts'
import type { Subject } from './subjects.ts'
import { createSubjects } from './subjects.ts'
import { provision } from './writes.ts'

const processes = 3
const directories = 20

const settings = { DSYNC_WEBHOOK_TIMEOUT: String(deliveryTimeoutMs), LOG_LEVEL: 'silent' }

/**
 * Three processes on one database deliver the events of twenty directories while processes are killed and suspended, the
 * database restarts and the endpoint fails. Returns what was found.
 */
export async function runChaos({ isShort, seed }: ChaosOptions): Promise<ChaosReport> {
  const startedAt = now()
  const randomOf = (part: number) => seededRandom(seed * 100 + part)
  const plan = isShort ? shortPlan(randomOf(0)) : longPlan(randomOf(0))
  const [choose, write] = [randomOf(1), randomOf(2)]

  await using postgres = await startOwnPostgres()
  await using endpoint = await startChaosEndpoint(randomOf(3))
  await using fleet = await startFleet(postgres.database, processes, settings)
  const newClient = () => createPatientClient(() => fleet.pick(choose()))
  const subjects = await createSubjects(directories, newClient(), endpoint)

  await writeDuring((signal) => inject(plan, fleet, postgres, signal), plan.durationMs, subjects, write, newClient)
  await fleet.settle()

  await using store = await openStoreOf(postgres.database)
  const drained = await drain({ ...{ subjects, endpoint, client: newClient(), store }, ...plan })
  const found = subjects.map((subject, index) => examine(subject, drained.stored[index] ?? [], endpoint, fleet.stops))
  return {
    ...{ seed, directories: found, ...faultsOf(fleet), responses: endpoint.responses, drainedMs: drained.drainedMs },
    restarts: plan.faults.filter(({ kind }) => kind === 'restart-database').length,
    violations: [...found.flatMap(({ violations }) => violations), ...signatureProblems(endpoint.refusedSignatures())],
    seconds: (now() - startedAt) / 1000,
  }
}

/** Provisions every directory for `durationMs` while faults are injected. If either fails, both end. */
async function writeDuring(
  happen: (signal: AbortSignal) => Promise<void>,
  durationMs: number,
  subjects: readonly Subject[],
  random: () => number,
  newClient: () => PatientClient,
): Promise<void> {
  const ending = new AbortController()
  const endsAt = now() + durationMs
  const isOver = () => ending.signal.aborted || now() > endsAt
  const writing = subjects.map((subject) => provision({ ...subject, client: newClient(), random, isOver }))
  await Promise.all([happen(ending.signal), ...writing]).finally(() => ending.abort())
}

const faultsOf = ({ kills, stops }: Fleet) => ({ kills: kills.length, stops })

function signatureProblems(refused: number): string[] {
  return refused === 0 ? [] : [`${refused} requests had a wrong signature`]
}
