import type { AuditAction, AuditEntry, AuditHead, AuditWrite, CallerKind } from '../../directory/audit.ts'

/** Which entries of the audit trail are asked for; each given part narrows. Times are Unix milliseconds. */
export interface AuditFilter {
  readonly action?: AuditAction | undefined
  readonly callerKind?: CallerKind | undefined
  readonly callerId?: string | undefined
  readonly targetId?: string | undefined
  readonly tenant?: string | undefined
  readonly product?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** What the audit trail asks of a store. */
export interface AuditStore {
  /** Writes an entry of something that changes nothing else. */
  appendAudit(write: AuditWrite): Promise<AuditEntry>
  /** The entries before a sequence number, newest first. */
  listAudit(filter: AuditFilter, before: number, limit: number): Promise<AuditEntry[]>
  /** The entries behind a sequence number, oldest first. */
  auditAfter(sequence: number, limit: number): Promise<AuditEntry[]>
  /** The end of the chain; sequence 0 and an empty hash before the first entry. */
  auditHead(): Promise<AuditHead>
  /** What the oldest entry that is kept must follow: that of the last one that was removed, or the beginning. */
  auditAnchor(): Promise<AuditHead>
  /** Removes entries that are older, from the oldest on, at most `limit`; answers how many. The anchor moves with it. */
  pruneAudit(before: number, limit: number): Promise<number>
}
