import type { NoticeWrite } from '../../directory/operator-notice.ts'

/** Minimum time between two notices of the same type about a directory, in milliseconds. */
export const noticeIntervalMs = 3_600_000

/** A notice that this process sends. */
export interface DueNotice extends NoticeWrite {
  /** 1, 2, 3 … per notice. */
  readonly attempt: number
}

/** The outcome of an attempt to send a notice: it was sent, will be retried, or is given up. */
export interface NoticeOutcome {
  readonly sentAt: number | undefined
  readonly nextAttemptAt: number | undefined
}

/** The storage of notices to the operator: the last one of each directory and type. */
export interface NoticeStore {
  /**
   * Writes a notice in a commit of its own. Returns false without a write when the directory does not exist, had a
   * notice of this type within the last hour, or has one that is not sent yet.
   */
  addNotice(notice: NoticeWrite): Promise<boolean>
  /**
   * Takes up to `limit` notices that are due at `now`, oldest first. Other processes get them at `retryAt`, unless
   * `settleNotice` has recorded the outcome.
   */
  takeDueNotices(now: number, retryAt: number, limit: number): Promise<DueNotice[]>
  settleNotice(notice: Pick<NoticeWrite, 'directoryId' | 'type' | 'id'>, outcome: NoticeOutcome): Promise<void>
}
