import { createRateLimit } from '../../concurrency/rate-limit.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { AuditDraft, AuditEntry, CallerOrigin } from '../../directory/audit.ts'
import { systemCaller } from '../../directory/audit.ts'
import type { AdminLog } from '../last-use.ts'

const writtenRate = { count: 100, perMs: 15 * 60_000 }
const summaryMs = 60_000

/** The reason why an attempt failed; contains nothing of the request. */
export type FailureReason = 'no token in the required form' | 'wrong token' | 'wrong upstreamToken' | 'bad input'

export interface FailedLoginsParts {
  readonly append: (draft: AuditDraft) => Promise<AuditEntry>
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: AdminLog
}

/**
 * Writes failed logins to the audit trail: at most a hundred per quarter of an hour, so that a flood cannot fill the
 * disk. The others, and those rejected by the rate limit, are only counted, in at most one entry a minute.
 */
export interface FailedLogins {
  record(origin: CallerOrigin, reason: FailureReason): Promise<void>
  /** Counts an attempt that the rate limit rejected. */
  count(): void
  /** Writes an entry for the counted failures. */
  close(): Promise<void>
}

export function createFailedLogins({ append, clock, schedule, log }: FailedLoginsParts): FailedLogins {
  const limit = createRateLimit(writtenRate, clock)
  let counted = 0
  let cancel: (() => void) | undefined
  let writing = Promise.resolve()

  async function write(draft: AuditDraft): Promise<void> {
    await append(draft).catch((error) => log.error({ err: error }, 'could not audit failed logins'))
  }

  function summarize(): Promise<void> {
    cancel = undefined
    const attempts = counted
    counted = 0
    if (attempts > 0) writing = writing.then(() => write(summaryOf(attempts, clock())))
    return writing
  }

  function count(): void {
    counted += 1
    cancel ??= schedule(() => void summarize(), summaryMs)
  }

  return {
    count,
    async record(origin, reason) {
      if (limit.take('all') !== undefined) return count()
      await write(failureOf(origin, reason, clock()))
    },
    close() {
      cancel?.()
      return summarize()
    },
  }
}

const target = { kind: 'service', id: undefined } as const

/** The caller is unknown and has neither id nor name. */
function failureOf(origin: CallerOrigin, reason: FailureReason, at: number): AuditDraft {
  const caller = { kind: 'admin', id: undefined, name: undefined, ...origin } as const
  return { action: 'admin.login_failed', caller, target, changes: { reason: { from: null, to: reason } }, at }
}

function summaryOf(attempts: number, at: number): AuditDraft {
  const changes = {
    reason: { from: null, to: 'too many attempts' },
    attempts: { from: null, to: attempts },
  }
  return { action: 'admin.login_failed', caller: systemCaller('rate limit'), target, changes, at }
}
