import type { NoticeStore } from '../../diagnostics/notices/store.ts'
import type { NoticeWrite } from '../../directory/operator-notice.ts'
import { decodeDueNotice, dueNoticeColumns, noticeColumns, noticeValues, replacesNotice } from '../operator-notices.ts'
import type { Row } from '../row.ts'
import type { Database, Statement } from './database.ts'
import type { Reader } from './reader.ts'

const add = `
  insert into operator_notices (${noticeColumns})
  select d.id, $2::text, $3::text, $4::int8, $5::int8, $6::text from directories d where d.id = $1 and d.deleted = 0
  ${replacesNotice} returning id`

const due = 'select 1 as due from operator_notices where next_attempt_at <= $1 limit 1'

/** Two processes do not take the same notice. */
const take = `
  with due as materialized (
    select directory_id, type from operator_notices where next_attempt_at <= $1
    order by next_attempt_at limit $3 for update skip locked
  )
  update operator_notices n set attempts = n.attempts + 1, next_attempt_at = $2::int8
  from due where n.directory_id = due.directory_id and n.type = due.type
  returning ${dueNoticeColumns
    .split(', ')
    .map((column) => `n.${column}`)
    .join(', ')}`

const settle = `
  update operator_notices set sent_at = $4::int8, next_attempt_at = $5::int8
  where directory_id = $1 and type = $2 and id = $3`

/** Notices to the operator on PostgreSQL. */
export function postgresNotices({ query }: Database, { rows }: Reader): NoticeStore {
  return {
    async addNotice(notice) {
      const [statement] = noticeStatements(notice)
      return statement !== undefined && (await query(statement)).length === 1
    },
    async takeDueNotices(now, retryAt, limit) {
      if ((await rows({ text: due, values: [now] })).length === 0) return []
      const taken = await query({ text: take, values: [now, retryAt, limit] })
      return taken.map(decodeDueNotice)
    },
    async settleNotice({ directoryId, type, id }, { sentAt, nextAttemptAt }) {
      await query({ text: settle, values: [directoryId, type, id, sentAt ?? null, nextAttemptAt ?? null] })
    },
  }
}

/** The statements that write a notice in the transaction of its cause. */
export function noticeStatements(notice: NoticeWrite | undefined): Statement[] {
  return notice === undefined ? [] : [{ text: add, values: noticeValues(notice) }]
}

/**
 * Runs a statement that changes one row and returns it, and writes a notice in the same transaction if it does. Resolves with
 * no row when the statement has changed nothing.
 */
export function createNoticedWrite({ query, transaction }: Pick<Database, 'query' | 'transaction'>) {
  return async (statement: Statement, notice: NoticeWrite | undefined): Promise<Row[]> => {
    if (notice === undefined) return query(statement)
    return transaction([statement], ([changed = []]) => ({
      statements: changed.length > 0 ? noticeStatements(notice) : [],
      answer: changed,
    }))
  }
}
