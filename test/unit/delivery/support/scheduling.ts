import type { AttemptResult } from '../../../../src/delivery/attempt.ts'
import type { SchedulerOptions } from '../../../../src/delivery/scheduler.ts'
import { createScheduler } from '../../../../src/delivery/scheduler.ts'
import { createManualTime } from '../../../support/manual-time.ts'
import type { Sending } from './manual-send.ts'
import { createManualSend } from './manual-send.ts'
import { createMemoryStore } from './memory-store.ts'
import { createObservedList } from './observed-list.ts'
import { response } from './samples.ts'

/** Runs everything that waits for neither a timer nor the test. */
export const settle = () => new Promise((resolve) => setImmediate(resolve))

export type Answer = (sending: Sending) => AttemptResult | undefined

/** A scheduler with a store in memory, a manual clock and a target that the test controls. */
export function setUp(answer?: Answer, options: Partial<SchedulerOptions> = {}) {
  const time = createManualTime()
  const memory = createMemoryStore(time.clock)
  const { send, sendings } = createManualSend(answer)
  const warnings = createObservedList<object>()
  const errors = createObservedList<object>()
  const log = { warn: warnings.add, error: errors.add }
  const failures: string[] = []
  const ages: number[] = []
  const died: number[] = []
  const takeovers: string[] = []
  const observer = {
    delivered: (_latencyMs: number, ageMs: number) => ages.push(ageMs),
    failed: (reason: string) => failures.push(reason),
    died: (count: number) => died.push(count),
    deprovisioned: () => {},
    leaseTakenOver: () => takeovers.push('endpoint'),
  }
  const { clock, schedule } = time
  const base = {
    store: memory.store,
    target: 'endpoint',
    send,
    clock,
    now: clock,
    schedule,
    random: () => 0.5,
    log,
    observer,
  } as const
  const open = (more: Partial<SchedulerOptions> = {}) => createScheduler({ ...base, ...options, ...more })
  return { memory, time, sendings, warnings, errors, failures, ages, died, takeovers, open, scheduler: open() }
}

export const always200: Answer = () => response(200)
export const sequencesOf = (sendings: readonly Sending[]) => sendings.map(({ sequence }) => sequence)
export const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
