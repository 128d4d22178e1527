import type { AuditEntry, AuditWrite } from '../../directory/audit.ts'
import { auditColumns, auditHeadOf, auditValues } from '../audit-row.ts'
import type { Database, Row, Statement } from './database.ts'
import { holdsNul } from './read.ts'

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
