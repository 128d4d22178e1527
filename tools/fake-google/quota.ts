import { ApiRefusal } from './api/errors.ts'
import type { Knobs } from './knobs.ts'

/** Counts the calls of the API in each window of the clock. */
export function createQuota(knobs: Pick<Knobs, 'quota'>, now: () => number) {
  let window = Number.NaN
  let taken = 0
  return {
    /** @throws ApiRefusal `user-rate-limit` when the window has no call left */
    take(): void {
      if (knobs.quota === undefined) return
      const current = Math.floor(now() / knobs.quota.windowMs)
      if (current !== window) taken = 0
      window = current
      taken += 1
      if (taken > knobs.quota.requests) throw new ApiRefusal('user-rate-limit')
    },
  }
}
