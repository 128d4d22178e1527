import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advance, createFeedCursors, directoryTag, feedStart } from '../../../src/delivery/feed/cursor.ts'
import type { DirectoryScope } from '../../../src/directory/directory.ts'

const { write: writeCursor, read: readCursor } = createFeedCursors('a secret of the service')
const scope: DirectoryScope = { tenant: 'acme', product: 'crm' }
const tags = ['d1', 'd2', 'd3'].map(directoryTag)
const [d1 = '', d2 = '', d3 = ''] = tags

for (const sequence of [0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32, 2 ** 33 - 1, Number.MAX_SAFE_INTEGER]) {
  test(`a cursor can contain the sequence ${sequence}`, () => {
    const positions = advance(advance(feedStart, d1, sequence), d2, 7)
    assert.deepEqual([...readCursor(scope, writeCursor(scope, positions))], [...positions])
  })
}

test('the directory read last comes last', () => {
  const positions = [d1, d2, d3, d1].reduce((all, tag, index) => advance(all, tag, index + 1), feedStart)
  assert.deepEqual([...readCursor(scope, writeCursor(scope, positions)).keys()], [d2, d3, d1])
})

test('a cursor is short for one directory, and fits into a header for three hundred', () => {
  assert(writeCursor(scope, advance(feedStart, d1, 1_000_000)).length < 24)
  const many = Array.from({ length: 300 }, (_, index) => directoryTag(`d${index}`))
  const positions = many.reduce((all, tag) => advance(all, tag, 1_000_000), feedStart)
  assert(writeCursor(scope, positions).length < 4_096)
})

const good = writeCursor(scope, advance(feedStart, d1, 300))
for (const { text, because } of [
  { text: '', because: 'it is empty' },
  { text: 'x', because: 'it is too short' },
  { text: good.slice(0, -1), because: 'its end is missing' },
  { text: `${good}AA`, because: 'something is behind it' },
  { text: `B${good.slice(1)}`, because: 'it is of another version' },
  { text: `${good.slice(0, -2)}zz`, because: 'it was changed' },
  { text: `${good} `, because: 'it has other characters' },
]) {
  test(`a cursor is rejected when ${because}`, () => {
    assert.throws(() => readCursor(scope, text), { code: 'invalid-input', message: /^after: send the cursor/ })
  })
}

for (const other of [
  { tenant: 'acme' },
  { tenant: 'crm', product: 'acme' },
  { tenant: 'globex', product: 'crm' },
  { directoryId: 'd1' },
  { ...scope, directoryId: 'd1' },
]) {
  test(`a cursor of acme and crm is rejected for ${JSON.stringify(other)}`, () => {
    assert.throws(() => readCursor(other, good), { code: 'invalid-input' })
  })
}

test('a cursor that was made without the secret of the service is rejected', () => {
  const forged = createFeedCursors('a guess').write(scope, advance(feedStart, d1, 300))
  assert.throws(() => readCursor(scope, forged), { code: 'invalid-input' })
})
