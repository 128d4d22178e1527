import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { AuditEntry, AuditHead, AuditWrite } from '../../../src/directory/audit.ts'
import type { Store } from '../../../src/store/store.ts'

const nothing = {
  ...{ callerId: undefined, callerName: undefined, requestId: undefined, address: undefined },
  ...{ targetId: undefined, tenant: undefined, product: undefined, changes: undefined },
}

/** Makes an entry that says little, but for what is given, behind the end of the chain. */
export function someAudit(given: Partial<AuditEntry> = {}): AuditWrite {
  const said: Omit<AuditEntry, keyof AuditHead | 'previousHash'> = {
    ...{ id: uuidv7(), at: 1_700_000_000_000, action: 'directory.updated', callerKind: 'system' },
    ...{ targetKind: 'service', ...nothing, ...given },
  }
  return ({ sequence, hash: previousHash }) => {
    const entry = { ...said, sequence: sequence + 1, previousHash }
    return { ...entry, hash: createHash('sha256').update(JSON.stringify(entry)).digest('hex') }
  }
}

/** What stands for any failure while an entry is made. */
export const failingAudit: AuditWrite = () => {
  throw new Error('no entry can be made')
}

/** Every entry that is kept, after a check that each follows the one before without a gap, up to the end. */
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
  assert.deepEqual(await store.auditHead(), end)
  return entries
}

/** What was written in the audit trail while something was done. */
export async function writtenBy(store: Store, work: () => Promise<unknown>): Promise<AuditEntry[]> {
  const { sequence } = await store.auditHead()
  await work()
  return store.auditAfter(sequence, 1_000)
}
