import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRequestShares } from '../../../src/http/request-shares.ts'
import { createManualTime } from '../../support/manual-time.ts'

const limits = { perKey: 4, waiting: 2, waitAbove: 6, closeOldAbove: 8, graceMs: 10, closeAnyAbove: 12 }
const never = new AbortController().signal
const settle = () => new Promise(setImmediate)

/** Requests of the length 1, named by their key and a number. */
function createRequests() {
  const { clock, schedule, advance } = createManualTime()
  const shares = createRequestShares(limits, clock, schedule)
  const began: string[] = []
  const closed: string[] = []
  const request = async (name: string, signal = never): Promise<void> => {
    const key = name.slice(0, 1)
    if (!shares.tryEnter(key, 1)) await shares.enter(key, 1, signal)
    began.push(name)
  }
  const leave = (key: string) => shares.leave(key, 1)
  /** Ends a request with an unread response. */
  const respond = (name: string, length = 1): (() => void) => {
    const read = shares.hold(name.slice(0, 1), length, () => closed.push(name))
    leave(name.slice(0, 1))
    return read
  }
  return { shares, began, closed, request, leave, respond, pass: advance }
}

test('a key runs as many requests as its share, and the next one when one has ended', async () => {
  const { began, request, leave } = createRequests()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) void request(name)
  await settle()
  assert.deepEqual(began, ['a1', 'a2', 'a3', 'a4', 'b1'])
  leave('a')
  await settle()
  assert.deepEqual(began.at(-1), 'a5')
})

test('a key whose responses are not read waits until they are', async () => {
  const { began, request, respond } = createRequests()
  await request('a1')
  const read = respond('a1', 4)
  void request('a2')
  await request('b1')
  assert.deepEqual(began, ['a1', 'b1'])
  read()
  await settle()
  assert.deepEqual(began, ['a1', 'b1', 'a2'])
})

test('when too much is unread, keys with unread responses wait and others do not', async () => {
  const { began, request, respond } = createRequests()
  for (const name of ['a1', 'b1', 'c1']) await request(name)
  const reads = ['a1', 'b1', 'c1'].map((name) => respond(name, 2))
  void request('a2')
  await request('d1')
  assert.deepEqual(began, ['a1', 'b1', 'c1', 'd1'])
  reads[1]?.()
  await settle()
  assert.deepEqual(began.at(-1), 'a2')
})

test('when there is too much in all, old unread responses of the key with most of them are closed', () => {
  const { shares, closed, pass } = createRequests()
  const hold = (name: string, length: number) => shares.hold(name.slice(0, 1), length, () => closed.push(name))
  hold('b1', 3)
  hold('a1', 2)
  hold('a2', 3)
  hold('c1', 1)
  assert.deepEqual(closed, [])
  pass(limits.graceMs + 1)
  hold('c2', 1)
  assert.deepEqual(closed, ['a1'])
})

test('they are closed once they are old, also if nothing else is sent', () => {
  const { shares, closed, pass } = createRequests()
  for (const name of ['a1', 'b1', 'c1']) shares.hold(name.slice(0, 1), 3, () => closed.push(name))
  assert.deepEqual(closed, [])
  pass(2 * limits.graceMs)
  assert.deepEqual(closed, ['a1'])
})

test('beyond the last limit unread responses are closed however young they are', () => {
  const { shares, closed } = createRequests()
  const hold = (name: string, length: number) => shares.hold(name.slice(0, 1), length, () => closed.push(name))
  hold('a1', 6)
  hold('b1', 6)
  assert.deepEqual(closed, [])
  hold('a2', 1)
  assert.deepEqual(closed, ['a1'])
})

test('a request that no longer waits does not begin, and the next one of its key does', async () => {
  const { began, request, leave } = createRequests()
  for (const name of ['a1', 'a2', 'a3', 'a4']) await request(name)
  const gone = new AbortController()
  const waiting = request('a5', gone.signal)
  void request('a6')
  gone.abort(new Error('gone'))
  await assert.rejects(waiting, { message: 'gone' })
  leave('a')
  await settle()
  assert.deepEqual(began.at(-1), 'a6')
})

test('a key is full when as many of its requests wait as may, and others are not', () => {
  const { shares, request } = createRequests()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void request(name)
  assert.equal(shares.isFull('a'), false)
  void request('a6')
  assert.equal(shares.isFull('a'), true)
  assert.equal(shares.isFull('b'), false)
})

test('a request that is longer than a share runs when its key has nothing else', () => {
  const { shares } = createRequests()
  assert.equal(shares.tryEnter('a', 9), true)
  assert.equal(shares.tryEnter('a', 1), false)
})

test('whatever keys hold and read, what is unread stays within the last limit and nobody who reads everything waits', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    length: fc.integer({ min: 1, max: 5 }),
    isRead: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const shares = createRequestShares(limits, () => 0, createManualTime().schedule)
      const unread = new Map<() => void, number>()
      for (const { key, length, isRead } of steps) {
        const close = () => void unread.delete(close)
        unread.set(close, length)
        const read = shares.hold(key, length, close)
        if (isRead) {
          unread.delete(close)
          read()
        }
        const total = [...unread.values()].reduce((sum, one) => sum + one, 0)
        assert.ok(total <= limits.closeAnyAbove)
      }
      assert.equal(shares.tryEnter('d', 1), true)
    }),
  )
})
