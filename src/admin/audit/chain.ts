import { createHmac } from 'node:crypto'
import type { AuditChanges, AuditDraft, AuditEntry, Audited } from '../../directory/audit.ts'
import { plainText } from '../../directory/audit.ts'

const maxTextLength = 320
const maxValueLength = 1000
const maxChangesLength = 20_000

/** An entry before it has its hash. */
export type UnsealedEntry = Omit<AuditEntry, 'hash'>

/**
 * The hash of an entry: an HMAC-SHA256 over all of its fields and the hash of the entry before. Who can write to the
 * database but has not the key, which is stored encrypted, can remove the hash of an entry but not make one.
 */
export function hashEntry(key: string, entry: UnsealedEntry): string {
  return createHmac('sha256', key).update(canonicalText(entry)).digest('hex')
}

/**
 * A JSON list of the fields in this order. Lists of JSON are unambiguous, no text can reach into the field beside it;
 * what is undefined is null. Changing this breaks every chain that there is.
 */
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

/** Makes entries for the end of the chain. Their texts are bounded and hold nothing that a log could be forged with. */
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
