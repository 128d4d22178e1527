import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { test } from 'node:test'
import type { SealedPlace } from '../../src/store/sealed-place.ts'
import { createSealing, keyId } from '../../src/store/sealing.ts'

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const sealing = createSealing([first])
const place: SealedPlace = ['directories', 'scim_secret', 'd1']
const sealed = sealing.seal('secret', place)

test('a key that is given twice is one key: nothing that it sealed is under an older one', () => {
  assert.deepEqual(createSealing([first, second, first, second]).keyIds, [keyId(first), keyId(second)])
})

for (const secret of ['secret', '', 'schlüssel 🔑', 'x'.repeat(5000)]) {
  test(`a secret of ${secret.length} characters opens where it was sealed`, () => {
    assert.equal(sealing.open(sealing.seal(secret, place), place), secret)
  })
}

test('the same secret is sealed differently each time', () => {
  assert.notEqual(sealing.seal('secret', place), sealed)
})

for (const { other, because } of [
  { other: ['directories', 'endpoint_secret', 'd1'], because: 'the column is another' },
  { other: ['directories', 'scim_secret', 'd2'], because: 'the row is another' },
  { other: ['settings', 'value', 'd1'], because: 'the table is another' },
  { other: ['directories', 'scim_secret', 'd1"]'], because: 'the row only begins the same' },
] satisfies { other: SealedPlace; because: string }[]) {
  test(`refuses to open a secret elsewhere: ${because}`, () => {
    const [table, column] = other
    const message = new RegExp(`in the table ${table}, column ${column}, of .*changed, or copied from elsewhere\\.$`)
    assert.throws(() => sealing.open(sealed, other), { message })
  })
}

/** A text in the form of those that the key sealed, with these bytes. */
const textOf = (bytes: Buffer) => `v2.${keyId(first)}.${bytes.toString('base64url')}`
const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url')

/** The empty secret with a tag that is four bytes long: one that could be guessed. */
function withShortTag(): string {
  const nonce = bytes.subarray(0, 12)
  const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(JSON.stringify(place)))
  cipher.final()
  return textOf(Buffer.concat([nonce, cipher.getAuthTag().subarray(0, 4)]))
}

const copied = /copied from elsewhere\.$/
const otherForm = /^A stored secret is not in the form that this version of Rollcall writes/
for (const { what, text, message } of [
  {
    what: 'a bit of it changed',
    text: textOf(Buffer.from(bytes.map((byte, n) => (n === 14 ? byte ^ 1 : byte)))),
    message: copied,
  },
  { what: 'its end missing', text: textOf(bytes.subarray(0, -1)), message: copied },
  { what: 'hardly anything left', text: textOf(bytes.subarray(0, 3)), message: copied },
  { what: 'a tag that is too short', text: withShortTag(), message: copied },
  { what: 'nothing in it', text: `v2.${keyId(first)}.`, message: copied },
  { what: 'only its beginning', text: `v2.${keyId(first)}`, message: copied },
  { what: 'the former form', text: sealed.replace('v2', 'v1'), message: otherForm },
  { what: 'no form', text: 'secret', message: otherForm },
  { what: 'what is not the id of a key', text: 'v2.\u001b[2Jxxxx.AAAA', message: otherForm },
  {
    what: 'another key',
    text: createSealing([second]).seal('secret', place),
    message: new RegExp(`the key ${keyId(second)}, which ENCRYPTION_KEY does not hold`),
  },
]) {
  test(`refuses in words a text with ${what}`, () => assert.throws(() => sealing.open(text, place), { message }))
}
