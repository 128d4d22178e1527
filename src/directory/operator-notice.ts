import type { JsonObject } from '../scim/json.ts'
import type { Directory } from './directory.ts'

export const noticeTypes = [
  'directory.delivery_paused',
  'directory.held',
  'directory.unauthorized',
  'directory.event_dead',
  'directory.credential_expiring',
  'deprovision.overdue',
  'sync.failed',
  'sync.held',
] as const

export type NoticeType = (typeof noticeTypes)[number]

/** Something about a directory that the operator should know. */
export interface NoticeDraft {
  readonly type: NoticeType
  /** The subject, if a directory may have notices of this type about several subjects within an hour. */
  readonly about?: string
  readonly directory: Pick<Directory, 'id' | 'name' | 'tenant' | 'product'>
  /** Time of the incident, in Unix milliseconds. */
  readonly at: number
  /** The incident and the advice, in a sentence or two; contains no secret. */
  readonly message: string
  /** Further fields of the notice's `data`, such as `reason`. */
  readonly details?: JsonObject | undefined
}

/** A notice as it is stored and sent. */
export interface NoticeWrite {
  /** The `webhook-id`, the same for every attempt. */
  readonly id: string
  readonly directoryId: string
  /** The type, with `about` if there is one: a directory has at most one an hour. */
  readonly type: string
  /** Unix milliseconds. */
  readonly createdAt: number
  /** The body of the request, as JSON. */
  readonly payload: string
}

/** Notifies the operator on behalf of other parts of the service. Does nothing without `OPERATOR_WEBHOOK_URL`. */
export interface OperatorNotices {
  /**
   * Prepares a notice that a store writes in the commit of its cause; undefined without `OPERATOR_WEBHOOK_URL`. The
   * store drops it if the directory had a notice of this type within the last hour, or has one that is not sent yet.
   */
  prepare(draft: NoticeDraft): NoticeWrite | undefined
  /** Starts sending; to be called after a commit with a prepared notice. */
  committed(): void
  /** Writes a notice in a commit of its own. Never rejects: a failure is logged. */
  notify(draft: NoticeDraft): Promise<void>
}

/** For a service without `OPERATOR_WEBHOOK_URL`. */
export const noNotices: OperatorNotices = { prepare: () => undefined, committed: () => {}, notify: async () => {} }
