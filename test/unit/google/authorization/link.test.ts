import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSecret } from '../../../../src/directory/secret.ts'
import { linkExpiry, openLink, signLink } from '../../../../src/google/authorization/link.ts'

const key = newSecret()
const now = 1_700_000_012_345
const link = { directoryId: 'a-directory', consents: 2, expiresAt: linkExpiry(now) }

test('a link expires after an hour, rounded down to a minute', () => {
  assert.equal(link.expiresAt, 1_700_003_580_000)
  assert.deepEqual(openLink(signLink(link, key), key, link.expiresAt - 1), link)
  assert.throws(() => openLink(signLink(link, key), key, link.expiresAt), { code: 'invalid-input', message: /expired/ })
})

test('a link of another key is rejected', () => {
  assert.throws(() => openLink(signLink(link, newSecret()), key, now), {
    code: 'invalid-input',
    message: /not created by this service/,
  })
})

test('an altered link is rejected', () => {
  const token = signLink(link, key)
  for (let at = 0; at < token.length - 1; at += 1) {
    // A and g differ in the first bit: the last bits of the last character may stand for nothing.
    const altered = token.slice(0, at) + (token[at] === 'A' ? 'g' : 'A') + token.slice(at + 1)
    assert.throws(() => openLink(altered, key, now), { code: 'invalid-input' }, `at ${at}`)
  }
})

for (const token of ['', '.', 'a', 'a.b', 'a.b.c', '.'.repeat(100)]) {
  test(`'${token.slice(0, 10)}' is not a link`, () => {
    assert.throws(() => openLink(token, key, now), { code: 'invalid-input', message: /not created by this service/ })
  })
}
