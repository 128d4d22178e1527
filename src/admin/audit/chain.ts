import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AuditChanges, AuditDraft, AuditEnd, AuditEntry, Audited, AuditHead } from '../../directory/audit.ts'
import { plainText } from '../../directory/audit.ts'
import { erasedDigests, saltsOf } from './erased-fields.ts'
import { fieldDigest, newSalts, personalValues } from './personal-fields.ts'

const maxTextLength = 320
const maxValueLength = 1000
const maxChangesLength = 20_000

/** An entry without its hash. */
export type UnsealedEntry = Omit<AuditEntry, 'hash'>

/**
 * The hash of an entry: an HMAC-SHA256 of all its fields and of the hash of the entry before. The key is stored
 * encrypted, so write access to the database is not enough to forge a hash. Personal fields are in it as salted digests,
 * so that values and salts can be erased.
 */
export function hashEntry(key: string, entry: UnsealedEntry): string {
  return createHmac('sha256', key).update(digestedForm(entry)).digest('hex')
}

/**
 * The seal of an entry from which personal fields were erased: an HMAC-SHA256 of what is left and of its hash, so that
 * write access to the database is not enough to erase something.
 */
export function sealErasure(key: string, entry: AuditEntry): string {
  const parts = ['rollcall-audit-erased', digestedForm(entry), entry.hash]
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex')
}

/** The fields as a JSON array, the personal ones as digests. Changing this breaks every existing chain. */
function digestedForm(entry: UnsealedEntry): string {
  return JSON.stringify([
    'rollcall-audit-2',
    entry.sequence,
    entry.id,
    entry.at,
    entry.action,
    entry.callerKind,
    entry.callerId ?? null,
    entry.requestId ?? null,
    entry.targetKind,
    entry.targetId ?? null,
    entry.tenant ?? null,
    entry.product ?? null,
    digestsOf(entry),
    entry.previousHash,
  ])
}

/** The digests of the personal fields, of erased ones as stored, in the order of names. */
function digestsOf(entry: UnsealedEntry): [name: string, digest: string][] {
  const values = personalValues(entry)
  const salts = saltsOf(entry.salts)
  const names = [...new Set([...values.keys(), ...(salts?.keys() ?? [])])]
  const present = names.map((name): [string, string] => [name, fieldDigest(name, values.get(name), salts?.get(name))])
  const all = [...present, ...Object.entries(erasedDigests(entry.erased)?.fields ?? {})]
  return all.sort(([one], [other]) => (one < other ? -1 : 1))
}

/** The two ends of the chain: that of the newest entry, and the one that retention moves. */
export type ChainEnd = 'head' | 'anchor'

/**
 * The seal of an end: an HMAC-SHA256, so that write access to the database is not enough to move an end to another
 * entry.
 */
export function sealEnd(key: string, which: ChainEnd, { sequence, hash }: AuditHead): string {
  if (sequence === 0) return ''
  return createHmac('sha256', key)
    .update(JSON.stringify([`rollcall-audit-${which}`, sequence, hash]))
    .digest('hex')
}

/** Returns whether the service recorded an end. */
export function isSealed(key: string, which: ChainEnd, end: AuditEnd): boolean {
  const [found, expected] = [Buffer.from(end.seal), Buffer.from(sealEnd(key, which, end))]
  return found.length === expected.length && timingSafeEqual(found, expected)
}

/** The seal of the end that follows another; an end that the service did not record makes all later ones invalid. */
export function sealAfter(key: string, which: ChainEnd, previous: AuditEnd, end: AuditHead): string {
  return isSealed(key, which, previous) ? sealEnd(key, which, end) : 'invalid'
}

/** Builds entries for the end of the chain. Their texts are limited in length and free of control characters. */
export function createAudited(key: string, newId: () => string): Audited {
  return (draft) => {
    const given = fieldsOf(draft)
    const fields = { id: newId(), ...given, salts: newSalts(given), erased: undefined }
    return (head) => {
      const unsealed = { ...fields, sequence: head.sequence + 1, previousHash: head.hash }
      const entry = { ...unsealed, hash: hashEntry(key, unsealed) }
      return { entry, seal: sealAfter(key, 'head', head, entry) }
    }
  }
}

function fieldsOf({
  action,
  at,
  caller,
  target,
  changes,
}: AuditDraft): Omit<UnsealedEntry, 'id' | 'sequence' | 'previousHash' | 'salts' | 'erased'> {
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
  return JSON.stringify({ '(too long to store)': { from: null, to: fields } })
}
