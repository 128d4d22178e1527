import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { createEgressPolicy } from '../../../src/delivery/endpoint/egress-policy.ts'
import type { FoundKey } from '../../../src/oauth/issuer-keys.ts'
import { createIssuerKeys } from '../../../src/oauth/issuer-keys.ts'
import type { FederatedClient } from '../../../src/oauth/oauth-client.ts'
import { eventually } from '../../support/eventually.ts'
import type { IssuerKey, TestIssuer } from '../../support/issuer.ts'
import { audience, newIssuerKey, startIssuer, subject } from '../../support/issuer.ts'
import { createManualTime } from '../../support/manual-time.ts'

const minute = 60_000
const hour = 60 * minute

let issuer: TestIssuer
let another: IssuerKey
before(async () => {
  issuer = await startIssuer()
  another = await newIssuerKey('key-2')
})
after(() => issuer.close())

/** Keys of issuers with a clock of their own; the issuer publishes `keys`, and answers as it does unless `answer` is set. */
function someKeys({
  allowPrivate = ['127.0.0.1'],
  answer = undefined as TestIssuer['answer'],
  timeoutMs = 60_000,
  waitMs = 5_000,
} = {}) {
  const time = createManualTime(Date.now())
  const egress = createEgressPolicy({ allowPrivate, externalUrl: () => 'https://rollcall.example' })
  const keys = createIssuerKeys({ egress, timeoutMs, waitMs, clock: time.clock })
  issuer.answer = answer
  const before = issuer.fetches
  return {
    ...time,
    find: (kid: string, more: Partial<FederatedClient> = {}, tenant = 'acme') =>
      keys.find({ ...client(), ...more }, tenant, kid),
    fetches: () => issuer.fetches - before,
    [Symbol.asyncDispose]: () => keys.close(),
  }
}

function client(): FederatedClient {
  return {
    ...{ id: 'client-1', directoryId: 'directory-1', name: undefined, createdAt: 0, lastUsedAt: undefined },
    ...{ type: 'federated', issuer: issuer.issuer, subject, audience, jwksUrl: issuer.jwksUrl },
  }
}

const isFound = (found: FoundKey) => 'getKey' in found
const problemOf = (found: FoundKey) => ('problem' in found ? found.problem : '')

test('keys are fetched once, and again after an hour', async () => {
  await using keys = someKeys()
  assert(isFound(await keys.find('key-1')))
  keys.advance(hour - 1)
  assert(isFound(await keys.find('key-1')))
  assert.equal(keys.fetches(), 1)
  keys.advance(1)
  assert(isFound(await keys.find('key-1')))
  assert.equal(keys.fetches(), 2)
})

test('a thousand unknown keys at once cause one request, and so do those of the next minute', async () => {
  await using keys = someKeys()
  const unknown = () => Promise.all(Array.from({ length: 1_000 }, (_, n) => keys.find(`unknown-${n}`)))
  assert((await unknown()).every((found) => /the issuer has no key `unknown-\d+`/.test(problemOf(found))))
  keys.advance(minute - 1)
  await unknown()
  assert.equal(keys.fetches(), 1)
  keys.advance(1)
  await unknown()
  assert.equal(keys.fetches(), 2)
  assert(isFound(await keys.find('key-1')), 'the known key is still accepted')
})

test('a new key of the issuer is found, and one that it no longer publishes is refused', async () => {
  await using keys = someKeys()
  assert(isFound(await keys.find('key-1')))
  const published = issuer.keys
  issuer.keys = [another]
  keys.advance(minute)
  assert(isFound(await keys.find('key-2')))
  assert(!isFound(await keys.find('key-1')))
  issuer.keys = published
})

test('known keys serve for a day while the issuer does not answer, and it is asked once a minute', async () => {
  await using keys = someKeys()
  assert(isFound(await keys.find('key-1')))
  issuer.answer = (response) => response.writeHead(503).end()
  keys.advance(hour)
  for (let n = 0; n < 3; n += 1) assert(isFound(await keys.find('key-1')))
  assert.equal(keys.fetches(), 2)
  keys.advance(23 * hour - 1)
  assert(isFound(await keys.find('key-1')))
  keys.advance(1)
  assert.match(problemOf(await keys.find('key-1')), /could not be fetched: 127.0.0.1:\d+ responded with 503/)
})

