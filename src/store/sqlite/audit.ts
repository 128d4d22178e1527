import type { DatabaseSync } from 'node:sqlite'
import type { AuditStore } from '../../admin/audit/store.ts'
import type { AuditEntry, AuditWrite } from '../../directory/audit.ts'
import type { AuditRow } from '../audit.ts'
import { auditColumns, auditEntryOf, auditHeadOf, auditListing, auditValues } from '../audit.ts'
import type { GroupCommit } from './group-commit.ts'

/** Writes the entry of a change, in the write of the group commit that makes the change. */
export type AppendAudit = (audit: AuditWrite | undefined) => void

const columns = auditColumns.join(', ')

/** Appends to the audit trail, within the transaction that the caller has open. */
export function auditAppender(db: DatabaseSync): (audit: AuditWrite) => AuditEntry {
  const head = db.prepare('select sequence, hash from audit_head')
  const insert = db.prepare(`insert into audit_entries (${columns}) values (${auditColumns.map(() => '?').join(', ')})`)
  const advance = db.prepare('update audit_head set sequence = ?, hash = ?')
  return (audit) => {
    const entry = audit(auditHeadOf(head.get()))
    insert.run(...auditValues(entry))
    advance.run(entry.sequence, entry.hash)
    return entry
  }
}

/** What changes call to have their entries written. */
export function appendAuditOf(db: DatabaseSync): AppendAudit {
  const append = auditAppender(db)
  return (audit) => {
    if (audit !== undefined) append(audit)
  }
}

/** The audit trail on SQLite. */
export function sqliteAudit(db: DatabaseSync, { write }: GroupCommit): AuditStore {
  const append = auditAppender(db)
  const head = db.prepare('select sequence, hash from audit_head')
  const anchor = db.prepare('select anchor_sequence as sequence, anchor_hash as hash from audit_head')
  const after = db.prepare(`select ${columns} from audit_entries where sequence > ? order by sequence limit ?`)
  const oldest = db.prepare('select sequence, hash, at from audit_entries order by sequence limit ?')
  const remove = db.prepare('delete from audit_entries where sequence <= ?')
  const moveAnchor = db.prepare('update audit_head set anchor_sequence = ?, anchor_hash = ?')
  const entryOf = (row: unknown) => auditEntryOf(row as AuditRow)

  return {
    appendAudit: (audit) => write(() => append(audit)),
    async listAudit(filter, before, limit) {
      const { columns: selected, condition, values, index } = auditListing(filter, before)
      const walked = index === undefined ? '' : `indexed by ${index}`
      const list = db.prepare(`
        select ${selected} from audit_entries ${walked} where ${condition} order by sequence desc limit ?`)
      return list.all(...values, limit).map(entryOf)
    },
    auditAfter: async (sequence, limit) => after.all(sequence, limit).map(entryOf),
    auditHead: async () => auditHeadOf(head.get()),
    auditAnchor: async () => auditHeadOf(anchor.get()),
    pruneAudit: (before, limit) =>
      write(() => {
        let last: ReturnType<typeof auditHeadOf> | undefined
        let count = 0
        for (const row of oldest.iterate(limit)) {
          if (Number(row['at']) >= before) break
          last = auditHeadOf(row)
          count += 1
        }
        if (last === undefined) return 0
        remove.run(last.sequence)
        moveAnchor.run(last.sequence, last.hash)
        return count
      }),
  }
}
