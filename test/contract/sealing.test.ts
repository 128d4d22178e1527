import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { test } from 'node:test'
import type { SecretLocation } from '../../src/store/sealing.ts'
import { createSealing, keyId } from '../../src/store/sealing.ts'

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const sealing = createSealing([first])
const location: SecretLocation = ['directories', 'scim_secret', 'd1']
const sealed = sealing.seal('secret', location)

test('a repeated key counts once, and is not an older key', () => {
  assert.deepEqual(createSealing([first, second, first, second]).keyIds, [keyId(first), keyId(second)])
})

for (const secret of ['secret', '', 'schlüssel 🔑', 'x'.repeat(5000)]) {
  test(`a secret of ${secret.length} characters decrypts at its location`, () => {
    assert.equal(sealing.open(sealing.seal(secret, location), location), secret)
  })
}

test('the same secret has a different ciphertext each time', () => {
  assert.notEqual(sealing.seal('secret', location), sealed)
})

for (const { other, because } of [
  { other: ['directories', 'endpoint_secret', 'd1'], because: 'the column differs' },
  { other: ['directories', 'scim_secret', 'd2'], because: 'the row differs' },
  { other: ['settings', 'value', 'd1'], because: 'the table differs' },
  { other: ['directories', 'scim_secret', 'd1"]'], because: 'only the start of the row is the same' },
] satisfies { other: SecretLocation; because: string }[]) {
  test(`does not decrypt a secret at another location: ${because}`, () => {
    const [table, column] = other
    const message = new RegExp(
      `in table ${table}, column ${column}, row .* was altered, or was copied from somewhere else\\.$`,
    )
    assert.throws(() => sealing.open(sealed, other), { message })
  })
}

/** A sealed text of the first key with these bytes. */
const textOf = (bytes: Buffer) => `v2.${keyId(first)}.${bytes.toString('base64url')}`
const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url')

/** The empty secret with a tag of four bytes, which could be guessed. */
function withShortTag(): string {
  const nonce = bytes.subarray(0, 12)
  const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(JSON.stringify(location)))
  cipher.final()
  return textOf(Buffer.concat([nonce, cipher.getAuthTag().subarray(0, 4)]))
}

const copied = /copied from somewhere else\.$/
const otherFormat = /^A stored secret is not in the format that this version of Rollcall writes/
for (const { what, text, message } of [
  {
    what: 'one bit changed',
    text: textOf(Buffer.from(bytes.map((byte, n) => (n === 14 ? byte ^ 1 : byte)))),
    message: copied,
  },
  { what: 'the last byte missing', text: textOf(bytes.subarray(0, -1)), message: copied },
  { what: 'three bytes only', text: textOf(bytes.subarray(0, 3)), message: copied },
  { what: 'a tag that is too short', text: withShortTag(), message: copied },
  { what: 'no bytes', text: `v2.${keyId(first)}.`, message: copied },
  { what: 'only its prefix', text: `v2.${keyId(first)}`, message: copied },
  { what: 'an older format', text: sealed.replace('v2', 'v1'), message: otherFormat },
  { what: 'no format at all', text: 'secret', message: otherFormat },
  { what: 'an invalid key id', text: 'v2.\u001b[2Jxxxx.AAAA', message: otherFormat },
  {
    what: 'another key',
    text: createSealing([second]).seal('secret', location),
    message: new RegExp(`the key ${keyId(second)}, which ENCRYPTION_KEY does not contain`),
  },
]) {
  test(`rejects a text with ${what} and says why`, () => assert.throws(() => sealing.open(text, location), { message }))
}
