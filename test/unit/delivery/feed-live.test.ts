import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import { createFeed } from '../../../src/delivery/feed/feed.ts'
import type { StreamLimits } from '../../../src/delivery/feed/stream-limits.ts'
import { silentLogger } from '../../../src/delivery/observer.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { createFeedStore } from './support/feed-store.ts'

const timing = { pollMs: 2_000, heartbeatMs: 5_000, maxAgeMs: 60_000 }
const directory = { id: 'd1', tenant: 'acme', product: 'crm' }

const unlimited: StreamLimits = { total: 0, perCaller: 0, perTenant: 0 }

function openFeed(limits: Partial<StreamLimits> = {}) {
  const memory = createFeedStore()
  memory.commit('d1', 0)
  const time = createManualTime()
  const { clock, schedule } = time
  const streamLimits = { ...unlimited, ...limits }
  const feed = createFeed({
    secret: 'a secret of the service',
    store: memory.store,
    clock,
    schedule,
    slices: createTimeSlices(),
    log: silentLogger,
    timing,
    streamLimits,
  })
  const gone = new AbortController()
  async function open(query: object = { directoryId: 'd1' }, callerKey = 'key') {
    const pieces = (await feed.open(query, gone.signal, callerKey))[Symbol.asyncIterator]()
    const next = async () => (await pieces.next()).value
    assert.equal(await next(), 'retry: 2000\n\n')
    return next
  }
  return { ...memory, time, feed, gone, open }
}

const sequencesOf = (piece: unknown) => [...String(piece).matchAll(/"sequence":(\d+)/g)].map(([, n]) => Number(n))

test('a stream sends stored events first, then new ones as they are committed', async () => {
  const { commit, feed, open, time } = openFeed()
  commit('d1', 2)
  const next = await open()
  const first = await next()
  assert.match(String(first), /^id: [\w-]+\nevent: user\.created\ndata: \{"id":"event-1",.+\}\n\nid: /)
  assert.deepEqual(sequencesOf(first), [1, 2])
  const second = next()
  await time.scheduled(timing.pollMs)
  commit('d1', 1)
  feed.notify(directory)
  assert.deepEqual(sequencesOf(await second), [3])
})

test('a commit between two reads is not missed', async () => {
  const { commit, feed, open } = openFeed()
  commit('d1', 1)
  const next = await open({ tenant: 'acme', product: 'crm' })
  await next()
  commit('d1', 1)
  feed.notify(directory)
  assert.deepEqual(sequencesOf(await next()), [2])
})

test('polling finds the events that another process commits', async () => {
  const { commit, open, time } = openFeed()
  const next = await open()
  const piece = next()
  await time.scheduled(timing.pollMs)
  commit('d1', 1)
  time.advance(timing.pollMs)
  assert.deepEqual(sequencesOf(await piece), [1])
})

test('a stream without events sends heartbeats', async () => {
  const { open, time } = openFeed()
  const next = await open()
  for (const _ of [1, 2]) {
    const piece = next()
    for (const wait of [2_000, 2_000, 1_000]) {
      await time.scheduled(wait)
      time.advance(wait)
    }
    assert.equal(await piece, ':\n\n')
  }
})

test('a page that watches a directory receives heartbeats as events, as it sees no comments', async () => {
  const { feed, gone, time } = openFeed()
  const { next: after } = await feed.list('d1', {})
  const pieces = (await feed.watch('d1', { after }, gone.signal, 'key'))[Symbol.asyncIterator]()
  await pieces.next()
  const piece = pieces.next()
  for (const wait of [2_000, 2_000, 1_000]) {
    await time.scheduled(wait)
    time.advance(wait)
  }
  assert.equal((await piece).value, 'event: heartbeat\ndata: {}\n\n')
})

test('nothing is read while the reader does not read', async () => {
  const { commit, feed, open, countReads } = openFeed()
  commit('d1', 1_000)
  const next = await open()
  const before = countReads()
  assert.equal(sequencesOf(await next()).length, 100)
  for (let n = 0; n < 50; n += 1) feed.notify(directory)
  await new Promise(setImmediate)
  assert.equal(countReads(), before)
  assert.equal(sequencesOf(await next())[0], 101)
})

test('a failure of the store is retried, and the stream stays open', async () => {
  const { commit, fail, open, time } = openFeed()
  const next = await open()
  const piece = next()
  await time.scheduled(timing.pollMs)
  commit('d1', 1)
  fail(new Error('down'))
  time.advance(timing.pollMs)
  await time.scheduled(timing.pollMs)
  fail(undefined)
  time.advance(timing.pollMs)
  assert.deepEqual(sequencesOf(await piece), [1])
})

for (const { when, act } of [
  { when: 'the reader is gone', act: ({ gone }: ReturnType<typeof openFeed>) => gone.abort() },
  { when: 'the service stops', act: ({ feed }: ReturnType<typeof openFeed>) => feed.close() },
  {
    when: 'its directory is deleted',
    act: ({ remove, time }: ReturnType<typeof openFeed>) => {
      remove('d1')
      time.advance(timing.pollMs)
    },
  },
  {
    when: 'it has lasted an hour',
    act: ({ time }: ReturnType<typeof openFeed>) => time.advance(timing.maxAgeMs),
  },
]) {
  test(`a stream ends when ${when}`, async () => {
    const opened = openFeed()
    const next = await opened.open()
    const piece = next()
    await opened.time.scheduled(timing.pollMs)
    act(opened)
    const last = await piece
    assert.equal(last === ':\n\n' ? await next() : last, undefined)
    assert.equal(opened.time.countTimers(), 0)
  })
}

test('the number of open streams is limited', async () => {
  const { feed, gone, open } = openFeed({ total: 2 })
  await open()
  await open({ tenant: 'acme', product: 'crm' })
  const other = new AbortController()
  const message = /^The feed has 2 open streams in this process, which is the current limit/
  const expected = { code: 'busy', retryAfterSeconds: 30, message }
  await assert.rejects(feed.open({ directoryId: 'd1' }, other.signal, 'other'), expected)
  gone.abort()
  await feed.open({ directoryId: 'd1' }, other.signal, 'other')
})

test('a rejected stream does not count as open', async () => {
  const { feed, open } = openFeed({ total: 1 })
  const { signal } = new AbortController()
  await assert.rejects(feed.open({ directoryId: 'nobody' }, signal, 'key'), { code: 'directory-not-found' })
  await open()
})

test('the number of open streams is limited per caller, so that one leaves streams to the others', async () => {
  const { open } = openFeed({ total: 3, perCaller: 2 })
  await open()
  await open()
  await assert.rejects(open(), { code: 'busy', message: /^This API key has 2 open streams/ })
  await open({ directoryId: 'd1' }, 'other')
})

test('the number of open streams is limited per tenant, however a stream names it', async () => {
  const { gone, open } = openFeed({ perTenant: 2 })
  await open({ directoryId: 'd1' }, 'one')
  await open({ tenant: 'acme', product: 'crm' }, 'two')
  const expected = { code: 'busy', message: /^This tenant has 2 open streams/ }
  await assert.rejects(open({ directoryId: 'd1' }, 'three'), expected)
  await assert.rejects(open({ tenant: 'acme', product: 'crm' }, 'three'), expected)
  await open({ tenant: 'other', product: 'crm' }, 'three')
  gone.abort()
})
