import { ApiError } from './api/errors.ts'
import type { Fault } from './fault.ts'
import type { TokenErrorName } from './oauth/errors.ts'
import type { FakeRequest } from './request.ts'

/** The administrator's decision about consent. */
export interface Consent {
  /** The administrator's address. */
  readonly account: string
  /** Whether a requested scope is granted. */
  readonly grant: (scope: string) => boolean
  /** Denies the consent: the `error` in the redirect. */
  readonly refusal: 'access_denied' | 'admin_policy_enforced' | 'org_internal' | undefined
}

/** The adjustable behavior of the fake. Changes apply immediately. */
export interface Knobs {
  /** Called before every response; returns the fault to apply. */
  onRequest: (request: FakeRequest) => Fault | undefined
  /** The maximum page size, whatever size is requested. */
  pageSizeCap: number
  /** Lifetime of a page token of users or groups. Default: three days. */
  pageTokenLifeMs: number
  /** Lifetime of a page token of members, counted from the first page. Default: one hour. */
  membersWalkMs: number
  /** The rate limit of the API per fixed window; further requests fail with `userRateLimitExceeded`. */
  quota: { readonly requests: number; readonly windowMs: number } | undefined
  accessTokenSeconds: number
  /** Whether a refresh returns a new refresh token and invalidates the old one. */
  rotatesRefreshTokens: boolean
  /** The error of every refresh, for example because of the session length policy. */
  refreshRefusal: TokenErrorName | undefined
  consent: Consent
}

/** The default behavior. */
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

/** Counts the requests to the API per fixed window. */
export function createQuota(knobs: Pick<Knobs, 'quota'>, now: () => number) {
  let window = Number.NaN
  let taken = 0
  return {
    /** @throws ApiError `user-rate-limit` if the window is used up */
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
