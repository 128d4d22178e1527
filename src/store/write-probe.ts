import type { Schedule } from '../concurrency/schedule.ts'
import { schedule as startTimer } from '../concurrency/schedule.ts'
import { StoreUnavailable } from './errors.ts'

/** A write that takes longer waits for a standby or a disk that hangs. */
const maxMs = 5_000

/** The time for which a success counts. A process writes once within it, however often it is asked. */
const freshMs = 1_000

const tooSlow = () => new StoreUnavailable(`A write has not ended for ${maxMs / 1000} seconds.`)

/** The clock and timers, which tests replace. */
interface Time {
  readonly clock: () => number
  readonly schedule: Schedule
}

/**
 * Creates a check that writes complete. There is one write at a time: as long as it has not ended, everybody who asks waits for it, until
 * it is five seconds old. One that ends later is a failure: PostgreSQL reports a commit that it has stopped waiting for as done.
 */
export function createWriteProbe(
  write: () => Promise<unknown>,
  { clock, schedule }: Time = { clock: () => performance.now(), schedule: startTimer },
): () => Promise<void> {
  let running: { readonly startedAt: number; readonly ended: Promise<void> } | undefined
  let succeededAt = Number.NEGATIVE_INFINITY

  async function run(startedAt: number): Promise<void> {
    try {
      await write()
      if (clock() - startedAt >= maxMs) throw tooSlow()
      succeededAt = clock()
    } finally {
      running = undefined
    }
  }

  function start() {
    const startedAt = clock()
    return { startedAt, ended: run(startedAt) }
  }

  return async () => {
    if (clock() - succeededAt < freshMs) return
    running ??= start()
    const { startedAt, ended } = running
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const cancel = schedule(() => reject(tooSlow()), Math.max(0, startedAt + maxMs - clock()))
    ended.then(resolve, reject).finally(cancel)
    return promise
  }
}
