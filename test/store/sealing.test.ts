import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSealing, keyId } from '../../src/store/sealing.ts'

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

test('a key that is given twice is one key: nothing that it sealed is under an older one', () => {
  assert.deepEqual(createSealing([first, second, first, second]).keyIds, [keyId(first), keyId(second)])
})
