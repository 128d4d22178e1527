import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEngine, openTestDatabase, startServiceProcess, startTestService } from '../support/service.ts'

forEachEngine((engine) => {
  test('x', async () => {
    await using service = await startTestService(engine)
    const directory = await service.createDirectory()
    const { status, body } = await service.scim(directory, 'POST', '/Users', { userName: 'a' })
    assert.equal(status, 201)
    console.log(body, service.log, service.origin)
  })
  test('y', async () => {
    await using database = await openTestDatabase(engine)
    await using service = await startServiceProcess(database)
    console.log(service.readyMs, service.origin, service.output())
    console.log(await service.kill('SIGTERM'))
  })
})
