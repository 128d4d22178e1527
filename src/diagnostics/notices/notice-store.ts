import type { NoticeWrite } from '../../directory/operator-notice.ts'

/** For this long after a notice, a directory gets no other one of the same type, in milliseconds. */
export const noticeIntervalMs = 3_600_000

/** A notice that this process sends. */
export interface DueNotice extends NoticeWrite {
  /** 1, 2, 3 … per notice. */
  readonly attempt: number
}

/** How an attempt to send a notice ended: it was sent, or is tried again, or never again. */
export interface NoticeOutcome {
  readonly sentAt: number | undefined
  readonly nextAttemptAt: number | undefined
}

/** What notices to the operator need stored: the last one of each directory and type. */
export interface NoticeStore {
  /**
   * Writes a notice in a commit of its own. False when nothing was written: the directory does not exist, had a notice of
   * this type within the last hour, or has one that is not sent yet.
   */
  addNotice(notice: NoticeWrite): Promise<boolean>
  /**
   * Takes up to `limit` notices that are due at `now`, oldest first. Other processes get them at `retryAt`, unless
   * `settleNotice` has recorded the outcome.
   */
  takeDueNotices(now: number, retryAt: number, limit: number): Promise<DueNotice[]>
  settleNotice(notice: Pick<NoticeWrite, 'directoryId' | 'type' | 'id'>, outcome: NoticeOutcome): Promise<void>
}
