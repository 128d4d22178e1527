import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLargeChangeLimit } from '../../../src/store/postgres/limits.ts'

const settle = () => new Promise(setImmediate)

/** Changes that do not end before `end` is called. */
function createChanges() {
  const limit = createLargeChangeLimit(4)
  const running = new Map<string, () => void>()
  return {
    running: () => [...running.keys()],
    start(id: string, tenant: string): Promise<void> {
      return limit({ tenant }, async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        running.set(id, resolve)
        await promise
        running.delete(id)
      })
    },
    async end(id: string): Promise<void> {
      running.get(id)?.()
      await settle()
    },
  }
}

test('only a few large changes of a tenant run at a time, however many directories it has, and other tenants start at once', async () => {
  const { start, end, running } = createChanges()
  const directories = Array.from({ length: 20 }, (_, n) => `a${n}`)
  const changes = directories.map((id) => start(id, 'a'))
  await settle()
  assert.deepEqual(running(), ['a0', 'a1', 'a2'])
  const other = start('b0', 'b')
  await settle()
  assert.deepEqual(running(), ['a0', 'a1', 'a2', 'b0'])
  for (const id of ['b0', ...directories]) await end(id)
  await Promise.all([...changes, other])
})

test('a change that fails ends its turn', async () => {
  const limit = createLargeChangeLimit(1)
  const directory = { tenant: 'a' }
  await assert.rejects(
    limit(directory, () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  assert.equal(await limit(directory, async () => 'made'), 'made')
})
