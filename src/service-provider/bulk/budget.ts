import { charactersOf } from '../../directory/event.ts'
import { ScimError } from '../../scim/errors.ts'
import { maxBulkDurationMs, maxBulkOutput } from '../../scim/limits.ts'
import type { ScimResponse } from '../request.ts'

/** The limits of one bulk request. An operation that has begun is always finished. */
export interface BulkBudget {
  /** The reason why no further operation may begin; always the same error once there is one. */
  exhausted(): ScimError | undefined
  /** Counts the events that an operation has written. */
  spend(response: Pick<ScimResponse, 'events' | 'furtherEvents'>): void
}

/**
 * Begins the budget of a bulk request. Its time is limited, because the client waits for the response, and so are its
 * writes: a small request can change large resources many times.
 *
 * @param clock milliseconds
 */
export function beginBudget(clock: () => number, isAbandoned: () => boolean = () => false): BulkBudget {
  const endsAt = clock() + maxBulkDurationMs
  let written = 0
  let reason: ScimError | undefined

  function findReason(): ScimError | undefined {
    if (isAbandoned()) return notExecuted(503, 'the client has closed the connection')
    if (clock() >= endsAt) return notExecuted(503, `a bulk request may take ${maxBulkDurationMs / 1000} seconds`)
    if (written < maxBulkOutput) return undefined
    return notExecuted(413, `the events of a bulk request may have ${maxBulkOutput} characters`)
  }

  return {
    exhausted() {
      reason ??= findReason()
      return reason
    },
    spend({ events, furtherEvents }) {
      written += charactersOf(events) + (furtherEvents?.characters ?? 0)
    },
  }
}

function notExecuted(status: 413 | 503, why: string): ScimError {
  return new ScimError(status, undefined, `Not executed because ${why}: send this operation in another request.`)
}
