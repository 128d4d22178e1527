import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeInParts, isOnePart } from '../../../src/directory/abridged.ts'
import type { JsonObject } from '../../../src/scim/json.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'

const rawOf = (length: number) => toJsonText<JsonObject>({ a: 'x'.repeat(length - '{"a":""}'.length) })
const item = (id: string, length?: number) => ({ id, raw: length === undefined ? undefined : rawOf(length) })

/** The ids of each part, and a `slice` where one was waited for. */
async function partsOf(items: readonly ReturnType<typeof item>[]): Promise<unknown[]> {
  const seen: unknown[] = []
  const slices = { next: async () => void seen.push('slice') }
  const read = async (id: string) => (id === 'gone' ? undefined : { raw: rawOf(10_000) })
  for await (const part of completeInParts(items, read, slices)) seen.push(part.map(({ id }) => id))
  return seen
}

test('short items are one part, without waiting for a slice', async () => {
  assert.deepEqual(await partsOf([item('a', 100), item('b', 100)]), [['a', 'b']])
})

test('there is a slice between parts of about 100,000 characters', async () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((id) => item(id, 40_000))
  assert.deepEqual(await partsOf(items), [['a', 'b', 'c'], 'slice', ['d', 'e']])
  assert.equal(isOnePart(items.map(({ raw = rawOf(10) }) => ({ raw }))), false)
})

test('abridged items are read one by one in slices, without deleted ones', async () => {
  const parts = await partsOf([item('a', 100), item('large'), item('gone'), item('b', 100)])
  assert.deepEqual(parts, [['a'], 'slice', ['large'], 'slice', ['b']])
})
