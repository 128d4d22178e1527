import type { AuditStore } from '../../admin/audit/store.ts'
import type { AuditEntry, AuditWrite } from '../../directory/audit.ts'
import type { AuditRow } from '../audit.ts'
import { auditColumns, auditEntryOf, auditHeadOf, auditListing, auditValues } from '../audit.ts'
import type { Database, Row, Statement } from './database.ts'
import { numberParameters } from './parameters.ts'
import type { Reader } from './read.ts'
import { holdsNul } from './read.ts'

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

/**
 * The end of the chain, locked until the transaction ends. It is the last lock that a transaction takes which others wait
 * for, and what follows is one round trip: so changes wait for each other only that long, and never in a circle.
 */
export const lockHead: Statement = { text: 'select sequence, hash from audit_head for update', values: [] }

const insert = `
  insert into audit_entries (${auditColumns.join(', ')})
  values (${auditColumns.map((_, index) => `$${index + 1}`).join(', ')})`

const advance = 'update audit_head set sequence = $1, hash = $2'

/** An entry that follows the end of the chain, as `lockHead` found it, and what writes it. */
export function entryBehind(
  head: readonly Row[] | undefined,
  audit: AuditWrite,
): { entry: AuditEntry; statements: Statement[] } {
  const entry = audit(auditHeadOf(head?.[0]))
  const statements = [
    { text: insert, values: auditValues(entry) },
    { text: advance, values: [entry.sequence, entry.hash] },
  ]
  return { entry, statements }
}

/** The first statements of a transaction whose change may leave an entry. */
export function withHead(first: readonly Statement[], audit: AuditWrite | undefined): readonly Statement[] {
  return audit === undefined ? first : [...first, lockHead]
}

/** What writes the entry of a change; the rows are those of `withHead`. */
export function auditStatements(rows: readonly Row[][], audit: AuditWrite | undefined): Statement[] {
  return audit === undefined ? [] : entryBehind(rows.at(-1), audit).statements
}

/** Runs a change that is one statement, and with it, in the same commit, its entry when it answers rows. */
export type RunChange = (statement: Statement, audit: AuditWrite | undefined) => Promise<Row[]>

/** Runs changes of what may not be there: like a read, one that names a text with a NUL character finds nothing. */
export function createChange(database: Database): RunChange {
  const write = createWrite(database)
  return async (statement, audit) => (holdsNul(statement) ? [] : write(statement, audit))
}

/** Runs changes whose texts were checked. */
export function createWrite({ query, transaction }: Database): RunChange {
  return (statement, audit) => {
    if (audit === undefined) return query(statement)
    return transaction(withHead([statement], audit), (found) => {
      const [changed = []] = found
      return { statements: changed.length === 0 ? [] : auditStatements(found, audit), answer: changed }
    })
  }
}
