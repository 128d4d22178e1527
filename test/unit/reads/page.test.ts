import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBetween, isEither, isOneOf, isText, isWhole, pageOf, pageTokens } from '../../../src/reads/page.ts'

const tokens = pageTokens<{ readonly at: number; readonly id: string }>({ at: isWhole, id: isText })
const tokenOf = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url')

test('a page token has the position that it was made of, without further fields', () => {
  const row = { name: 'Sales', id: 'x', at: 7 }
  assert.deepEqual(tokens.read(tokens.write(row)), { at: 7, id: 'x' })
})

test('without a token there is no position', () => {
  assert.equal(tokens.read(undefined), undefined)
})

for (const { token, because } of [
  { token: 'x', because: 'is no JSON' },
  { token: tokenOf({ at: 1, id: 'x' }), because: 'is no list of values' },
  { token: tokenOf([1]), because: 'has too few values' },
  { token: tokenOf([1, 'x', 2]), because: 'has too many values' },
  { token: tokenOf(['1', 'x']), because: 'has a text for a number' },
  { token: tokenOf([1.5, 'x']), because: 'has a fraction for a whole number' },
  { token: tokenOf([2 ** 53, 'x']), because: 'has a number that is not exact' },
  { token: tokenOf([1, 'a\0b']), because: 'has a NUL character, which no database stores' },
]) {
  test(`a page token is refused that ${because}`, () => {
    assert.throws(() => tokens.read(token), { code: 'invalid-input', message: /^pageToken: send the pageToken/ })
  })
}

test('the fields of a position are within ranges and closed sets', () => {
  assert.deepEqual([-1, 0, 9, 10, '5'].map(isBetween(0, 9)), [false, true, true, false, false])
  assert.deepEqual(['user', 'group', 'toString', 1].map(isOneOf(['user', 'group'])), [true, true, false, false])
  assert.deepEqual([1, 'x', null].map(isEither(isWhole, isText)), [true, true, false])
})

test('a page has a token only if a row was found beyond its limit', () => {
  const tokenOfRow = (row: string) => `after ${row}`
  assert.deepEqual(pageOf(['a', 'b', 'c'], 2, tokenOfRow), { rows: ['a', 'b'], pageToken: 'after b' })
  assert.deepEqual(pageOf(['a', 'b'], 2, tokenOfRow), { rows: ['a', 'b'], pageToken: undefined })
})
