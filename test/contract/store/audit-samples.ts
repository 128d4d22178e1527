import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { AuditEntry, AuditHead, AuditWrite } from '../../../src/directory/audit.ts'
import type { Store } from '../../../src/store/store.ts'

const nothing = {
  ...{ callerId: undefined, callerName: undefined, requestId: undefined, address: undefined },
  ...{ targetId: undefined, tenant: undefined, product: undefined, changes: undefined },
  ...{ salts: '{}', erased: undefined },
}

/** Makes an entry with the given fields and defaults for the others. */
export function someAudit(fields: Partial<AuditEntry> = {}): AuditWrite {
  const said: Omit<AuditEntry, keyof AuditHead | 'previousHash'> = {
    ...{ id: uuidv7(), at: 1_700_000_000_000, action: 'directory.updated', callerKind: 'system' },
    ...{ targetKind: 'service', ...nothing, ...fields },
  }
  return ({ sequence, hash: previousHash }) => {
    const unsealed = { ...said, sequence: sequence + 1, previousHash }
    const hash = createHash('sha256').update(JSON.stringify(unsealed)).digest('hex')
    return { entry: { ...unsealed, hash }, seal: `seal of ${sequence + 1}` }
  }
}

/** Represents any failure to make an entry. */
export const failingAudit: AuditWrite = () => {
  throw new Error('no entry can be made')
}

/** All stored entries; checks that each follows the one before without a gap, up to the head. */
export async function chainOf(store: Store): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  let end: AuditHead = await store.auditAnchor()
  for (;;) {
    const part = await store.auditAfter(end.sequence, 7)
    for (const entry of part) {
      assert.equal(entry.sequence, end.sequence + 1)
      assert.equal(entry.previousHash, end.hash)
      end = { sequence: entry.sequence, hash: entry.hash }
    }
    entries.push(...part)
    if (part.length === 0) break
  }
  const { seal: _, ...head } = await store.auditHead()
  assert.deepEqual(head, { sequence: end.sequence, hash: end.hash })
  return entries
}

/** The audit entries that were written while `work` ran. */
export async function writtenBy(store: Store, work: () => Promise<unknown>): Promise<AuditEntry[]> {
  const { sequence } = await store.auditHead()
  await work()
  return store.auditAfter(sequence, 1_000)
}
