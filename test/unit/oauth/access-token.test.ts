import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSecret } from '../../../src/directory/secret.ts'
import { createAccessTokens, isAccessToken } from '../../../src/oauth/access-token.ts'
import {
  keyFor,
  maxTokenMs,
  newSigningKeys,
  parseSigningKeys,
  rotatedSigningKeys,
} from '../../../src/oauth/signing-keys.ts'
import { createManualTime } from '../../support/manual-time.ts'

const minute = 60_000
const lifetimeSeconds = 6 * 3_600

/** Tokens whose stored keys a test rotates, and how often they were read. */
function someTokens() {
  const time = createManualTime(1_700_000_000_000)
  let stored = newSigningKeys()
  let reads = 0
  const readKeys = async () => {
    reads += 1
    return stored
  }
  const rotate = () => {
    stored = rotatedSigningKeys(stored, time.clock())
  }
  const tokens = createAccessTokens({ readKeys, lifetimeSeconds, clock: time.clock })
  return { ...time, ...tokens, rotate, reads: () => reads }
}

const keyOf = ({ token }: { readonly token: string }) => token.split('.')[0]

test('a token is verified for its directory only, and the keys are read once a minute', async () => {
  const { issue, verify, advance, reads } = someTokens()
  const { token } = await issue([{ directoryId: 'directory-1', id: 'client-1' }])
  assert(isAccessToken(token))
  for (let n = 0; n < 100; n += 1) assert.equal((await verify(token, 'directory-1'))?.clientIds[0], 'client-1')
  assert.equal(await verify(token, 'directory-2'), undefined)
  assert.equal(reads(), 1)
  advance(minute)
  assert.equal((await verify(token, 'directory-1'))?.isNew, false)
  assert.equal(reads(), 2)
})

test('a token of several clients names all of them, and none can be added or removed', async () => {
  const { issue, verify } = someTokens()
  const [first, second] = [
    { directoryId: 'directory-1', id: 'client-1' },
    { directoryId: 'directory-2', id: 'client-2' },
  ]
  const { token } = await issue([first, second])
  for (const { directoryId } of [first, second]) {
    assert.deepEqual((await verify(token, directoryId))?.clientIds, ['client-1', 'client-2'])
  }
  for (const ids of ['client-1', 'client-1~client-2~client-3', '', '~']) {
    assert.equal(await verify(token.replace('client-1~client-2', ids), 'directory-1'), undefined)
  }
})

test('no SCIM secret looks like an access token', () => {
  for (let n = 0; n < 100; n += 1) assert(!isAccessToken(newSecret()))
  assert(!isAccessToken(`rct_${newSecret()}`))
})

test('a new key signs when every process has read it, and tokens of the former key remain valid until they expire', async () => {
  const tokens = someTokens()
  const first = await tokens.issue([{ directoryId: 'd', id: 'c' }])
  tokens.rotate()
  tokens.advance(minute)
  assert.equal(
    keyOf(await tokens.issue([{ directoryId: 'd', id: 'c' }])),
    keyOf(first),
    'another process may not know the new key yet',
  )
  tokens.advance(minute - 1)
  const last = await tokens.issue([{ directoryId: 'd', id: 'c' }])
  tokens.advance(1)
  assert.notEqual(keyOf(await tokens.issue([{ directoryId: 'd', id: 'c' }])), keyOf(first))
  assert.equal((await tokens.verify(last.token, 'd'))?.clientIds[0], 'c')
})

test('a replaced key signs nothing that ends later than its last token, and is removed after that', () => {
  const now = 1_700_000_000_000
  const rotated = rotatedSigningKeys(newSigningKeys(), now)
  assert.equal(rotatedSigningKeys(rotated, now + 2 * minute - 1), rotated, 'one new key waits at a time')
  const keys = parseSigningKeys(rotated)
  const [old, current] = keys.map(({ id }) => id)
  const lastEnd = now + 2 * minute + maxTokenMs
  assert.deepEqual(
    [lastEnd, lastEnd + 1].map((end) => keyFor(keys, old ?? '', end)?.id),
    [old, undefined],
  )
  const later = parseSigningKeys(rotatedSigningKeys(rotated, lastEnd))
  assert.deepEqual([later.length, later[0]?.id], [2, current])
})
