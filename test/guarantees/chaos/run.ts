import { seededRandom } from '../support/random.ts'
import { hostileKinds } from './hostile/attacks.ts'
import type { ChaosOptions } from './options.ts'
import { runPhase } from './phase.ts'
import { longPlan, shortPlan } from './plan.ts'
import type { ChaosReport, PhaseReport } from './report.ts'

const manyTenants = { directories: 200, tenants: 20, hostile: hostileKinds, pauseMs: 5_000 }
const fewTenants = { directories: 20, tenants: 10, hostile: hostileKinds, pauseMs: 100 }

/**
 * Three processes on one database serve many tenants while processes are killed, suspended and cut off, the database
 * restarts and endpoints fail. In a long run, the database has a synchronous standby, to which it also fails over, and
 * there are two phases with the same faults: in the first, hostile tenants are silent; `onPhase` receives its result.
 */
export async function runChaos(
  { seconds, seed }: ChaosOptions,
  onPhase: (phase: PhaseReport) => void = () => {},
): Promise<ChaosReport> {
  const random = seededRandom(seed * 100)
  if (seconds === undefined) {
    return {
      seed,
      phases: [
        await runPhase({ crowd: fewTenants, plan: shortPlan(random), seed, isHostile: true, hasStandby: false }),
      ],
    }
  }
  const plan = longPlan((seconds * 1000) / 2, random)
  const silent = await runPhase({ crowd: manyTenants, plan, seed, isHostile: false, hasStandby: true })
  onPhase(silent)
  const hostile = await runPhase({ crowd: manyTenants, plan, seed, isHostile: true, hasStandby: true })
  return { seed, phases: [silent, hostile] }
}
