import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'
import { runSql } from '../../unit/cli/support/stored-rows.ts'

interface Status {
  readonly delivered_sequence: number
  readonly undelivered: number
}

async function replay(service: TestService, id: string, body: object): Promise<Status> {
  const { status, body: answer, text } = await service.api('POST', `/${id}/replay`, body)
  assert.equal(status, 200, text)
  return answer.data as unknown as Status
}

forEachEngine((engine) => {
  test('a replay from a sequence whose event is no longer stored sends the later ones, and ends', async () => {
    await using receiver = await startReceiver()
    await using database = await openTestDatabase(engine)
    await using before = await startTestService(database)
    const directory = await before.createDirectory(receiver.endpoint)
    for (const userName of ['a', 'b', 'c']) await before.scim(directory, 'POST', '/Users', { userName })
    await receiver.firstEvents(directory.id, 3)
    await before.close()
    await runSql(database, 'delete from events where sequence <= 2')

    await using during = await startTestService(database)
    const attempts = receiver.attempts.length
    const { delivered_sequence } = await replay(during, directory.id, { from_sequence: 1 })
    assert(delivered_sequence >= 2, 'the events before it are not waited for')
    await receiver.until(() => receiver.attempts.length === attempts + 1, 'the event that is left')
    await during.close()
    await runSql(database, 'delete from events')

    await using after = await startTestService(database)
    for (const which of [{ from_sequence: 1 }, { from_sequence: 3 }, { since: '2020-01-01T00:00:00Z' }]) {
      const { delivered_sequence: delivered, undelivered } = await replay(after, directory.id, which)
      assert.deepEqual([delivered, undelivered], [3, 0])
    }
    await after.scim(directory, 'POST', '/Users', { userName: 'd' })
    await receiver.until(() => receiver.attempts.length === attempts + 2, 'the next event')
  })
})
