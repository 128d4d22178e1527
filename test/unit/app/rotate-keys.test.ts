import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyRotation } from '../../../src/admin/admin-store.ts'
import { rotateKeys } from '../../../src/app/rotate-keys.ts'
import type { AuditDraft, AuditEntry } from '../../../src/directory/audit.ts'
import { systemCaller } from '../../../src/directory/audit.ts'
import { newSigningKeys, parseSigningKeys } from '../../../src/oauth/signing-keys.ts'
import { newReceiptKeys, parseReceiptKeys } from '../../../src/privacy/receipt-keys.ts'

const caller = systemCaller('a test')

/** A rotation of a store that encrypts these numbers of secrets per batch; -1 makes it fail. */
function rotation(batches: readonly number[]) {
  const [asked, drafts, progress]: [number[], AuditDraft[], number[]] = [[], [], []]
  const replaced: [string, number][] = []
  const rest = [...batches]
  const store: KeyRotation = {
    async resealed(limit) {
      asked.push(limit)
      const resealed = rest.shift() ?? 0
      if (resealed < 0) throw new Error('the database is away')
      return { resealed, left: rest.length > 0 }
    },
    async changeSecret(name, changed) {
      const count =
        name === 'receipts'
          ? parseReceiptKeys(changed(newReceiptKeys())).keys.length
          : parseSigningKeys(changed(newSigningKeys())).length
      replaced.push([name, count])
    },
  }
  const audit = {
    async append(draft: AuditDraft) {
      drafts.push(draft)
      return {} as AuditEntry
    },
  }
  const onProgress = (resealed: number) => progress.push(resealed)
  return {
    run: () => rotateKeys({ store, audit, clock: () => 7, onProgress }, caller),
    asked,
    drafts,
    progress,
    replaced,
  }
}

test('batches are encrypted until none is left, even if one of them was empty', async () => {
  const { run, asked, progress } = rotation([200, 0, 200, 13])
  assert.deepEqual(await run(), { resealed: 413 })
  assert.deepEqual(asked, [200, 200, 200, 200])
  assert.deepEqual(progress, [200, 200, 400, 413])
})

test('one audit entry has the number of secrets', async () => {
  const { run, drafts } = rotation([200, 13])
  await run()
  const target = { kind: 'service', id: undefined }
  const changes = { resealed: { from: null, to: 213 } }
  assert.deepEqual(drafts, [{ action: 'encryption_key.rotated', caller, target, changes, at: 7 }])
})

test('the keys that sign access tokens and receipts get a successor', async () => {
  const { run, replaced } = rotation([1])
  await run()
  assert.deepEqual(replaced, [
    ['access-tokens', 2],
    ['receipts', 2],
  ])
})

test('a failed rotation is not audited', async () => {
  const { run, drafts } = rotation([200, -1])
  await assert.rejects(run(), /the database is away/)
  assert.deepEqual(drafts, [])
})

test('other work runs between the batches', async () => {
  const { run, progress } = rotation([1, 1, 1])
  const rotated = run()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(progress, [1, 2].slice(0, progress.length), 'it has not run to its end')
  await rotated
})
