import type { DirectoryAnswer } from '../../../src/directory/directory-answer.ts'
import { startOwnPostgres } from '../support/own-postgres.ts'
import { seededRandom } from '../support/random.ts'
import { openStoreOf } from '../support/store.ts'
import { deliveryTimeoutMs } from './answers.ts'
import { checkDirectory } from './check.ts'
import { now } from './clock.ts'
import { drain } from './drain.ts'
import type { ChaosEndpoint } from './endpoint.ts'
import { startChaosEndpoint } from './endpoint.ts'
import { startFleet } from './fleet.ts'
import { inject } from './inject.ts'
import type { ChaosOptions } from './options.ts'
import { longestOutageMs } from './outage.ts'
import type { PatientClient } from './patient-client.ts'
import { createPatientClient } from './patient-client.ts'
import { longPlan, shortPlan } from './plan.ts'
import type { ChaosReport } from './report.ts'
import type { WriteLog } from './writes.ts'
import { provision } from './writes.ts'

export const processes = 3
export const directoryCount = 20

const settings = { DSYNC_WEBHOOK_TIMEOUT: String(deliveryTimeoutMs), LOG_LEVEL: 'silent' }

/**
 * Three processes on one database deliver the events of twenty directories while processes are killed and held, the
 * database restarts and the endpoint fails; answers what was promised and what was found.
 */
export async function runChaos({ isShort, seed }: ChaosOptions): Promise<ChaosReport> {
  const startedAt = now()
  const randomOf = (part: number) => seededRandom(seed * 100 + part)
  const plan = isShort ? shortPlan(randomOf(0)) : longPlan(randomOf(0))
  const [chooseProcess, write] = [randomOf(1), randomOf(2)]

  await using postgres = await startOwnPostgres()
  await using endpoint = await startChaosEndpoint(randomOf(3))
  await using fleet = await startFleet(postgres.database, processes, settings)
  const newClient = () => createPatientClient(() => fleet.pick(chooseProcess()))
  const directories = await createDirectories(newClient(), endpoint)
  const logs = directories.map((): WriteLog => ({ acknowledged: [], uncertain: 0 }))

  const endsAt = now() + plan.durationMs
  const ending = new AbortController()
  const writing = directories.map((directory, index) =>
    provision({
      ...{ directory, client: newClient(), random: write },
      log: logs[index] ?? { acknowledged: [], uncertain: 0 },
      isOver: () => ending.signal.aborted || now() > endsAt,
    }),
  )
  const injecting = inject(plan, fleet, postgres, ending.signal)
  await Promise.all([injecting, ...writing]).finally(() => ending.abort())
  await fleet.settle()

  await using store = await openStoreOf(postgres.database)
  const { stored, drainedMs } = await drain({ ...{ directories, endpoint, client: newClient(), store }, ...plan })
  const { kills, stops } = fleet
  const findings = directories.map(({ id }, index) => {
    const attempts = endpoint.attemptsAt(index)
    const events = stored[index] ?? []
    const { acknowledged = [], uncertain = 0 } = logs[index] ?? {}
    const finding = checkDirectory({ id, stored: events, attempts, acknowledged }, stops)
    return {
      ...finding,
      ...{ events: events.length, attempts: attempts.length, acknowledged: acknowledged.length, uncertain },
      failed: attempts.filter(({ isTaken }) => !isTaken).length,
      outageMs: longestOutageMs(attempts),
    }
  })
  return {
    ...{ seed, directories: findings, kills: kills.length, stops, answered: endpoint.answered, drainedMs },
    restarts: plan.faults.filter(({ kind }) => kind === 'restart-database').length,
    violations: [
      ...findings.flatMap(({ violations }) => violations),
      ...(endpoint.refusedSignatures() === 0 ? [] : [`${endpoint.refusedSignatures()} requests were badly signed`]),
    ],
    seconds: (now() - startedAt) / 1000,
  }
}

async function createDirectories(client: PatientClient, endpoint: ChaosEndpoint): Promise<DirectoryAnswer[]> {
  const directories: DirectoryAnswer[] = []
  for (let number = 0; number < directoryCount; number += 1) {
    const fields = { tenant: `tenant-${number}`, product: 'chaos', ...endpoint.fieldsOf(number) }
    const { answer } = await client.send((to) => to.api('POST', '', fields))
    if (answer.status !== 201) throw new Error(`no directory was created: ${answer.text}`)
    directories.push(answer.body.data)
  }
  return directories
}
