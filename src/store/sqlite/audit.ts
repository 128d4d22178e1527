import type { AuditWrite } from '../../directory/audit.ts'
import { entryAfter, lockAuditHead } from '../audit-chain.ts'
import type { RunStatement } from './sql-database.ts'

/** Writes the entry of a change, if it is audited, in the transaction that makes the change. */
export type AppendAudit = (audit: AuditWrite | undefined) => void

export function createAppendAudit(run: RunStatement): AppendAudit {
  return (audit) => {
    if (audit !== undefined) entryAfter(run(lockAuditHead), audit).statements.forEach(run)
  }
}
