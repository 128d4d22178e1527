import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createKeyedMutex } from '../../../src/concurrency/keyed-mutex.ts'
import type { StoredResource } from '../../../src/directory/resource.ts'
import type { Provisioning, WriteContext } from '../../../src/provisioning/lifecycle.ts'
import { changeStored, largeResourceLength } from '../../../src/provisioning/lifecycle.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'

const context: WriteContext = {
  directory: { id: 'd', revision: 1, product: 'crm', tenant: 'acme' },
  cause: { requestId: 'r', at: 1 },
}

/** Makes one change per length concurrently, each of its own resource; returns the results and the counted calls. */
async function change(lengths: readonly number[], fails = false) {
  const provisioning = { store: {}, mutex: createKeyedMutex() } as unknown as Provisioning
  const seen = { reads: 0, writing: 0, most: 0 }
  const kind = {
    name: 'user' as const,
    async read(_store: unknown, _directoryId: string, id: string): Promise<StoredResource> {
      seen.reads += 1
      const raw = toJsonText({ value: 'x'.repeat(lengths[Number(id)] ?? 0) })
      return { id, version: 1, createdAt: 1, updatedAt: 1, raw }
    },
  }
  const changes = lengths.map((_, n) =>
    changeStored(provisioning, kind, context, { id: `${n}` }, async () => {
      seen.writing += 1
      seen.most = Math.max(seen.most, seen.writing)
      await nextTurn()
      seen.writing -= 1
      if (fails) throw new Error('it failed')
      return n
    }),
  )
  return { results: await Promise.allSettled(changes), seen }
}

test('a tenant changes one large resource at a time, and each is read again before its turn', async () => {
  const { results, seen } = await change(Array.from({ length: 20 }, () => largeResourceLength))
  assert.deepEqual(
    results.map((result) => result.status === 'fulfilled' && result.value),
    results.map((_, n) => n),
  )
  assert.equal(seen.most, 1)
  assert.equal(seen.reads, 40)
})

test('other resources do not wait, and are read once', async () => {
  const { seen } = await change(Array.from({ length: 20 }, () => 100))
  assert.deepEqual({ most: seen.most, reads: seen.reads }, { most: 20, reads: 20 })
})

test('a change that fails ends its turn', async () => {
  const { results } = await change(
    Array.from({ length: 20 }, () => largeResourceLength),
    true,
  )
  assert.ok(results.every(({ status }) => status === 'rejected'))
})
