import type { AuditReport } from '../../admin/audit/verify.ts'

/** A service to manage, through its database or its admin API. */
export interface ManagedService extends AsyncDisposable {
  /** `the database` or the address of the service, for the terminal. */
  readonly where: string
  /** Verifies the audit trail, also against an end that was recorded earlier (`<sequence>:<hash>`). */
  verify(end: string | undefined): Promise<AuditReport>
  /** The audit trail as JSON lines, in chunks of any length. */
  exportAudit(): AsyncIterable<string>
  /** Encrypts every secret with the current key and returns the number of changed records. */
  rotateKeys(onProgress: (resealed: number) => void): Promise<number>
}
