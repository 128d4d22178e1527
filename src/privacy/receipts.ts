import { createReadCache } from '../concurrency/read-cache.ts'
import { currentKey, keysReadEveryMs } from '../oauth/signing-keys.ts'
import type { ErasureToSign } from './receipt.ts'
import { deriveSubjectKey, signReceipt } from './receipt.ts'
import type { PublicReceiptKey, ReceiptKeys } from './receipt-keys.ts'
import { parseReceiptKeys, publicReceiptKey } from './receipt-keys.ts'

/** The receipts of erasures, signed by this service. */
export interface Receipts {
  /** Signs the receipt of a finished erasure. */
  sign(erasure: ErasureToSign): Promise<string>
  /** The key with which the holder of a receipt can check whom it is about: see `deriveSubjectKey`. */
  subjectKey(erasureId: string): Promise<string>
  /** The public keys of all receipts, also of those that no longer sign. */
  publicKeys(): Promise<PublicReceiptKey[]>
}

export interface ReceiptParts {
  /** Reads the stored keys, or creates them: see `receipt-keys.ts`. */
  readonly readKeys: () => Promise<string>
  readonly issuer: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
}

export function createReceipts({ readKeys, issuer, clock }: ReceiptParts): Receipts {
  const cache = createReadCache<ReceiptKeys>({ keepMs: keysReadEveryMs, maxRecords: 1, clock })
  const read = async () =>
    (await cache.find('all', async () => parseReceiptKeys(await readKeys()))) ?? { keys: [], subjectSecret: '' }
  return {
    async sign(erasure) {
      const { keys, subjectSecret } = await read()
      const subjectKey = deriveSubjectKey(subjectSecret, erasure.id)
      return signReceipt(erasure, currentKey(keys, clock()), { subjectKey, issuer: issuer() })
    },
    subjectKey: async (erasureId) => deriveSubjectKey((await read()).subjectSecret, erasureId),
    publicKeys: async () => (await read()).keys.map(publicReceiptKey),
  }
}
