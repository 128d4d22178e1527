import type { Fault } from './fault.ts'
import type { FakeRequest } from './request.ts'

/** The adjustable behavior of the fake. Changes apply immediately. */
export interface Knobs {
  /** Called before every response; returns the fault to apply. */
  onRequest: (request: FakeRequest) => Fault | undefined
  /** The maximum page size, whatever size is requested. */
  pageSizeCap: number
  /** Whether a refresh returns a new refresh token and invalidates the old one. */
  rotatesRefreshTokens: boolean
}

/** The default behavior. */
export function usualKnobs(): Knobs {
  return { onRequest: () => undefined, pageSizeCap: 500, rotatesRefreshTokens: false }
}
