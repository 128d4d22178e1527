import { createHmac } from 'node:crypto'
import type { AuditChanges, AuditDraft, AuditEntry, Audited } from '../../directory/audit.ts'
import { plainText } from '../../directory/audit.ts'

const maxTextLength = 320
const maxValueLength = 1000
const maxChangesLength = 20_000

/** An entry without its hash. */
export type UnsealedEntry = Omit<AuditEntry, 'hash'>

/**
 * The hash of an entry: an HMAC-SHA256 of all its fields and of the hash of the entry before. The key is stored encrypted,
 * so write access to the database is not enough to forge a hash.
 */
export function hashEntry(key: string, entry: UnsealedEntry): string {
  return createHmac('sha256', key).update(canonicalText(entry)).digest('hex')
}

/** The fields as a JSON array, which is unambiguous; undefined becomes null. Changing this breaks every existing chain. */
function canonicalText(entry: UnsealedEntry): string {
  return JSON.stringify([
    'rollcall-audit-1',
    entry.sequence,
    entry.id,
    entry.at,
    entry.action,
    entry.callerKind,
    entry.callerId ?? null,
    entry.callerName ?? null,
    entry.requestId ?? null,
    entry.address ?? null,
    entry.targetKind,
    entry.targetId ?? null,
    entry.tenant ?? null,
    entry.product ?? null,
    entry.changes ?? null,
    entry.previousHash,
  ])
}

/** Builds entries for the end of the chain. Their texts are limited in length and free of control characters. */
export function createAudited(key: string, newId: () => string): Audited {
  return (draft) => {
    const fields = { id: newId(), ...fieldsOf(draft) }
    return ({ sequence, hash: previousHash }) => {
      const entry = { ...fields, sequence: sequence + 1, previousHash }
      return { ...entry, hash: hashEntry(key, entry) }
    }
  }
}

function fieldsOf({
  action,
  at,
  caller,
  target,
  changes,
}: AuditDraft): Omit<UnsealedEntry, 'id' | 'sequence' | 'previousHash'> {
  return {
    at,
    action,
    callerKind: caller.kind,
    callerId: plain(caller.id),
    callerName: plain(caller.name),
    requestId: plain(caller.requestId),
    address: plain(caller.address),
    targetKind: target.kind,
    targetId: plain(target.id),
    tenant: plain(target.tenant),
    product: plain(target.product),
    changes: changes && changesText(changes),
  }
}

function plain(text: string | undefined): string | undefined {
  return text === undefined ? undefined : plainText(text, maxTextLength)
}

function changesText(changes: AuditChanges): string | undefined {
  if (Object.keys(changes).length === 0) return undefined
  const text = JSON.stringify(changes, (_, value: unknown) =>
    typeof value === 'string' ? plainText(value, maxValueLength) : value,
  )
  if (text.length <= maxChangesLength) return text
  const fields = plainText(Object.keys(changes).join(', '), maxValueLength)
  return JSON.stringify({ '(too long to be kept)': { from: null, to: fields } })
}
