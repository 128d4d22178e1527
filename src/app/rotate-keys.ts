import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KeyRotation } from '../admin/admin-store.ts'
import type { Audit } from '../admin/audit/audit.ts'
import type { Caller } from '../directory/audit.ts'
import { rotatedSigningKeys } from '../oauth/signing-keys.ts'
import { rotatedReceiptKeys } from '../privacy/receipt-keys.ts'

const secretsPerBatch = 200

export interface KeyRotationParts {
  readonly store: KeyRotation
  readonly audit: Pick<Audit, 'append'>
  /** Unix milliseconds. */
  readonly clock: () => number
  /** Called after each batch with the number of secrets encrypted so far. */
  readonly onProgress?: ((resealed: number) => void) | undefined
}

/**
 * Encrypts every secret of an older key with the current one, in batches, while the service runs. When this resolves,
 * no stored secret needs an older key. The keys that sign access tokens and receipts are replaced, too; tokens remain valid
 * until they expire, and receipts forever. It may be repeated, by any process. The secrets of a directory count as one.
 */
export async function rotateKeys(
  { store, audit, clock, onProgress }: KeyRotationParts,
  caller: Caller,
): Promise<{ resealed: number }> {
  let resealed = 0
  for (let isLeft = true; isLeft; await nextTurn()) {
    const batch = await store.resealed(secretsPerBatch)
    resealed += batch.resealed
    isLeft = batch.left
    onProgress?.(resealed)
  }
  await store.changeSecret('access-tokens', (keys) => rotatedSigningKeys(keys, clock()))
  await store.changeSecret('receipts', (keys) => rotatedReceiptKeys(keys, clock()))
  const changes = { resealed: { from: null, to: resealed } }
  const target = { kind: 'service', id: undefined } as const
  await audit.append({ action: 'encryption_key.rotated', caller, target, changes, at: clock() })
  return { resealed }
}
