import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hmacSha256 } from '../../../src/webhooks/hmac-sha256.ts'

const expected = (key: Uint8Array, message: Uint8Array) =>
  new Uint8Array(createHmac('sha256', key).update(message).digest())

test('equals the HMAC of Node.js for keys and messages of every length around whole blocks', () => {
  for (let length = 0; length <= 200; length += 1) {
    const [key, message] = [new Uint8Array(length).fill(length), new Uint8Array(200 - length).fill(1)]
    assert.deepEqual(hmacSha256(key, message), expected(key, message), `${length}`)
  }
  const long = new Uint8Array(100_000).fill(7)
  assert.deepEqual(hmacSha256(long, long), expected(long, long))
})

test('equals the HMAC of Node.js for any key and message', () => {
  const bytes = fc.uint8Array({ maxLength: 300 })
  fc.assert(
    fc.property(bytes, bytes, (key, message) => {
      assert.deepEqual(hmacSha256(key, message), expected(key, message))
    }),
  )
})
