import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import { createStreamTurns } from '../../../src/http/stream-turns.ts'

/** Streams whose clients read everything at once. Returns the names of the streams in the order of their chunks. */
async function makeChunks(streams: Readonly<Record<string, number>>): Promise<string[]> {
  const begin = createStreamTurns(createTimeSlices())
  const made: string[] = []
  await Promise.all(
    Object.entries(streams).map(async ([name, chunks]) => {
      const turn = begin(name.slice(0, 1))
      for (let n = 0; n < chunks; n += 1) {
        await turn()
        made.push(name)
      }
    }),
  )
  return made
}

const times = (count: number, name: string) => Array.from({ length: count }, () => name)

test('a stream makes sixteen chunks before another of its key gets its turn', async () => {
  assert.deepEqual(await makeChunks({ a1: 20, a2: 17, a3: 1 }), [
    ...[...times(16, 'a1'), ...times(16, 'a2')],
    ...['a3', ...times(4, 'a1'), 'a2'],
  ])
})

test('keys take turns, however many streams they have', async () => {
  assert.deepEqual(await makeChunks({ a1: 2, a2: 2, b1: 3 }), ['a1', 'b1', 'a1', 'b1', 'a2', 'b1', 'a2'])
})

test('while a stream waits for its client, another of its key is continued', async () => {
  const begin = createStreamTurns(createTimeSlices())
  const [first, second] = [begin('a'), begin('a')]
  const made: string[] = []
  await first()
  await second()
  await Promise.all([second().then(() => made.push('second')), first().then(() => made.push('first'))])
  assert.deepEqual(made, ['first', 'second'])
})
