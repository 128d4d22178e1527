import { loadavg } from 'node:os'
import { startOwnPostgres } from '../support/own-postgres.ts'
import { startPostgresPair } from '../support/postgres-pair.ts'
import { seededRandom } from '../support/random.ts'
import { openStoreOf } from '../support/store.ts'
import { now } from './clock.ts'
import { drain } from './drain.ts'
import { startChaosEndpoint } from './endpoint.ts'
import { examine, examineHostile } from './examine.ts'
import { startFleet } from './fleet.ts'
import { startHostilities } from './hostile/start.ts'
import { inject } from './inject.ts'
import type { PatientClient } from './patient-client.ts'
import { createPatientClient } from './patient-client.ts'
import type { Fault, Plan } from './plan.ts'
import type { PhaseReport } from './report.ts'
import { deliveryTimeoutMs } from './responses.ts'
import type { Crowd, Subject } from './subjects.ts'
import { createSubjects, hostileKindOf } from './subjects.ts'
import { provision } from './writes.ts'

const processes = 3

const settings = {
  DSYNC_WEBHOOK_TIMEOUT: String(deliveryTimeoutMs),
  LOG_LEVEL: 'silent',
  // Users are deleted at random, and every event is awaited.
  DSYNC_REMOVAL_LIMIT_PERCENT: '100',
  // Far more requests than a normal tenant sends to its directories.
  SCIM_RATE_LIMIT: '500',
}

export interface PhaseOptions {
  readonly crowd: Crowd
  readonly plan: Plan
  readonly seed: number
  /** Whether hostile tenants send anything. */
  readonly isHostile: boolean
  /** Whether the database has a synchronous standby. */
  readonly hasStandby: boolean
}

/** Runs a plan on a new database with new processes. Returns the results. */
export async function runPhase({ crowd, plan, seed, isHostile, hasStandby }: PhaseOptions): Promise<PhaseReport> {
  const startedAt = now()
  const randomOf = (part: number) => seededRandom(seed * 100 + part)
  const choose = randomOf(1)
  const isHanging = (number: number) => hostileKindOf(crowd, number) === 'endpoints that hang'

  await using postgres = await (hasStandby ? startPostgresPair() : startOwnPostgres())
  await using endpoint = await startChaosEndpoint(randomOf(3), isHanging)
  await using fleet = await startFleet(postgres.database, processes, settings)
  const newClient = () => createPatientClient(() => fleet.pick(choose()))
  const subjects = await createSubjects(crowd, newClient(), endpoint)
  const good = subjects.filter(({ hostile }) => hostile === undefined)
  const bad = subjects.filter(({ hostile }) => hostile !== undefined)
  await using hostilities = await startHostilities(isHostile ? bad : [], fleet)

  await writeDuring((signal) => inject(plan, fleet, postgres, signal), {
    ...{ durationMs: plan.durationMs, subjects: good, random: randomOf(2), newClient, pauseMs: crowd.pauseMs },
  })
  const load = loadavg()[0] ?? 0
  const hostile = await hostilities.end()
  await fleet.settle()

  await using store = await openStoreOf(postgres.database)
  const drained = await drain({ subjects: good, endpoint, newClient, store, drainMs: plan.drainMs })
  const directories = good.map((subject, index) => examine(subject, drained.stored[index] ?? [], endpoint, fleet.stops))
  const hostileDirectories = bad.map((subject) => examineHostile(subject, endpoint, fleet.stops))
  const found = [...directories, ...hostileDirectories].flatMap(({ violations }) => violations)
  return {
    ...{ isHostile, directories, hostileDirectories, hostile, load, responses: endpoint.responses },
    ...{ kills: fleet.kills.length, stops: fleet.stops, drainedMs: drained.drainedMs },
    faults: countKinds(plan),
    violations: [...found, ...signatureProblems(endpoint.refusedSignatures())],
    seconds: (now() - startedAt) / 1000,
  }
}

function countKinds({ faults }: Plan): PhaseReport['faults'] {
  const counts = new Map<Fault['kind'], number>()
  for (const { kind } of faults) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

interface Writing {
  readonly durationMs: number
  readonly subjects: readonly Subject[]
  readonly random: () => number
  readonly newClient: () => PatientClient
  readonly pauseMs: number
}

/** Provisions every directory for `durationMs` while faults are injected. If either fails, both end. */
async function writeDuring(
  happen: (signal: AbortSignal) => Promise<void>,
  { durationMs, subjects, random, newClient, pauseMs }: Writing,
): Promise<void> {
  const ending = new AbortController()
  const endsAt = now() + durationMs
  const isOver = () => ending.signal.aborted || now() > endsAt
  const writing = subjects.map((subject) => provision({ ...subject, client: newClient(), random, isOver, pauseMs }))
  await Promise.all([happen(ending.signal), ...writing]).finally(() => ending.abort())
}

/** Every directory has its own secret, so a wrong signature is that of another directory. */
function signatureProblems(refused: number) {
  return refused === 0 ? [] : [{ kind: 'mixed' as const, text: `${refused} requests had a wrong signature` }]
}
