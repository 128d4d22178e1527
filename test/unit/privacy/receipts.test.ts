import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { readReceipt, subjectDigest, verifyReceipt } from '../../../src/privacy/receipt.ts'
import { newReceiptKeys, parseReceiptKeys, rotatedReceiptKeys } from '../../../src/privacy/receipt-keys.ts'
import { createReceipts } from '../../../src/privacy/receipts.ts'

const minute = 60_000
const at = Date.UTC(2026, 0, 15)

const erasure = {
  ...{ id: 'erasure-1', at, tenant: 'acme', product: 'crm', subject: 'Ann@acme.example' },
  users: [{ directoryId: 'directory-1', userId: 'user-1' }],
  places: { users: 1, events: 3 },
  audit: { sequence: 7, hash: 'ab'.repeat(32) },
}

/** The receipts of a service whose keys and time a test changes. */
function openReceipts() {
  const state = { keys: newReceiptKeys(), now: at }
  const receipts = createReceipts({
    readKeys: async () => state.keys,
    issuer: () => 'https://sync.acme.example',
    clock: () => state.now,
  })
  return { state, receipts }
}

test('a receipt is verified with the published keys, and says what was erased, not whose data', async () => {
  const { receipts } = openReceipts()
  const text = await receipts.sign(erasure)
  const verified = await verifyReceipt(text, { keys: await receipts.publicKeys() })
  assert('receipt' in verified)
  const { subject_digest: digest, ...rest } = verified.receipt
  assert.deepEqual(rest, {
    ...{ iss: 'https://sync.acme.example', iat: at / 1_000, jti: 'erasure-1', erased_at: '2026-01-15T00:00:00.000Z' },
    ...{ tenant: 'acme', product: 'crm', users: [{ directory_id: 'directory-1', id: 'user-1' }] },
    places: { users: 1, events: 3 },
    audit: { sequence: 7, hash: 'ab'.repeat(32) },
  })
  assert.equal(digest, subjectDigest(await receipts.subjectKey('erasure-1'), ' ann@ACME.example '))
  assert.notEqual(digest, subjectDigest(await receipts.subjectKey('erasure-1'), 'bob@acme.example'))
  assert.notEqual(digest, subjectDigest(await receipts.subjectKey('erasure-2'), 'ann@acme.example'))
  assert.doesNotMatch(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString(), /ann/i)
  assert.deepEqual(readReceipt(text), verified.receipt)
})

test('published keys have no private part', async () => {
  const { state, receipts } = openReceipts()
  const [key] = parseReceiptKeys(state.keys).keys
  const [published = {}] = await receipts.publicKeys()
  assert.deepEqual(Object.keys(published).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  assert(key?.d !== undefined && !JSON.stringify(published).includes(key.d))
})

for (const { what, change, problem } of [
  {
    what: 'whose content was changed',
    change: ([header = '', , signature = '']: string[]) =>
      [header, Buffer.from('{"iss":"https://evil.example"}').toString('base64url'), signature].join('.'),
    problem: /changed/,
  },
  {
    what: 'whose signature was removed',
    change: ([header = '', payload = '']: string[]) => `${header}.${payload}.`,
    problem: /changed|not a receipt/,
  },
  {
    what: 'that asks for no signature',
    change: ([, payload = '']: string[]) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
    problem: /not a receipt/,
  },
  { what: 'that is no JWS', change: () => 'nonsense', problem: /not a receipt/ },
]) {
  test(`a receipt ${what} is refused`, async () => {
    const { receipts } = openReceipts()
    const text = change((await receipts.sign(erasure)).split('.'))
    const verified = await verifyReceipt(text, { keys: await receipts.publicKeys() })
    assert.match('problem' in verified ? verified.problem : 'genuine', problem)
  })
}

test('the keys of another service verify nothing', async () => {
  const text = await openReceipts().receipts.sign(erasure)
  const verified = await verifyReceipt(text, { keys: await openReceipts().receipts.publicKeys() })
  assert.match('problem' in verified ? verified.problem : 'genuine', /published keys/)
})

test('a new key signs when all processes know it, and receipts of all earlier keys remain genuine', async () => {
  const { state, receipts } = openReceipts()
  const signed = [await receipts.sign(erasure)]
  for (let rotation = 1; rotation <= 3; rotation++) {
    state.keys = rotatedReceiptKeys(state.keys, state.now)
    assert.equal(rotatedReceiptKeys(state.keys, state.now), state.keys, 'unchanged while the new key waits')
    state.now += minute
    signed.push(await receipts.sign(erasure))
    state.now += minute
    signed.push(await receipts.sign(erasure))
  }
  const ids = signed.map((text) => decodeProtectedHeader(text).kid)
  assert.deepEqual(ids.slice(0, 2), [ids[0], ids[0]])
  assert.equal(new Set(ids).size, 4)
  const keys = await receipts.publicKeys()
  for (const text of signed) assert('receipt' in (await verifyReceipt(text, { keys })))
  assert.equal(parseReceiptKeys(state.keys).keys.filter(({ d }) => d !== undefined).length, 2, 'older keys cannot sign')
  assert.equal(await receipts.subjectKey('erasure-1'), await receipts.subjectKey('erasure-1'))
})
