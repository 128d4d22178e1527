import { ApiError } from './api/errors.ts'
import type { Fault } from './fault.ts'
import type { TokenErrorName } from './oauth/errors.ts'
import type { FakeRequest } from './request.ts'

/** How the administrator answers the question for consent. */
export interface Consent {
  /** The address of who consents. */
  readonly account: string
  /** Which of the scopes that were asked for are granted. */
  readonly grant: (scope: string) => boolean
  /** Refuses: what the callback gets as `error`. */
  readonly refusal: 'access_denied' | 'admin_policy_enforced' | 'org_internal' | undefined
}

/** How the fake behaves. May be changed while it runs. */
export interface Knobs {
  /** Asked before every answer; a fault is what goes wrong with it. */
  onRequest: (request: FakeRequest) => Fault | undefined
  /** The most items on a page, whatever is asked for. */
  pageSizeCap: number
  /** How long a page token of users and groups is good. Default three days. */
  pageTokenLifeMs: number
  /** How long the members of a group may be walked. Default an hour. */
  membersWalkMs: number
  /** So many calls of the API in each window of the clock; more are refused as `userRateLimitExceeded`. */
  quota: { readonly requests: number; readonly windowMs: number } | undefined
  accessTokenSeconds: number
  /** Whether a refresh gives another refresh token; the one before is dead then. */
  rotatesRefreshTokens: boolean
  /** Refuses every refresh: the session length policy asks the administrator to log in again, or another reason. */
  refreshRefusal: TokenErrorName | undefined
  consent: Consent
}

/** A customer's Google as it usually is. */
export function usualKnobs(adminEmail: string): Knobs {
  return {
    onRequest: () => undefined,
    pageSizeCap: 500,
    pageTokenLifeMs: 3 * 24 * 3_600_000,
    membersWalkMs: 3_600_000,
    quota: undefined,
    accessTokenSeconds: 3599,
    rotatesRefreshTokens: false,
    refreshRefusal: undefined,
    consent: { account: adminEmail, grant: () => true, refusal: undefined },
  }
}

/** Counts the calls of the API in each window of the clock. */
export function createQuota(knobs: Pick<Knobs, 'quota'>, now: () => number) {
  let window = Number.NaN
  let taken = 0
  return {
    /** @throws ApiError `user-rate-limit` when the window has no call left */
    take(): void {
      if (knobs.quota === undefined) return
      const current = Math.floor(now() / knobs.quota.windowMs)
      if (current !== window) taken = 0
      window = current
      taken += 1
      if (taken > knobs.quota.requests) throw new ApiError('user-rate-limit')
    },
  }
}
