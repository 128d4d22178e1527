import type { AuditAction, AuditEnd, AuditEntry, AuditHead, AuditWrite, CallerKind } from '../../directory/audit.ts'

/** Selects entries of the audit trail; every field that is set must match. Times are Unix milliseconds. */
export interface AuditFilter {
  readonly action?: AuditAction | undefined
  readonly callerKind?: CallerKind | undefined
  readonly callerId?: string | undefined
  readonly callerName?: string | undefined
  readonly targetId?: string | undefined
  readonly tenant?: string | undefined
  readonly product?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** The seal of the next anchor. */
export type SealAnchor = (previous: AuditEnd, anchor: AuditHead) => string

export interface AuditStore {
  /** Writes a single entry, for an action without another change. */
  appendAudit(write: AuditWrite): Promise<AuditEntry>
  /** The entries before a sequence number, newest first. */
  listAudit(filter: AuditFilter, before: number, limit: number): Promise<AuditEntry[]>
  /** The entries after a sequence number, oldest first. */
  auditAfter(sequence: number, limit: number): Promise<AuditEntry[]>
  /**
   * Replaces those of at most `limit` entries after a sequence number for which `erased` returns another one, with the same
   * hash; resolves with their number. It may be called again for the same entry.
   */
  eraseInAudit(sequence: number, limit: number, erased: (entry: AuditEntry) => AuditEntry | undefined): Promise<number>
  /** The end of the chain; sequence 0 and an empty hash when there is no entry. */
  auditHead(): Promise<AuditEnd>
  /**
   * The sequence and hash of the last removed entry, which the oldest stored one follows; or the start of the chain.
   */
  auditAnchor(): Promise<AuditEnd>
  /**
   * Removes at most `limit` of the entries before a time, oldest first; resolves with their number. Moves the anchor.
   */
  pruneAudit(before: number, limit: number, sealAnchor: SealAnchor): Promise<number>
}
