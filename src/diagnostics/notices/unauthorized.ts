import type { NoticeDraft } from '../../directory/operator-notice.ts'

/** The failed authentications of a directory since its last success. Times are Unix milliseconds. */
export interface FailuresInARow {
  readonly count: number
  /** The number of them that had a wrong secret, as opposed to none. */
  readonly withOtherSecret: number
  readonly firstAt: number
  readonly lastAt: number
  /** Whether a request was ever accepted before them. */
  readonly hasWorked: boolean
  /** What was wrong with the last one, if it was more than a wrong or missing secret. */
  readonly problem?: string | undefined
}

const minFailures = 5
const minFailingMs = 10 * 60_000

/**
 * Returns whether to notify the operator that an identity provider cannot authenticate: after five failures in a row over ten
 * minutes, or at once after five wrong secrets if the directory worked before.
 */
export function isUnauthorized({ count, withOtherSecret, firstAt, lastAt, hasWorked }: FailuresInARow): boolean {
  if (hasWorked && withOtherSecret >= minFailures) return true
  return count >= minFailures && lastAt - firstAt >= minFailingMs
}

/** The notice for `isUnauthorized`. */
export function unauthorizedNotice(directory: NoticeDraft['directory'], failures: FailuresInARow): NoticeDraft {
  const { count, firstAt, lastAt, hasWorked, problem } = failures
  const lead = hasWorked
    ? 'The identity provider stopped sending the right secret'
    : 'The identity provider sends a wrong secret'
  return {
    ...{ type: 'directory.unauthorized', directory, at: lastAt },
    message:
      problem === undefined
        ? `${lead}: ${count} requests in a row were refused with 401. Have the administrator enter the current SCIM secret, or rotate it.`
        : `The identity provider cannot sign in: ${count} requests in a row were refused with 401, the last one because ${problem}. Correct the identity provider, or the OAuth client of the directory.`,
    details: { failures: count, since: iso(firstAt), last_at: iso(lastAt) },
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
