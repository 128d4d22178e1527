import type { DatabaseSync } from 'node:sqlite'
import type { NoticeStore } from '../../diagnostics/notices/store.ts'
import type { NoticeWrite } from '../../directory/operator-notice.ts'
import { decodeDueNotice, dueNoticeColumns, noticeColumns, noticeValues, replacesNotice } from '../operator-notices.ts'
import type { GroupCommit } from './group-commit.ts'

/** Notices to the operator on SQLite. */
export function sqliteNotices(db: DatabaseSync, { write }: GroupCommit): NoticeStore {
  const add = createNoticeWrite(db)
  const due = db.prepare('select 1 from operator_notices where next_attempt_at <= ? limit 1')
  const take = db.prepare(`
    update operator_notices set attempts = attempts + 1, next_attempt_at = ?
    where (directory_id, type) in (
      select directory_id, type from operator_notices where next_attempt_at <= ? order by next_attempt_at limit ?)
    returning ${dueNoticeColumns}`)
  const settle = db.prepare(`
    update operator_notices set sent_at = ?, next_attempt_at = ? where directory_id = ? and type = ? and id = ?`)
  return {
    addNotice: (notice) => write(() => add(notice)),
    // Nothing is written, so nothing waits for the disk, while no notice is due.
    takeDueNotices: async (now, retryAt, limit) =>
      due.get(now) === undefined ? [] : write(() => take.all(retryAt, now, limit).map(decodeDueNotice)),
    async settleNotice({ directoryId, type, id }, { sentAt, nextAttemptAt }) {
      await write(() => settle.run(sentAt ?? null, nextAttemptAt ?? null, directoryId, type, id))
    },
  }
}

/** Writes a notice, in the transaction that the caller has open. Returns false when nothing was written. */
export function createNoticeWrite(db: DatabaseSync): (notice: NoticeWrite | undefined) => boolean {
  const insert = db.prepare(`
    insert into operator_notices (${noticeColumns})
    select d.id, ?2, ?3, ?4, ?5, ?6 from directories d where d.id = ?1 and d.deleted = 0 ${replacesNotice}`)
  return (notice) => notice !== undefined && insert.run(...noticeValues(notice)).changes === 1
}
