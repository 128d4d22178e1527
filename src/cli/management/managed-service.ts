import type { AuditReport } from '../../admin/audit/verify.ts'

/** What the commands of the management ask of a service, whichever way they reach it. */
export interface ManagedService extends AsyncDisposable {
  /** Where it is asked, for the terminal. */
  readonly where: string
  /** Checks the audit trail, against an end that was noted earlier (`<sequence>:<hash>`) when there is one. */
  verify(end: string | undefined): Promise<AuditReport>
  /** The audit trail as JSON lines, in pieces of some lines or parts of them. */
  exportAudit(): AsyncIterable<string>
  /** Seals every secret with the current encryption key; answers how many were sealed anew. */
  rotateKeys(onProgress: (resealed: number) => void): Promise<number>
}
