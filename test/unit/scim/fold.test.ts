import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold } from '../../../src/scim/fold.ts'
import { anyCharacters } from '../../support/any-characters.ts'

for (const { a, b, because } of [
  { a: 'BJensen', b: 'bjensen', because: 'letter case' },
  { a: 'É', b: 'e\u0301', because: 'Unicode composition' },
  { a: 'ａｎｎ', b: 'ann', because: 'full width' },
  { a: 'ｶﾞ', b: 'ガ', because: 'half width' },
  { a: 'a\u3000b', b: 'a b', because: 'the width of a space' },
  { a: 'ΝΙΚΟΣ', b: 'νικοσ', because: 'the form of sigma' },
]) {
  test(`${a} and ${b} are equal: ${because} is ignored`, () => assert.equal(fold(a), fold(b)))
}

for (const [a, b] of [
  ['ß', 'ss'],
  ['ﬁ', 'fi'],
  ['é', 'e'],
  ['²', '2'],
]) {
  test(`${a} and ${b} are not the same`, () => assert.notEqual(fold(a ?? ''), fold(b ?? '')))
}

test('folding twice changes nothing', () => {
  fc.assert(fc.property(anyCharacters(), (text) => assert.equal(fold(fold(text)), fold(text))))
})