const big = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.on('error', () => {}).end(`{"keys":["${'x'.repeat(10 * 1024 * 1024)}"]}`)
}
for (const { what, answer, says, timeoutMs } of [
  { what: 'has 10 MB', answer: big, says: /more than 256 KB/ },
  {
    what: 'never ends',
    answer: (response: ServerResponse) => response.writeHead(200).write('{'),
    says: /in time/,
    timeoutMs: 500,
  },
  { what: 'never begins', answer: () => {}, says: /in time/, timeoutMs: 500 },
  {
    what: 'is a redirect',
    answer: (response: ServerResponse) => response.writeHead(302, { location: issuer.jwksUrl }).end(),
    says: /responded with 302/,
  },
  { what: 'is not JSON', answer: (response: ServerResponse) => response.end('<html>'), says: /is not JSON/ },
  {
    what: 'is no key set',
    answer: (response: ServerResponse) => response.end('{"keys":1}'),
    says: /not a JSON Web Key/,
  },
  {
    what: 'has too many keys',
    answer: (response: ServerResponse) => response.end(JSON.stringify({ keys: Array(101).fill({}) })),
    says: /more than 100 keys/,
  },
]) {
  test(`a key set that ${what} is refused`, async () => {
    await using keys = someKeys({ answer, timeoutMs })
    assert.match(problemOf(await keys.find('key-1')), says)
    assert.equal(keys.fetches(), 1)
  })
}

test('keys are never fetched from a private address, also if a name leads there', async () => {
  await using keys = someKeys({ allowPrivate: [] })
  const { port } = new URL(issuer.jwksUrl)
  for (const jwksUrl of [issuer.jwksUrl, `http://localhost:${port}/keys`]) {
    assert.match(problemOf(await keys.find('key-1', { jwksUrl })), /must not be sent to/)
  }
  assert.equal(keys.fetches(), 0)
})

test('the discovery document must be the one of the issuer', async () => {
  await using keys = someKeys()
  const found = await keys.find('key-1', { issuer: issuer.issuer, jwksUrl: undefined })
  assert(isFound(found))
  const other = await keys.find('key-1', { issuer: `${issuer.issuer}/`, jwksUrl: undefined })
  assert.match(problemOf(other), /not the one of this issuer/)
})

test('keys that a directory fetches from an address of its own are not those of the issuer for others', async () => {
  await using keys = someKeys()
  await using attacker = await startIssuer()
  attacker.keys = [another]
  assert(isFound(await keys.find('key-2', { directoryId: 'directory-2', jwksUrl: attacker.jwksUrl })))
  assert(!isFound(await keys.find('key-2')))
})

/** A key address of the issuer that no other client has. */
const addressOf = (n: number) => ({ jwksUrl: `${issuer.jwksUrl}?${n}` })
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const isBusy = (found: FoundKey) => 'busy' in found

test('the keys of a tenant are still held after another tenant has signed in with 1,020 clients', async () => {
  await using keys = someKeys()
  assert(isFound(await keys.find('key-1')))
  const found = await Promise.all(numbers(1_020).map((n) => keys.find('key-1', addressOf(n), 'hostile')))
  assert.equal(found.filter(isFound).length, 50)
  assert.equal(found.filter(isBusy).length, 970)
  assert.equal(keys.fetches(), 51, 'a tenant causes at most 50 fetches a minute')
  assert(isFound(await keys.find('key-1')))
  assert.equal(keys.fetches(), 51)
  keys.advance(minute)
  assert(isFound(await keys.find('key-1', addressOf(60), 'hostile')), 'the address that was tried first makes room')
})

test('keys are fetched while an issuer of another tenant does not answer, also from the same address', async () => {
  await using keys = someKeys({ answer: () => {}, timeoutMs: 60_000 })
  const hostile = [{}, ...numbers(40).map(addressOf)].map((more) => keys.find('key-1', more, 'hostile'))
  await eventually('three quarters of the places are taken', () => keys.fetches() === 12)
  issuer.answer = undefined
  assert(isFound(await keys.find('key-1')))
  await keys[Symbol.asyncDispose]()
  await Promise.all(hostile)
})

test('waiting for other tenants is no failure of the issuer: the next request finds its key', async () => {
  await using keys = someKeys({ answer: () => {}, timeoutMs: 60_000, waitMs: 100 })
  const hostile = numbers(40).map((n) => keys.find('key-1', addressOf(n), `hostile-${n % 4}`))
  await eventually('all places are taken', () => keys.fetches() === 16)
  issuer.answer = undefined
  assert(isBusy(await keys.find('key-1')))
  issuer.closeConnections()
  assert(isFound(await keys.find('key-1')))
  await Promise.all(hostile)
})

test('secret keys and keys of other kinds in a key set are ignored', async () => {
  const { kid, ...jwk } = another.jwk
  const odd = [{ kty: 'oct', kid: 'secret', k: 'c2VjcmV0' }, { ...jwk }, { kty: 'RSA', kid: 5 }, 'text', null]
  await using keys = someKeys({ answer: (response) => response.end(JSON.stringify({ keys: odd })) })
  assert.match(problemOf(await keys.find('secret')), /has no key/)
})
