import type { DueNotice } from '../diagnostics/notices/store.ts'
import { noticeIntervalMs } from '../diagnostics/notices/store.ts'
import type { NoticeWrite } from '../directory/operator-notice.ts'
import { noticeTypes } from '../directory/operator-notice.ts'
import type { Row } from './row.ts'
import { integer, oneOf, text } from './row.ts'

/** The columns of a new notice, in the order of `noticeValues`. */
export const noticeColumns = 'directory_id, type, id, created_at, next_attempt_at, payload'

export function noticeValues({ directoryId, type, id, createdAt, payload }: NoticeWrite): (string | number)[] {
  return [directoryId, type, id, createdAt, createdAt, payload]
}

/** What replaces the previous notice of the directory and type: only one that is over, and older than an hour. */
export const replacesNotice = `
  on conflict (directory_id, type) do update set
    id = excluded.id, created_at = excluded.created_at, next_attempt_at = excluded.next_attempt_at,
    payload = excluded.payload, attempts = 0, sent_at = null
  where operator_notices.next_attempt_at is null
    and coalesce(operator_notices.sent_at, operator_notices.created_at) <= excluded.created_at - ${noticeIntervalMs}`

/** The columns of `decodeDueNotice`. */
export const dueNoticeColumns = 'directory_id, type, id, created_at, payload, attempts'

export function decodeDueNotice(row: Row): DueNotice {
  return {
    id: text(row, 'id'),
    directoryId: text(row, 'directory_id'),
    type: oneOf(row, 'type', noticeTypes),
    createdAt: integer(row, 'created_at'),
    payload: text(row, 'payload'),
    attempt: integer(row, 'attempts'),
  }
}
