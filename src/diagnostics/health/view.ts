import { byReason } from '../../delivery/hold/reasons.ts'
import { deliveryState } from '../../delivery/policy.ts'
import { changeBehaviors } from '../../directory/behaviors.ts'
import type { Observed, StoredHealth, StoredHold } from './health-store.ts'
import type { HealthFacts } from './state.ts'
import { decideHealth } from './state.ts'

/** The health of a directory as the API shows it. */
export type HealthView = ReturnType<typeof healthView>

export function healthView(facts: HealthFacts) {
  const { stored } = facts
  const { state, reasons } = decideHealth(facts)
  return {
    state,
    reasons: reasons.map(({ code, message, since }) => ({ code, message, since: isoTime(since) })),
    last_request_at: isoTime(stored.lastRequestAt),
    last_success_at: isoTime(stored.lastSuccessAt),
    last_change_at: isoTime(stored.lastChangeAt),
    failed_authentications: {
      count: stored.failed?.count ?? 0,
      last_at: isoTime(stored.failed?.lastAt),
      last_address: stored.failed?.lastAddress ?? null,
      last_problem: stored.failed?.problem ?? null,
      since_last_success: stored.failed?.sinceSuccess ?? 0,
    },
    delivery: facts.hasEndpoint ? deliveryView(facts) : null,
    hold: holdView(stored.holds),
    behaviors: {
      connection_tested: observedView(stored.tested),
      ...behaviorsView(stored),
    },
  }
}

function deliveryView({ deactivated, stored: { stream, lastSequence, deadEvents, holds } }: HealthFacts) {
  const { pause, failures } = stream
  return {
    state: deliveryState(stream, { isOff: deactivated, isHeld: holds.length > 0 }),
    delivered_sequence: stream.deliveredSequence,
    last_sequence: lastSequence,
    pending: lastSequence - stream.deliveredSequence,
    failures,
    failing_since: isoTime(stream.failingSince),
    next_attempt_at: pause === undefined ? isoTime(stream.nextAttemptAt) : null,
    paused_at: isoTime(pause?.at),
    pause_reason: pause?.reason ?? null,
    dead_events: deadEvents,
    last_error: stream.lastError ?? null,
  } as const
}

/** The first hold, and the reasons of all: two roles are one reason. */
function holdView(holds: readonly StoredHold[]) {
  const [first] = holds
  if (first === undefined) return null
  return { ...reasonView(first), reasons: byReason(holds).map(([hold]) => reasonView(hold)) }
}

function reasonView({ since, reason, removals, firstSequence }: StoredHold) {
  return { since: new Date(since).toISOString(), reason, removals, first_sequence: firstSequence }
}

function behaviorsView({ behaviors }: StoredHealth) {
  const views = changeBehaviors.map((behavior) => [behavior, observedView(behaviors[behavior])] as const)
  return Object.fromEntries(views) as Record<(typeof changeBehaviors)[number], ReturnType<typeof observedView>>
}

function observedView(observed: Observed | undefined) {
  return observed === undefined
    ? null
    : { first_at: new Date(observed.firstAt).toISOString(), last_at: new Date(observed.lastAt).toISOString() }
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
