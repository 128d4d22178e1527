import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLargeChangeLimit } from '../../../src/store/large-change-limit.ts'

const settle = () => new Promise(setImmediate)

/** Changes that do not end before `end` is called. */
function createChanges() {
  const limit = createLargeChangeLimit(4)
  const running = new Map<string, () => void>()
  return {
    running: () => [...running.keys()],
    start(id: string, tenant: string, name = id): Promise<void> {
      return limit({ id, tenant, revision: 1 }, async () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        running.set(name, resolve)
        await promise
        running.delete(name)
      })
    },
    async end(name: string): Promise<void> {
      running.get(name)?.()
      await settle()
    },
  }
}

test('however many directories a tenant has, few of its large changes run at a time, and other tenants start at once', async () => {
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

test('a directory makes one large change at a time, in order, and the others of its tenant do not wait for it', async () => {
  const { start, end, running } = createChanges()
  const changes = [start('a0', 'a', 'first'), start('a0', 'a', 'second'), start('a0', 'a', 'third'), start('a1', 'a')]
  await settle()
  assert.deepEqual(running(), ['first', 'a1'])
  await end('first')
  assert.deepEqual(running(), ['a1', 'second'])
  for (const name of ['second', 'third', 'a1']) await end(name)
  await Promise.all(changes)
})

test('a change that fails ends its turn', async () => {
  const limit = createLargeChangeLimit(1)
  const directory = { id: 'a', tenant: 'a', revision: 1 }
  await assert.rejects(
    limit(directory, () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  assert.equal(await limit(directory, async () => 'made'), 'made')
})
