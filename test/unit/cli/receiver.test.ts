import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../../tools/demo/receiver.ts'
import { postSigned } from './support/fake-sender.ts'

function someEvent(sequence: number, changes: object = {}) {
  const data = { id: 'u1', first_name: 'Maya', active: true }
  const created_at = new Date(Date.now() - 25).toISOString()
  return { id: `e${sequence}`, sequence, event: 'user.updated', directory_id: 'd1', created_at, data, ...changes }
}

test('accepts an event with a valid signature and records its latency', async () => {
  await using receiver = await startReceiver()
  const { url, secret } = receiver.openEndpoint('acme')
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/acme$/)
  assert.match(secret, /^whsec_/)
  assert.equal(await postSigned(url, secret, 'e1', JSON.stringify(someEvent(1))), 204)
  const { count, recent } = receiver.record('d1')
  assert.equal(count, 1)
  assert.ok((recent[0]?.latencyMs ?? 0) >= 25)
  assert.deepEqual(receiver.signatures, { verified: 1, invalid: 0 })
})

test('rejects a wrong secret, missing headers and an unknown path', async () => {
  await using receiver = await startReceiver()
  const { url } = receiver.openEndpoint('acme')
  const { secret } = receiver.openEndpoint('globex')
  const payload = JSON.stringify(someEvent(1))
  assert.equal(await postSigned(url, secret, 'e1', payload), 401)
  assert.equal((await fetch(url, { method: 'POST', body: payload })).status, 401)
  assert.equal((await fetch(`${receiver.url}/nobody`, { method: 'POST', body: payload })).status, 404)
  assert.equal(receiver.record('d1').count, 0)
  assert.deepEqual(receiver.signatures, { verified: 0, invalid: 2 })
})

test('responds with 400 to a signed body that is not an event', async () => {
  await using receiver = await startReceiver()
  const { url, secret } = receiver.openEndpoint('acme')
  assert.equal(await postSigned(url, secret, 'e1', '{"hello":1}'), 400)
})

for (const { sequences, expected } of [
  { sequences: [1, 2, 3], expected: { count: 3, missing: 0, inversions: 0, duplicates: 0 } },
  { sequences: [7, 8, 9], expected: { count: 3, missing: 0, inversions: 0, duplicates: 0 } },
  { sequences: [1, 2, 5], expected: { count: 3, missing: 2, inversions: 0, duplicates: 0 } },
  { sequences: [1, 3, 2], expected: { count: 3, missing: 0, inversions: 1, duplicates: 0 } },
  { sequences: [1, 2, 2, 1, 3], expected: { count: 3, missing: 0, inversions: 0, duplicates: 2 } },
]) {
  test(`records ${sequences}, sent one by one and as a batch`, async () => {
    await using receiver = await startReceiver()
    const { url, secret } = receiver.openEndpoint('acme')
    for (const sequence of sequences) await postSigned(url, secret, 'e', JSON.stringify(someEvent(sequence)))
    const batch = sequences.map((sequence) => someEvent(sequence, { directory_id: 'd2' }))
    await postSigned(url, secret, 'e', JSON.stringify(batch))
    assert.partialDeepStrictEqual(receiver.record('d1'), expected)
    assert.partialDeepStrictEqual(receiver.record('d2'), expected)
  })
}

test('keeps the newest events and the last event of each user', async () => {
  await using receiver = await startReceiver({ keepEvents: 2 })
  const { url, secret } = receiver.openEndpoint('acme')
  const batch = [1, 2, 3].map((sequence) => someEvent(sequence))
  await postSigned(url, secret, 'e', JSON.stringify([...batch, someEvent(4, { event: 'group.user_added' })]))
  const { recent, lastUserEvents } = receiver.record('d1')
  assert.deepEqual(
    recent.map(({ sequence }) => sequence),
    [3, 4],
  )
  assert.equal(lastUserEvents.get('u1')?.sequence, 3)
})

test('waiting ends with the expected event, the timeout or the signal', async () => {
  await using receiver = await startReceiver()
  const { url, secret } = receiver.openEndpoint('acme')
  const arrived = receiver.waitUntil(() => receiver.record('d1').count === 2, 5000)
  await postSigned(url, secret, 'e1', JSON.stringify(someEvent(1)))
  await postSigned(url, secret, 'e2', JSON.stringify(someEvent(2)))
  assert.equal(await arrived, true)
  assert.equal(await receiver.waitUntil(() => false, 10), false)
  assert.equal(await receiver.waitUntil(() => false, 5000, AbortSignal.abort()), false)
})
