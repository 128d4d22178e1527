import type { AuditAction, AuditEntry, AuditTarget, CallerKind } from '../../directory/audit.ts'
import { isoTime } from '../instant.ts'

/** An entry of the audit trail as the API answers it. */
export interface AuditAnswer {
  readonly sequence: number
  readonly id: string
  /** ISO 8601, in UTC. */
  readonly at: string
  readonly action: AuditAction
  readonly actor: { readonly kind: CallerKind; readonly id: string | null; readonly name: string | null }
  readonly request_id: string | null
  readonly address: string | null
  readonly target: {
    readonly kind: AuditTarget['kind']
    readonly id: string | null
    readonly tenant: string | null
    readonly product: string | null
  }
  /** `{field: {from, to}}`; null when nothing is to be said. */
  readonly changes: unknown
  readonly previous_hash: string
  readonly hash: string
}

export function auditAnswer(entry: AuditEntry): AuditAnswer {
  const { callerKind, callerId, callerName, targetKind, targetId, tenant, product } = entry
  return {
    sequence: entry.sequence,
    id: entry.id,
    at: isoTime(entry.at),
    action: entry.action,
    actor: { kind: callerKind, id: callerId ?? null, name: callerName ?? null },
    request_id: entry.requestId ?? null,
    address: entry.address ?? null,
    target: { kind: targetKind, id: targetId ?? null, tenant: tenant ?? null, product: product ?? null },
    changes: entry.changes === undefined ? null : changesOf(entry.changes),
    previous_hash: entry.previousHash,
    hash: entry.hash,
  }
}

/** What was tampered with may be no JSON any more; it is shown as it is. */
function changesOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
