import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { closeTimeoutMs } from '../../../src/app/server.ts'
import { serveCommand } from '../../../src/cli/serve.ts'
import { terminated } from '../../../src/cli/terminal/io.ts'
import { defaultCloseGraceMs } from '../../../src/delivery/scheduler.ts'
import { runHere } from '../../support/command.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, openTestDatabase, startServiceProcess, startTestService } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

forEachEngine((engine) => {
  test('a request in flight is completed before the service stops', async () => {
    await using database = await openTestDatabase(engine)
    await using service = await startTestService(database)
    const directory = await service.createDirectory()
    const request = httpRequest(`${service.origin}${directory.scim.path}/Users`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${directory.scim.secret}`,
        'content-type': 'application/scim+json',
        expect: '100-continue',
      },
    })
    const answered = once(request, 'response')
    await once(request, 'continue')
    const closed = service.close()
    request.end(JSON.stringify({ userName: 'in flight' }))
    const [response]: IncomingMessage[] = await answered
    assert(response !== undefined)
    assert.equal(response.statusCode, 201, await text(response))
    assert.equal(response.headers.connection, 'close')
    await closed
    await assert.rejects(service.request('GET', '/healthz'), 'the service no longer listens')
    await using next = await startTestService(database)
    const { body } = await next.api('GET', `/users?directoryId=${directory.id}`)
    assert.deepEqual(
      body.data.map(({ raw }) => raw['userName']),
      ['in flight'],
    )
  })

  test('a delivery in flight is completed and recorded before the service stops', async () => {
    await using database = await openTestDatabase(engine)
    await using receiver = await startReceiver()
    const service = await startTestService(database)
    const directory = await service.createDirectory(receiver.endpoint)
    const release = receiver.hold()
    await service.scim(directory, 'POST', '/Users', { userName: 'a' })
    await service.scim(directory, 'POST', '/Users', { userName: 'b' })
    await receiver.until(() => receiver.waiting() === 1, 'a delivery in flight')
    const closed = service[Symbol.asyncDispose]()
    release()
    await closed
    assert.equal(receiver.events(directory.id).length, 1)
    await using _next = await startTestService(database)
    const events = await receiver.firstEvents(directory.id, 2)
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      [1, 2],
    )
  })

  test('close is idempotent', async () => {
    await using service = await startTestService(engine)
    await Promise.all([service.close(), service.close()])
  })

  for (const { signal, drainSeconds } of [
    { signal: 'SIGTERM', drainSeconds: '0' },
    { signal: 'SIGINT', drainSeconds: '300' },
  ] as const) {
    test(`${signal} shuts the process down gracefully, without waiting`, async () => {
      await using database = await openTestDatabase(engine)
      await using service = await startServiceProcess(database, { DRAIN_SECONDS: drainSeconds })
      const directory = await service.createDirectory()
      assert.equal((await service.scim(directory, 'POST', '/Users', { userName: 'a' })).status, 201)
      assert.equal(await service.kill(signal), 0, service.output())
      await using next = await startTestService(database)
      assert.equal((await next.api('GET', `/users?directoryId=${directory.id}`)).body.data.length, 1)
    })
  }
})

test('after SIGTERM, /readyz answers 503 while requests are served; a second signal ends the process', async () => {
  await using database = await openTestDatabase('sqlite')
  await using service = await startServiceProcess(database, { DRAIN_SECONDS: '300' })
  const directory = await service.createDirectory()
  const ended = service.kill('SIGTERM')
  await eventually('/readyz to be 503', async () => (await service.request('GET', '/readyz')).status === 503)
  assert.equal((await service.scim(directory, 'POST', '/Users', { userName: 'a' })).status, 201)
  assert.match(service.output(), /Stopping in 300 s/)
  assert.equal(await service.kill('SIGINT'), 130)
  assert.equal(await ended, 130)
})

test('after DRAIN_SECONDS, the command ends', async () => {
  await using database = await openTestDatabase('sqlite')
  const env = { ...database.env, PORT: '0', LOG_LEVEL: 'silent', DRAIN_SECONDS: '1' }
  const stopping = new AbortController()
  const io = fakeIo({ env, isTTY: true, signal: stopping.signal })
  const ended = serveCommand([], io)
  await eventually('the start', async () => io.out().includes('Rollcall is running'))
  stopping.abort(terminated)
  assert.equal(await ended, 0)
  assert.match(io.out(), /Stopping in 1 s: .+\nStopping: finishing /)
})

test('a start with invalid settings exits with 1 and reports every problem', async () => {
  const { code, stderr } = await runHere(['serve'], { env: { PORT: 'http', LOG_LEVEL: 'loud' } })
  assert.match(stderr, /PORT must be .+\n.*LOG_LEVEL must be /)
  assert.equal(code, 1)
})

for (const { file, period } of [
  { file: 'deploy/systemd/rollcall.service', period: /^TimeoutStopSec=(\d+)$/m },
  { file: 'compose.yaml', period: /stop_grace_period: (\d+)s$/m },
  { file: 'docs/deployment.md', period: /--stop-timeout (\d+) / },
  {
    file: 'deploy/helm/rollcall/templates/deployment.yaml',
    // DRAIN_SECONDS is added
    period: /terminationGracePeriodSeconds: .+ \(add (\d+) /,
  },
]) {
  test(`${file} allows the service the time that it takes to stop`, async () => {
    const [, seconds] = period.exec(await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')) ?? []
    const neededSeconds = (closeTimeoutMs + defaultCloseGraceMs) / 1000
    assert(Number(seconds) >= neededSeconds + 10, `${seconds} s, of ${neededSeconds} s and what the database takes`)
  })
}
