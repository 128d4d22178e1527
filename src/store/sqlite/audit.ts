import type { DatabaseSync } from 'node:sqlite'
import type { AuditStore } from '../../admin/audit/store.ts'
import type { AuditEntry, AuditWrite } from '../../directory/audit.ts'
import {
  auditColumns,
  auditEnds,
  auditListing,
  auditValues,
  decideAuditPruning,
  decodeAuditAnchor,
  decodeAuditEntry,
  decodeAuditHead,
} from '../audit.ts'
import type { GroupCommit } from './group-commit.ts'

/** Writes the entry of a change, if it is audited, in the transaction that makes the change. */
export type AppendAudit = (audit: AuditWrite | undefined) => void

const columns = auditColumns.join(', ')

export function createAppendAudit(db: DatabaseSync): AppendAudit {
  const append = auditAppender(db)
  return (audit) => {
    if (audit !== undefined) append(audit)
  }
}

/** Appends to the audit trail, in the transaction that the caller has open. */
function auditAppender(db: DatabaseSync): (audit: AuditWrite) => AuditEntry {
  const ends = db.prepare(`select ${auditEnds} from audit_head`)
  const insert = db.prepare(`insert into audit_entries (${columns}) values (${auditColumns.map(() => '?').join(', ')})`)
  const advance = db.prepare('update audit_head set sequence = ?, hash = ?, seal = ?')
  return (audit) => {
    const { entry, seal } = audit(decodeAuditHead(ends.get()))
    insert.run(...auditValues(entry))
    advance.run(entry.sequence, entry.hash, seal)
    return entry
  }
}

/** The audit trail on SQLite. */
export function sqliteAudit(db: DatabaseSync, { write }: GroupCommit): AuditStore {
  const append = auditAppender(db)
  const ends = db.prepare(`select ${auditEnds} from audit_head`)
  const after = db.prepare(`select ${columns} from audit_entries where sequence > ? order by sequence limit ?`)
  const oldest = db.prepare('select sequence, hash, at from audit_entries order by sequence limit ?')
  const remove = db.prepare('delete from audit_entries where sequence <= ?')
  const moveAnchor = db.prepare('update audit_head set anchor_sequence = ?, anchor_hash = ?, anchor_seal = ?')

  return {
    appendAudit: (audit) => write(() => append(audit)),
    async listAudit(filter, before, limit) {
      const { condition, values, index } = auditListing(filter, before)
      const hint = index === undefined ? '' : `indexed by ${index}`
      const list = db.prepare(`
        select ${columns} from audit_entries ${hint} where ${condition} order by sequence desc limit ?`)
      return list.all(...values, limit).map(decodeAuditEntry)
    },
    auditAfter: async (sequence, limit) => after.all(sequence, limit).map(decodeAuditEntry),
    auditHead: async () => decodeAuditHead(ends.get()),
    auditAnchor: async () => decodeAuditAnchor(ends.get()),
    pruneAudit: (before, limit, sealAnchor) =>
      write(() => {
        const pruning = decideAuditPruning(oldest.all(limit), before)
        if (pruning === undefined) return 0
        remove.run(pruning.anchor.sequence)
        const { sequence, hash } = pruning.anchor
        moveAnchor.run(sequence, hash, sealAnchor(decodeAuditAnchor(ends.get()), pruning.anchor))
        return pruning.removed
      }),
  }
}
