import type { SeverityRange } from './list-store.ts'
import type { Health, HealthReasonCode, HealthState } from './state.ts'

/** The reasons from the worst to the least, within a state. */
const worstFirst = [
  'held',
  'deprovisioning-overdue',
  'unauthorized',
  'connection-lost',
  'sync-failed',
  'delivery-paused',
  'delivery-failing',
  'sync-held',
  'dead-events',
  'delivery-behind',
  'no-consumer',
  'not-connected',
  'never-connected',
  'deactivated',
  'credential-expiring',
  // The numbers of reasons are stored: further ones are added at the end.
  'sync-not-scheduled',
  'group-gone',
] as const satisfies readonly HealthReasonCode[]

/** The severity of the worst reason of each state; between two states there is room for all reasons. */
const firstOf = { failing: 0, attention: 100, healthy: 200 } as const satisfies Record<HealthState, number>

/** The state of a directory and its worst reason as one number, which orders directories: the worst has the lowest. */
export function severityOf({ state, reasons: [worst] }: Health): number {
  return firstOf[state] + (worst === undefined ? 0 : worstFirst.indexOf(worst.code))
}

/** The state and the worst reason that a severity stands for. */
export function meaningOf(severity: number): {
  readonly state: HealthState
  readonly reason: HealthReasonCode | undefined
} {
  const state = severity < firstOf.attention ? 'failing' : severity < firstOf.healthy ? 'attention' : 'healthy'
  return { state, reason: state === 'healthy' ? undefined : worstFirst[severity - firstOf[state]] }
}

/** The severities of directories whose worst reason this is, in each state. */
export function severitiesWith(reason: HealthReasonCode): readonly [failing: number, attention: number] {
  const index = worstFirst.indexOf(reason)
  return [firstOf.failing + index, firstOf.attention + index]
}

/** The severities of a state. */
export function severitiesOf(state: HealthState): SeverityRange {
  const from = firstOf[state]
  return { from, to: from + 100 }
}
