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

// Takes hours if the marks on one character are sorted together.
for (const marks of ['\u0f71\u0f74', '\u0315\u0300', '\u0345\u0316\u0301']) {
  test(`a text of any length is folded at once: ${JSON.stringify(marks)}`, () => {
    const text = marks.repeat(500_000)
    assert.equal(fold(`${text}A`), fold(`${text}a`))
    assert.equal(fold(fold(text)), fold(text))
  })
}
