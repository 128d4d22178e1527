import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FeedPositions } from '../../../src/delivery/feed/cursor.ts'
import {
  advance,
  createFeedCursors,
  directoryTag,
  eventTag,
  feedStart,
  isProductPlace,
} from '../../../src/delivery/feed/cursor.ts'
import type { DirectoryScope } from '../../../src/directory/directory.ts'

const secret = 'a secret of the service'
const { write: writeCursor, read } = createFeedCursors(secret)
const readCursor = (of: DirectoryScope, text: string): FeedPositions => {
  const place = read(of, text)
  return isProductPlace(place) ? assert.fail('this is the cursor of a product') : place
}
const scope: DirectoryScope = { tenant: 'acme', product: 'crm' }
const tags = ['d1', 'd2', 'd3'].map(directoryTag)
const [d1 = '', d2 = '', d3 = ''] = tags
const at = (sequence: number) => ({ sequence, eventTag: eventTag(`event-${sequence}`) })

const sequence = fc.oneof(
  fc.constantFrom(0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32, 2 ** 33 - 1, Number.MAX_SAFE_INTEGER),
  fc.maxSafeNat(),
)
const eventId = fc.option(fc.uuid({ version: 7 }), { nil: undefined })
const position = fc.record({ sequence, eventTag: eventId.map(eventTag) }, { noNullPrototype: true })
const positions = fc
  .uniqueArray(fc.tuple(fc.uuid().map(directoryTag), position), { selector: ([tag]) => tag, maxLength: 300 })
  .map((entries): FeedPositions => new Map(entries))

test('a cursor contains the last event of each directory, in the order of the reads', () => {
  fc.assert(
    fc.property(positions, (all) => {
      assert.deepEqual([...readCursor(scope, writeCursor(scope, all))], [...all])
    }),
  )
})

test('a cursor of a product is short, contains the last event, and is valid for this product only', () => {
  const product: DirectoryScope = { product: 'crm' }
  const numbers = fc.tuple(sequence, fc.nat(1_000)).map(([position, pageLength]) => ({
    position,
    previous: Math.max(0, position - pageLength),
  }))
  fc.assert(
    fc.property(numbers, position, (place, last) => {
      const cursor = writeCursor(product, { ...place, ...last })
      assert.deepEqual(read(product, cursor), { ...place, ...last })
      assert.ok(cursor.length < 60)
      for (const other of [{ product: 'erp' }, scope, { directoryId: 'd1' }])
        assert.throws(() => read(other, cursor), { code: 'invalid-input' })
    }),
  )
  assert.throws(() => read(product, writeCursor(scope, feedStart)), { code: 'invalid-input' })
})

test('the directory read last comes last', () => {
  const positions = [d1, d2, d3, d1].reduce((all, tag, index) => advance(all, tag, at(index + 1)), feedStart)
  assert.deepEqual([...readCursor(scope, writeCursor(scope, positions)).keys()], [d2, d3, d1])
})

test('a cursor is short for one directory, and fits into a header for three hundred', () => {
  assert(writeCursor(scope, advance(feedStart, d1, at(1_000_000))).length < 28)
  const many = Array.from({ length: 300 }, (_, index) => directoryTag(`d${index}`))
  const positions = many.reduce((all, tag) => advance(all, tag, at(2 ** 33)), feedStart)
  assert(writeCursor(scope, positions).length < 6_000)
})

const good = writeCursor(scope, advance(feedStart, d1, at(300)))
for (const { text, because } of [
  { text: '', because: 'it is empty' },
  { text: 'x', because: 'it is too short' },
  { text: good.slice(0, -1), because: 'its end is missing' },
  { text: `${good}AA`, because: 'something is behind it' },
  { text: `B${good.slice(1)}`, because: 'it is of another version' },
  { text: inVersion(3, good), because: 'it says that it is of a product' },
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
  const forged = createFeedCursors('a guess').write(scope, advance(feedStart, d1, at(300)))
  assert.throws(() => readCursor(scope, forged), { code: 'invalid-input' })
})

function inVersion(version: number, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url')
  bytes[0] = version
  return bytes.toString('base64url')
}
