import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { receiptCommand } from '../../../src/cli/receipt.ts'
import { newReceiptKeys } from '../../../src/privacy/receipt-keys.ts'
import { createReceipts } from '../../../src/privacy/receipts.ts'
import { fakeIo } from './support/fake-io.ts'

let [folder, issuer, receipt, subjectKey] = ['', '', '', '']
const stored = newReceiptKeys()
const receipts = createReceipts({ readKeys: async () => stored, issuer: () => issuer, clock: () => 1 })
const server = createServer(async (request, response) => {
  response.statusCode = request.url === '/.well-known/jwks.json' ? 200 : 404
  response.end(JSON.stringify({ keys: await receipts.publicKeys() }))
})

const file = (name: string) => join(folder, name)

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'receipt-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  receipt = await receipts.sign({
    ...{ id: 'erasure-1', at: 1_700_000_000_000, tenant: 'acme', product: 'crm', subject: 'ann@acme.example' },
    users: [{ directoryId: 'directory-1', userId: 'user-1' }],
    places: { users: 1, events: 3 },
    audit: { sequence: 7, hash: 'ab'.repeat(32) },
  })
  subjectKey = await receipts.subjectKey('erasure-1')
  await writeFile(file('receipt.jws'), `${receipt}\n`)
  await writeFile(file('response.json'), JSON.stringify({ data: { receipt, subject_key: subjectKey }, error: null }))
  await writeFile(file('changed.jws'), receipt.replace('.', '.e'))
  await writeFile(file('jwks.json'), JSON.stringify({ keys: await receipts.publicKeys() }))
})

after(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

async function run(...argv: string[]) {
  const io = fakeIo()
  const code = await receiptCommand(argv, io)
  return { code, out: io.out(), err: io.err() }
}

test('a receipt is verified with a copy of the keys', async () => {
  const { code, out } = await run('verify', file('receipt.jws'), '--jwks', file('jwks.json'))
  assert.equal(code, 0)
  assert.match(out, /is genuine: one of these keys has signed it, for the service "http:\/\/127\.0\.0\.1:\d+"\.\n/)
  assert.match(out, /Erasure erasure-1, finished at 2023-11-14T22:13:20\.000Z, of tenant acme and product crm\./)
  assert.match(out, /Users: user-1\. Changed: users 1, events 3\./)
  assert.match(out, /rollcall audit verify --end 7:abab/)
})

test('the keys are requested from an address, but never from the one that an unverified receipt names', async () => {
  const unnamed = await run('verify', file('receipt.jws'))
  assert.deepEqual([unnamed.code, /Pass the public keys of the service with --jwks/.test(unnamed.err)], [2, true])
  assert.equal((await run('verify', file('receipt.jws'), '--jwks', `${issuer}/.well-known/jwks.json`)).code, 0)
  const { code, err } = await run('verify', file('receipt.jws'), '--jwks', `${issuer}/nothing`)
  assert.deepEqual([code, /responded with 404: pass a copy/.test(err)], [2, true], err)
})

test('the holder of the key of the subject verifies whom the receipt is about', async () => {
  const keys = ['--jwks', file('jwks.json')]
  const right = await run('verify', file('response.json'), ...keys, '--subject', 'Ann@acme.example')
  assert.deepEqual(
    [right.code, /It is about the subject "Ann@acme.example"\.\n$/.test(right.out)],
    [0, true],
    right.out,
  )
  const wrong = await run('verify', file('response.json'), ...keys, '--subject', 'bob@acme.example')
  assert.deepEqual([wrong.code, /It is not about/.test(wrong.out)], [1, true], wrong.out)
  const passed = ['--subject', 'ann@acme.example', '--subject-key', subjectKey]
  assert.equal((await run('verify', file('receipt.jws'), ...keys, ...passed)).code, 0)
  const without = await run('verify', file('receipt.jws'), ...keys, '--subject', 'ann@acme.example')
  assert.deepEqual([without.code, /--subject-key/.test(without.err)], [2, true], without.err)
})

test('a file with several receipts is refused, and texts beside the receipt are not taken for one', async () => {
  const keys = ['--jwks', file('jwks.json')]
  await writeFile(file('list.json'), JSON.stringify({ data: [{ receipt }, { receipt }] }))
  const list = await run('verify', file('list.json'), ...keys)
  assert.deepEqual([list.code, /has 2 receipts: pass a file with one/.test(list.err)], [2, true], list.err)
  await writeFile(file('reason.json'), JSON.stringify({ data: [{ reason: receipt }] }))
  assert.equal((await run('verify', file('reason.json'), ...keys)).code, 1)
})

test('a changed receipt is not genuine', async () => {
  const { code, out } = await run('verify', file('changed.jws'), '--jwks', file('jwks.json'))
  assert.deepEqual([code, /^The receipt is not genuine\. /.test(out)], [1, true], out)
})

for (const { argv, code, problem } of [
  { argv: ['verify'], code: 2, problem: /Name the file of the receipt/ },
  { argv: ['verify', 'a', 'b'], code: 2, problem: /"b" is an unexpected argument/ },
  { argv: ['verify', 'a', '--nothing'], code: 2, problem: /There is no option --nothing/ },
  { argv: ['sign', 'a'], code: 2, problem: /There is no command "receipt sign"/ },
  { argv: ['verify', 'no-such-file', '--jwks', 'jwks.json'], code: 2, problem: /no-such-file cannot be read/ },
]) {
  test(`rollcall receipt ${argv.join(' ')} fails with a sentence`, async () => {
    const { code: found, err } = await run(...argv)
    assert.equal(found, code)
    assert.match(err, problem)
  })
}

test('rollcall receipt shows the help', async () => {
  for (const argv of [[], ['--help'], ['verify', '--help']]) {
    const { code, out } = await run(...argv)
    assert.deepEqual([code, out.includes('--subject-key')], [0, true])
  }
})
