import type { DueNotice, NoticeStore } from '../diagnostics/notices/notice-store.ts'
import { noticeIntervalMs } from '../diagnostics/notices/notice-store.ts'
import type { NoticeWrite } from '../directory/operator-notice.ts'
import type { Row } from './row.ts'
import { integer, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'
import { hasEvents } from './streams.ts'

/** Replaces the previous notice of the directory and type only if it is over, and older than an hour. */
const add = `
  insert into operator_notices (directory_id, type, id, created_at, next_attempt_at, payload)
  select d.id, $2, $3, $4, $5, $6 from directories d where d.id = $1 and ${hasEvents}
  on conflict (directory_id, type) do update set
    id = excluded.id, created_at = excluded.created_at, next_attempt_at = excluded.next_attempt_at,
    payload = excluded.payload, attempts = 0, sent_at = null
  where operator_notices.next_attempt_at is null
    and coalesce(operator_notices.sent_at, operator_notices.created_at) <= excluded.created_at - ${noticeIntervalMs}
  returning id`

const isDue = 'select 1 as due from operator_notices where next_attempt_at <= $1 limit 1'

/** Two processes do not take the same notice. */
const take = `
  with due as materialized (
    select directory_id as due_directory, type as due_type from operator_notices where next_attempt_at <= $1
    order by next_attempt_at limit $3 for update skip locked)
  update operator_notices set attempts = attempts + 1, next_attempt_at = $2
  from due where directory_id = due_directory and type = due_type
  returning directory_id, type, id, created_at, payload, attempts`

const settle = `
  update operator_notices set sent_at = $4, next_attempt_at = $5 where directory_id = $1 and type = $2 and id = $3`

/** Notices to the operator. */
export function createNoticeStore({ query, atomically }: SqlDatabase): NoticeStore {
  return {
    async addNotice(notice) {
      const [added = []] = await atomically(noticeStatements(notice))
      return added.length === 1
    },
    // Nothing is written, so nothing waits for the disk, while no notice is due.
    async takeDueNotices(now, retryAt, limit) {
      if ((await query({ text: isDue, values: [now] })).length === 0) return []
      const [taken = []] = await atomically([{ text: take, values: [now, retryAt, limit] }])
      return taken.map(decodeDueNotice)
    },
    async settleNotice({ directoryId, type, id }, { sentAt, nextAttemptAt }) {
      await atomically([{ text: settle, values: [directoryId, type, id, sentAt ?? null, nextAttemptAt ?? null] }])
    },
  }
}

/** The statements that write a notice in the transaction of its cause. */
export function noticeStatements(notice: NoticeWrite | undefined): Statement[] {
  if (notice === undefined) return []
  const { directoryId, type, id, createdAt, payload } = notice
  return [{ text: add, values: [directoryId, type, id, createdAt, createdAt, payload] }]
}

function decodeDueNotice(row: Row): DueNotice {
  return {
    id: text(row, 'id'),
    directoryId: text(row, 'directory_id'),
    type: text(row, 'type'),
    createdAt: integer(row, 'created_at'),
    payload: text(row, 'payload'),
    attempt: integer(row, 'attempts'),
  }
}
