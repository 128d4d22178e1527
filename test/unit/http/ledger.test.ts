import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLedger } from '../../../src/http/ledger.ts'

const limits = { smallCost: 1, smallPerKey: 4, perKey: 10, largeTotal: 12, waiting: 2 }
const never = new AbortController().signal
const settle = () => new Promise(setImmediate)

/** Requests named by their key and a number; they are small unless a cost is given. */
function createRequests() {
  const ledger = createLedger(limits)
  const began: string[] = []
  const request = async (name: string, cost = 1, signal = never): Promise<void> => {
    const key = name.slice(0, 1)
    if (!ledger.tryBegin(key, cost)) await ledger.begin(key, cost, signal)
    began.push(name)
  }
  return { ledger, began, request }
}

test('a key runs as many small requests as fit in its share, and the next one when one has ended', async () => {
  const { ledger, began, request } = createRequests()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) void request(name)
  await settle()
  assert.deepEqual(began, ['a1', 'a2', 'a3', 'a4', 'b1'])
  ledger.end('a', 1)
  await settle()
  assert.equal(began.at(-1), 'a5')
})

test('a key waits until its responses are read, and other keys do not', async () => {
  const { ledger, began, request } = createRequests()
  const read = ledger.hold('a', 4)
  void request('a1')
  await request('b1')
  assert.deepEqual(began, ['b1'])
  read()
  read()
  await settle()
  assert.deepEqual(began, ['b1', 'a1'])
  assert.equal(ledger.of('a'), 1)
})

test('a large request fits beside all small ones of its key; a second one waits, and delays no small one', async () => {
  const { ledger, began, request } = createRequests()
  for (const name of ['a1', 'a2', 'a3']) await request(name)
  await request('a4', 6)
  void request('a5', 6)
  await request('a6')
  assert.deepEqual(began, ['a1', 'a2', 'a3', 'a4', 'a6'])
  ledger.end('a', 6)
  await settle()
  assert.equal(began.at(-1), 'a5')
})

test('large requests wait while those of all keys exceed the limit, and small ones do not', async () => {
  const { ledger, began, request } = createRequests()
  await request('a1', 6)
  await request('b1', 6)
  void request('c1', 2)
  await request('d1')
  assert.deepEqual(began, ['a1', 'b1', 'd1'])
  ledger.end('b', 6)
  await settle()
  assert.equal(began.at(-1), 'c1')
})

test('unread responses of other keys delay no large request', async () => {
  const { ledger, began, request } = createRequests()
  for (const key of ['a', 'b', 'c', 'd']) ledger.hold(key, 4)
  await request('e1', 6)
  assert.deepEqual(began, ['e1'])
})

test('a small request fits beside all large ones of its key, within the share of the key', async () => {
  const { ledger, request } = createRequests()
  await request('a1', 4)
  void request('a2', 6)
  for (const name of ['a3', 'a4', 'a5', 'a6']) await request(name)
  assert.equal(ledger.of('a'), 8)
})

test('the large requests of a key begin in order, also if a later one would fit', async () => {
  const { ledger, began, request } = createRequests()
  await request('a1', 4)
  void request('a2', 4)
  void request('a3', 2)
  await settle()
  assert.deepEqual(began, ['a1'])
  ledger.end('a', 4)
  await settle()
  assert.deepEqual(began, ['a1', 'a2', 'a3'])
})

test('a request that no longer waits does not begin, and the next one of its key does', async () => {
  const { ledger, began, request } = createRequests()
  for (const name of ['a1', 'b1', 'a2', 'a3', 'a4']) await request(name)
  const gone = new AbortController()
  const waiting = request('a5', 1, gone.signal)
  void request('a6')
  gone.abort(new Error('gone'))
  await assert.rejects(waiting, { message: 'gone' })
  ledger.end('a', 1)
  await settle()
  assert.equal(began.at(-1), 'a6')
})

test('a key is full when the maximum number of its requests wait, and other keys are not', () => {
  const { ledger, request } = createRequests()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void request(name)
  assert.equal(ledger.isFull('a', 1), false)
  void request('a6')
  assert.equal(ledger.isFull('a', 1), true)
  assert.equal(ledger.isFull('a', 2), false)
  assert.equal(ledger.isFull('b', 1), false)
})

test('no share is exceeded and every request begins eventually, whatever keys begin, hold and end', async () => {
  const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), cost: fc.integer({ min: 1, max: 6 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { ledger, began, request } = createRequests()
      const requests = steps.map(({ key, cost }, index) => ({ name: `${key}${index}`, key, cost }))
      for (const { name, cost } of requests) void request(name, cost)
      const ended = new Set<string>()
      while (began.length < requests.length || ended.size < began.length) {
        for (const key of ['a', 'b', 'c']) assert.ok(ledger.of(key) <= limits.perKey)
        const running = requests.find(({ name }) => began.includes(name) && !ended.has(name))
        assert.ok(running !== undefined, 'requests wait although none is running')
        ended.add(running.name)
        ledger.end(running.key, running.cost)
        await settle()
      }
    }),
    { numRuns: 200 },
  )
})
