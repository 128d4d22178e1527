import { schedule } from '../concurrency/schedule.ts'
import type { Deprovisionings } from '../diagnostics/deprovisioning/deprovisionings.ts'
import { createDeprovisionings } from '../diagnostics/deprovisioning/deprovisionings.ts'
import { createDeprovisioningPruning } from '../diagnostics/deprovisioning/pruning.ts'
import { createOverdueWatch } from '../diagnostics/deprovisioning/watch.ts'
import type { Activity } from '../diagnostics/health/activity.ts'
import { createActivity } from '../diagnostics/health/activity.ts'
import type { DirectoryHealth } from '../diagnostics/health/health.ts'
import { createDirectoryHealth } from '../diagnostics/health/health.ts'
import { createRejectionWatch } from '../diagnostics/health/rejections.ts'
import type { Core } from './core.ts'
import type { DeliveryOptions } from './delivery.ts'

/** What tells operators and administrators how a directory is doing. */
export interface HealthParts {
  readonly activity: Activity
  readonly health: DirectoryHealth
  readonly deprovisionings: Deprovisionings
  start(): void
  /** Writes what was observed. */
  close(): Promise<void>
}

export function createHealth(
  core: Core,
  { settings, onEvent }: Pick<DeliveryOptions, 'settings' | 'onEvent'>,
): HealthParts {
  const { store, directories, clock, log, notices } = core
  const background = { store, clock, schedule, log }
  const targetMs = settings.DEPROVISION_TARGET * 1_000
  const rejections = createRejectionWatch({ ...background, notices })
  const isNotified = settings.OPERATOR_WEBHOOK_URL !== undefined
  const activity = createActivity({ ...background, onRejected: isNotified ? rejections.noticed : undefined })
  const workers = [
    createOverdueWatch({ ...background, targetMs, notices }),
    createDeprovisioningPruning({ ...background, random: Math.random }),
  ]
  return {
    activity,
    health: createDirectoryHealth({
      ...{ store, directories, activity, clock, hasOnEvent: onEvent !== undefined },
      deprovisionTargetMs: targetMs,
    }),
    deprovisionings: createDeprovisionings({ store, directories, targetMs, clock }),
    start() {
      for (const worker of workers) worker.start()
    },
    async close() {
      await Promise.all([activity.close(), ...workers.map((worker) => worker.close())])
      await rejections.close()
    },
  }
}
