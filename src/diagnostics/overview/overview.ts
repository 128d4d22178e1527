import { parseInput, ScopeInput } from '../../directory/inputs.ts'
import type { Static } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import { overdueUntil } from '../deprovisioning/deprovisionings.ts'
import type { Activity } from '../health/activity.ts'
import type { HealthChecks } from '../health/checks.ts'
import type { HealthListParts } from '../health/list.ts'
import { listedHealth } from '../health/list.ts'
import type { HealthCount, HealthListStore } from '../health/list-store.ts'
import { meaningOf, severitiesOf } from '../health/severity.ts'
import type { HealthReasonCode, HealthState } from '../health/state.ts'
import type { TenantStore } from './tenant.ts'
import { readTenant } from './tenant.ts'
import type { VolumeStore } from './volume-store.ts'
import { readVolumes } from './volumes.ts'

/** The number of directories that the overview lists. */
export const maxWorst = 10
/** The maximum number of overdue deprovisionings that are counted. */
export const maxCountedInOverview = 10_000

/** The directories that the overview is about. */
export const OverviewInput = Type.Object({
  tenant: ScopeInput.properties.tenant,
  product: ScopeInput.properties.product,
})

export interface OverviewParts extends HealthListParts {
  readonly store: HealthListParts['store'] &
    HealthListStore &
    TenantStore &
    Pick<VolumeStore, 'volumes' | 'volumesSince'>
  readonly activity: Pick<Activity, 'flush'>
  readonly checks: Pick<HealthChecks, 'refresh'>
}

/** The state of all directories of a scope at once. */
export type Overview = ReturnType<typeof createOverview>
export type OverviewView = Awaited<ReturnType<Overview['read']>>

export function createOverview(parts: OverviewParts) {
  const { store, activity, checks, clock, deprovisionTargetMs } = parts
  return {
    tenant: (query: unknown) => readTenant(store, query),
    /**
     * The directories of a scope by state and by their worst reason, the worst of them, overdue deprovisionings, and how much
     * happens.
     *
     * @throws DirectoryError `invalid-input`
     */
    async read(query: unknown) {
      const scope: Static<typeof OverviewInput> = parseInput(OverviewInput, query)
      await activity.flush()
      await checks.refresh()
      const now = clock()
      const until = overdueUntil(now, deprovisionTargetMs)
      const notHealthy = { from: 0, to: severitiesOf('healthy').from }
      const [counts, worst, overdue, volumes] = await Promise.all([
        store.countHealth(scope),
        store.listHealth({ ...scope, severities: notHealthy }, { order: 'worst', limit: maxWorst }),
        store.countOverdue(scope, until, maxCountedInOverview),
        readVolumes(store, scope, now),
      ])
      return {
        directories: totalsOf(counts),
        reasons: reasonsOf(counts),
        worst: await listedHealth(parts, worst),
        overdue_deprovisionings: { count: overdue, is_at_least: overdue >= maxCountedInOverview },
        volumes,
      }
    },
  }
}

function totalsOf(counts: readonly HealthCount[]) {
  const sum = (isIn: (count: HealthCount) => boolean) =>
    counts.filter(isIn).reduce((total, { directories }) => total + directories, 0)
  const inState = (state: HealthState) => sum(({ severity }) => meaningOf(severity).state === state)
  return {
    total: sum(() => true),
    healthy: inState('healthy'),
    attention: inState('attention'),
    failing: inState('failing'),
    held: sum(({ isHeld }) => isHeld),
    deactivated: sum(({ isDeactivated }) => isDeactivated),
  }
}

interface ReasonCount {
  readonly code: HealthReasonCode
  readonly state: HealthState
  readonly directories: number
}

/** The worst reasons of directories, in the order of severity. */
function reasonsOf(counts: readonly HealthCount[]): ReasonCount[] {
  const bySeverity = Map.groupBy(counts, ({ severity }) => severity)
  return [...bySeverity]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([severity, found]) => {
      const { state, reason: code } = meaningOf(severity)
      const directories = found.reduce((total, one) => total + one.directories, 0)
      return code === undefined ? [] : [{ code, state, directories }]
    })
}
