import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEngine, openTestDatabase } from '../../support/database.ts'
import { startServiceProcess } from '../../support/service.ts'
import { openStoreOf } from '../support/store.ts'

const [before, after] = [200, 100] as const

forEachEngine((engine) => {
  test('a kill loses the end of the request log and nothing else', async () => {
    await using database = await openTestDatabase(engine)
    const id = await (async () => {
      await using service = await startServiceProcess(database)
      const directory = await service.createDirectory()
      const create = async (n: number) =>
        assert.equal((await service.scim(directory, 'POST', '/Users', { userName: `user-${n}` })).status, 201)
      await Promise.all(Array.from({ length: before }, (_, n) => create(n)))
      // The listing writes what is buffered.
      const { body } = await service.api('GET', `/${directory.id}/requests?pageLimit=1`)
      assert.equal((body.data as unknown as readonly unknown[]).length, 1)
      await Promise.all(Array.from({ length: after }, (_, n) => create(before + n)))
      await service.kill('SIGKILL')
      return directory.id
    })()
    await using store = await openStoreOf(database)
    assert.equal(await store.countUsers(id), before + after)
    assert.equal((await store.eventsAfter(id, 0, 1_000)).length, before + after)
    const part = { before: 1_000_000, limit: 1_000 }
    const { requests } = await store.listRequests(id, { method: 'POST' }, part)
    assert.ok(requests.length >= before, `${requests.length} requests are in the log`)
    assert.deepEqual(
      requests.map(({ position }) => position),
      requests.map((_, index) => requests.length - index),
    )
    const names = requests.slice(-before).map(({ subject }) => subject)
    assert.deepEqual(names.toSorted(), Array.from({ length: before }, (_, n) => `user-${n}`).toSorted())
    const sequences = new Set(requests.map(({ eventSequences }) => eventSequences))
    assert.equal(sequences.size, requests.length)
  })
})
