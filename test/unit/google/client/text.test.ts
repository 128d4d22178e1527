import assert from 'node:assert/strict'
import test from 'node:test'
import { emailText, idText, longText, shortText } from '../../../../src/google/client/parse.ts'

for (const { given, kept, because } of [
  { given: 'Nora', kept: 'Nora', because: 'it is a text' },
  { given: 'Zoë 😀', kept: 'Zoë 😀', because: 'it may be of any language' },
  { given: 'No\u0000ra\u0007', kept: 'Nora', because: 'control characters cannot be stored' },
  { given: '1 Main St\n\tRoom 2', kept: '1 Main St\n\tRoom 2', because: 'lines and tabs can' },
  { given: 'half \ud83d', kept: 'half \ufffd', because: 'half a character is none' },
  { given: '', kept: undefined, because: 'it is empty' },
  { given: '\u0000', kept: undefined, because: 'nothing is left' },
  { given: 7, kept: undefined, because: 'it is a number' },
  { given: null, kept: undefined, because: 'it is null' },
  { given: ['Nora'], kept: undefined, because: 'it is a list' },
]) {
  test(`keeps ${JSON.stringify(kept)} of ${JSON.stringify(given)}: ${because}`, () => {
    assert.equal(shortText(given), kept)
  })
}

test('a text is cut at its limit', () => {
  assert.equal(shortText('x'.repeat(10_000)), 'x'.repeat(512))
})

test('a text of several lines may be longer', () => {
  assert.equal(longText('x'.repeat(10_000)), 'x'.repeat(4_096))
})

test('a text is not cut through a character', () => {
  assert.equal(shortText(`${'x'.repeat(511)}😀`), 'x'.repeat(511))
})

for (const { given, isId } of [
  { given: '100000000000000000001', isId: true },
  { given: '01invent0gr0up1', isId: true },
  { given: '', isId: false },
  { given: 'a b', isId: false },
  { given: 'a\u0000', isId: false },
  { given: 'ä', isId: false },
  { given: 'x'.repeat(257), isId: false },
  { given: 100, isId: false },
]) {
  test(`${JSON.stringify(given).slice(0, 30)} is ${isId ? 'an' : 'no'} id`, () => {
    assert.equal(idText(given), isId ? given : undefined)
  })
}

for (const { given, isAddress } of [
  { given: 'nora.blake@example.com', isAddress: true },
  { given: "o'hara+x@sub.example.com", isAddress: true },
  { given: 'nora@exämple.com', isAddress: true },
  { given: 'nora', isAddress: false },
  { given: '@example.com', isAddress: false },
  { given: 'nora blake@example.com', isAddress: false },
  { given: 'nora@example.com\n', isAddress: false },
  { given: `${'x'.repeat(512)}@example.com`, isAddress: false },
  { given: undefined, isAddress: false },
]) {
  test(`${JSON.stringify(given)?.slice(0, 40)} is ${isAddress ? 'an' : 'no'} e-mail address`, () => {
    assert.equal(emailText(given), isAddress ? given : undefined)
  })
}
