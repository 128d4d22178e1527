import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CursorContents } from '../../../src/provisioning/search/cursor.ts'
import { openCursor, queryDigest, sealCursor } from '../../../src/provisioning/search/cursor.ts'
import { cursorTimeoutSeconds } from '../../../src/scim/limits.ts'

const issuedAt = Date.UTC(2026, 0, 1)
const query = queryDigest(['User', 'active eq true'])
const contents: CursorContents = {
  place: { source: 0, position: { sequence: 7, id: 'u7', name: 'ann' }, key: 'ann' },
  ...{ query, count: 10, totalResults: 70, issuedAt },
}
const directory = { scimSecret: 'current', previousScimSecret: undefined }
const asked = { query, count: 10, now: issuedAt }

test('a cursor returns the contents that it was sealed with', () => {
  assert.deepEqual(openCursor(directory, sealCursor(directory, contents), asked), contents)
})

test('a cursor contains unreserved characters only', () => {
  assert.match(sealCursor(directory, contents), /^[\w-]+$/)
})

test('a cursor expires after the advertised cursorTimeout', () => {
  const cursor = sealCursor(directory, contents)
  const lastly = issuedAt + cursorTimeoutSeconds * 1000
  assert.deepEqual(openCursor(directory, cursor, { ...asked, now: lastly }), contents)
  const refusal = { status: 400, scimType: 'expiredCursor' }
  assert.throws(() => openCursor(directory, cursor, { ...asked, now: lastly + 1 }), refusal)
})

test('a cursor stays valid during the grace period of a rotated secret', () => {
  const cursor = sealCursor({ scimSecret: 'former' }, contents)
  const rotated = { scimSecret: 'current', previousScimSecret: { secret: 'former', expiresAt: issuedAt + 1000 } }
  assert.deepEqual(openCursor(rotated, cursor, asked), contents)
  const refusal = { status: 400, scimType: 'invalidCursor' }
  assert.throws(() => openCursor(rotated, cursor, { ...asked, now: issuedAt + 1000 }), refusal)
})

for (const { cursor, because } of [
  { cursor: '', because: 'it is empty' },
  { cursor: 'abc', because: 'it is too short' },
  { cursor: 'ä'.repeat(60), because: 'it has characters outside base64url' },
  { cursor: 'A'.repeat(80), because: 'it was not sealed' },
  {
    cursor: sealCursor({ scimSecret: 'of another directory' }, contents),
    because: 'it was sealed with another secret',
  },
  { cursor: sealCursor(directory, { ...contents, query: 'other' }), because: 'it was made for another query' },
]) {
  test(`rejects a cursor when ${because}`, () => {
    assert.throws(() => openCursor(directory, cursor, asked), { status: 400, scimType: 'invalidCursor' })
  })
}

test('rejects a cursor with any character changed', () => {
  const cursor = sealCursor(directory, contents)
  for (let index = 0; index < cursor.length; index += 1) {
    // A and g differ in the first bit: the last bits of the last character may stand for nothing.
    const changed = cursor.slice(0, index) + (cursor[index] === 'A' ? 'g' : 'A') + cursor.slice(index + 1)
    assert.throws(() => openCursor(directory, changed, asked), { scimType: 'invalidCursor' })
  }
})
