import type { PaceOptions } from '../../../../../src/google/client/pace.ts'

/** A clock that advances only by sleeping, which takes no time; records the delays in milliseconds. */
export interface Timeless extends Pick<PaceOptions, 'now' | 'sleep' | 'random'> {
  readonly slept: readonly number[]
}

export const startOfTime: number = Date.UTC(2026, 9, 2)

export function timeless(): Timeless {
  const slept: number[] = []
  let now = startOfTime
  return {
    slept,
    now: () => now,
    random: () => 0.5,
    async sleep(ms, signal) {
      slept.push(ms)
      await Promise.resolve()
      signal.throwIfAborted()
      now += ms
    },
  }
}
