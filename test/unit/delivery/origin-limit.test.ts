import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitingOrigins } from '../../../src/delivery/endpoint/origin-limit.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { createManualSend } from './support/manual-send.ts'
import { someDirectory, someEndpoint, someEvent } from './support/samples.ts'

/** A sender whose attempts end under the control of the test. */
function openSender(concurrency: number) {
  const { send, sendings } = createManualSend()
  const time = createManualTime()
  const limited = limitingOrigins(send, { concurrency, timeoutMs: 15_000, schedule: time.schedule })
  const stop = new AbortController()
  return {
    ...time,
    stop,
    sendings,
    async start(id: string, url: string, tenant = 'acme') {
      return limited(someDirectory({ id, tenant, endpoint: someEndpoint(url) }), [someEvent()], 1, stop.signal)
    },
    /** The directories whose attempts have begun. */
    async begun() {
      await new Promise(setImmediate)
      return sendings.items.map(({ directoryId }) => directoryId)
    },
  }
}

test('a further attempt to an origin waits until one has ended', async () => {
  const { start, begun, sendings } = openSender(2)
  const attempts = ['a', 'b', 'c'].map((id) => start(id, `https://one.example/${id}`, id))
  assert.deepEqual(await begun(), ['a', 'b'])
  sendings.items[0]?.end()
  assert.deepEqual(await begun(), ['a', 'b', 'c'])
  for (const sending of sendings.items) sending.end()
  for (const result of await Promise.all(attempts)) assert.equal(result.kind, 'response')
})

test('other origins do not wait: another host, port or scheme', async () => {
  const { start, begun } = openSender(1)
  const urls = ['https://one.example/', 'https://two.example/', 'https://one.example:8443/', 'http://one.example/']
  for (const url of urls) void start(url, url)
  assert.deepEqual(await begun(), urls)
})

test('attempts of one tenant that hang leave places for another', async () => {
  const { start, begun } = openSender(4)
  for (const id of ['a', 'b', 'c', 'd']) void start(id, 'https://one.example/', 'hanging')
  void start('e', 'https://one.example/', 'other')
  assert.deepEqual(await begun(), ['a', 'b', 'c', 'e'])
})

test('an attempt that waits as long as one may take fails without being sent', async () => {
  const { start, begun, advance } = openSender(1)
  void start('a', 'https://one.example/')
  const waiting = start('b', 'https://one.example/')
  await begun()
  advance(15_000)
  const result = await waiting
  assert.match(
    result.kind === 'failed' ? result.reason : '',
    /^not sent: for 15000 ms.+DSYNC_WEBHOOK_CONCURRENCY allows$/,
  )
  assert.deepEqual(await begun(), ['a'])
})

test('an attempt that waits ends when the service stops', async () => {
  const { start, begun, stop } = openSender(1)
  void start('a', 'https://one.example/')
  const waiting = start('b', 'https://one.example/')
  await begun()
  stop.abort()
  assert.partialDeepStrictEqual(await waiting, { reason: 'canceled because the service is shutting down' })
  assert.partialDeepStrictEqual(await start('c', 'https://one.example/'), { kind: 'failed' })
  assert.deepEqual(await begun(), ['a'])
})
