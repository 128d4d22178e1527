import assert from 'node:assert/strict'
import test from 'node:test'
import type { AttemptResult } from '../../../src/delivery/attempt.ts'
import type { OnEvent } from '../../../src/delivery/callback-sender.ts'
import { createCallbackSender } from '../../../src/delivery/callback-sender.ts'
import { eventObject } from '../../../src/delivery/payload.ts'
import { outcomeOf } from '../../../src/delivery/policy.ts'
import type { RollcallEvent } from '../../../src/webhooks/event.ts'
import { someDirectory, someEvent } from './support/samples.ts'

function deliver(onEvent: OnEvent, { signal } = new AbortController()): Promise<AttemptResult> {
  return createCallbackSender(onEvent)(someDirectory(), [someEvent()], 1, signal)
}

test('the callback receives the parsed payload', async () => {
  const got: RollcallEvent[] = []
  const delivery = await deliver(async (event) => void got.push(event))
  assert.equal(outcomeOf(delivery), 'delivered')
  assert.deepEqual(got, [eventObject(someEvent(), someDirectory())])
})

for (const { name, onEvent, reason } of [
  {
    name: 'throws',
    reason: 'onEvent failed: no',
    onEvent: () => {
      throw new Error('no')
    },
  },
  { name: 'rejects', reason: 'onEvent failed: not now', onEvent: () => Promise.reject('not now') },
]) {
  test(`a callback that ${name} is a failed attempt`, async () => {
    const delivery = await deliver(onEvent)
    assert.partialDeepStrictEqual(delivery, { kind: 'failed', reason })
  })
}

test('a callback that does not return is abandoned at shutdown', async () => {
  const stop = new AbortController()
  const delivery = deliver(() => new Promise(() => {}), stop)
  stop.abort()
  assert.equal((await delivery).kind, 'failed')
})
