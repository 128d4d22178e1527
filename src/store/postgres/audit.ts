import type { AuditStore } from '../../admin/audit/store.ts'
import { auditListing } from '../audit-listing.ts'
import type { AuditRow } from '../audit-row.ts'
import { auditColumns, auditEntryOf, auditHeadOf } from '../audit-row.ts'
import { entryBehind, lockHead } from './audit-entries.ts'
import type { Database, Row } from './database.ts'
import { numberParameters } from './parameters.ts'
import type { Reader } from './read.ts'

const head = { text: 'select sequence, hash from audit_head', values: [] }
const anchor = { text: 'select anchor_sequence as sequence, anchor_hash as hash from audit_head', values: [] }
const after = `select ${auditColumns.join(', ')} from audit_entries where sequence > $1 order by sequence limit $2`
const oldest = 'select sequence, hash, at from audit_entries order by sequence limit $1'
const remove = 'delete from audit_entries where sequence <= $1'
const moveAnchor = 'update audit_head set anchor_sequence = $1, anchor_hash = $2'

const entryOf = (row: Row) => auditEntryOf(row as unknown as AuditRow)

/** The audit trail on PostgreSQL. */
export function postgresAudit({ transaction }: Database, { rows, row }: Reader): AuditStore {
  return {
    appendAudit: (audit) =>
      transaction([lockHead], ([found]) => {
        const { entry, statements } = entryBehind(found, audit)
        return { statements, answer: entry }
      }),
    async listAudit(filter, before, limit) {
      const { columns, condition, values } = auditListing(filter, before)
      const text = numberParameters(
        `select ${columns} from audit_entries where ${condition} order by sequence desc limit ?`,
        1,
      )
      return (await rows({ text, values: [...values, limit], isRare: true })).map(entryOf)
    },
    auditAfter: async (sequence, limit) => (await rows({ text: after, values: [sequence, limit] })).map(entryOf),
    auditHead: async () => auditHeadOf(await row(head)),
    auditAnchor: async () => auditHeadOf(await row(anchor)),
    pruneAudit: (before, limit) =>
      transaction([lockHead, { text: oldest, values: [limit] }], ([, found = []]) => {
        const firstKept = found.findIndex(({ at }) => Number(at) >= before)
        const old = firstKept === -1 ? found : found.slice(0, firstKept)
        if (old.length === 0) return { statements: [], answer: 0 }
        const { sequence, hash } = auditHeadOf(old.at(-1))
        const statements = [
          { text: remove, values: [sequence] },
          { text: moveAnchor, values: [sequence, hash] },
        ]
        return { statements, answer: old.length }
      }),
  }
}
