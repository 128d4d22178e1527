import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWriteProbe } from '../../../src/store/write-probe.ts'
import { createManualTime } from '../../support/manual-time.ts'

/** A probe whose writes end when the test says so. */
function openProbe() {
  const time = createManualTime()
  const writes: PromiseWithResolvers<void>[] = []
  const probe = createWriteProbe(() => {
    const write = Promise.withResolvers<void>()
    writes.push(write)
    return write.promise
  }, time)
  return { time, writes, probe }
}

const hangs = /has not ended for 5 seconds/

test('everybody who asks while a write has not ended waits for that write', async () => {
  const { writes, probe } = openProbe()
  const answers = [probe(), probe(), probe()]
  writes[0]?.resolve()
  await Promise.all(answers)
  assert.equal(writes.length, 1)
})

test('a success counts for a second', async () => {
  const { time, writes, probe } = openProbe()
  const first = probe()
  writes[0]?.resolve()
  await first
  time.advance(999)
  await probe()
  assert.equal(writes.length, 1)
  time.advance(1)
  const second = probe()
  writes[1]?.reject(new Error('no space'))
  await assert.rejects(second, /no space/)
  assert.equal(writes.length, 2)
})

test('a write that has not ended for five seconds is a failure, for all who ask until it ends', async () => {
  const { time, writes, probe } = openProbe()
  const first = probe()
  time.advance(4_999)
  const second = probe()
  time.advance(1)
  await assert.rejects(first, hangs)
  await assert.rejects(second, hangs)
  const third = probe()
  time.advance(0)
  await assert.rejects(third, hangs)
  assert.equal(writes.length, 1)
})

test('a write that ends after five seconds is no success', async () => {
  const { time, writes, probe } = openProbe()
  const first = probe()
  time.advance(10_000)
  await assert.rejects(first, hangs)
  const late = probe()
  writes[0]?.resolve()
  await assert.rejects(late, hangs)
  const next = probe()
  writes[1]?.resolve()
  await next
})
