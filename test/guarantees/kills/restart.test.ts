import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { forEachEngine, openTestDatabase } from '../../support/database.ts'
import { hasten } from '../../support/delivery.ts'
import { eventually, settled } from '../../support/eventually.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import { serviceForSuite, startServiceProcess, startTestService } from '../../support/service.ts'
import { withoutRepeats } from '../support/deliveries.ts'
import { idpOf, names } from '../support/idp.ts'
import { openStoreOf } from '../support/store.ts'
import { connect } from '../support/world.ts'

/** Makes an event fail for longer than any of these tests takes. */
const refusal = { status: 503, headers: { 'retry-after': '3600' } }

const sequencesOf = (events: readonly ReceivedEvent[]) => events.map(({ sequence }) => sequence)

test('SIGTERM does not wait for clients with keep-alive connections', async () => {
  await using database = await openTestDatabase('sqlite')
  await using service = await startServiceProcess(database)
  const directory = await service.createDirectory()
  const underWay = await beginRequest(service.origin, directory, { keepAlive: true })
  const ended = service.kill('SIGTERM')
  await eventually('the service to stop', () => service.output().includes('Stopping'))
  assert.equal(await underWay.finish({ userName: 'bjensen' }), 201)
  assert.equal(await settled('the service to end', ended), 0)
})

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  test('events that failed before a restart are delivered after it, in order', async () => {
    await using receiver = await startReceiver()
    await using database = await openTestDatabase(engine)
    receiver.answerWith(refusal)
    const directory = await (async () => {
      await using service = await startTestService(database)
      const connection = await connect(service, receiver)
      await connection.idp.createUsers(names('user', 20))
      await receiver.until(() => receiver.attempts.length > 0, 'the first attempt')
      return connection.directory
    })()
    assert.deepEqual(receiver.events(directory.id), [])

    receiver.answerWith(204)
    await using service = await startTestService(database)
    await hasten(service, directory.id)
    const events = await receiver.firstEvents(directory.id, 20)
    assert.deepEqual(
      sequencesOf(events),
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })

  test('an endpoint that does not respond does not delay the identity provider', async () => {
    await using receiver = await startReceiver()
    const { directory, idp } = await connect(service(), receiver)
    const answerAll = receiver.hold()
    for (const userName of names('user', 20)) await idp.createUser(userName)
    await receiver.until(() => receiver.waiting() === 1, 'the first attempt')
    assert.deepEqual(receiver.events(directory.id), [])
    answerAll()
    await receiver.firstEvents(directory.id, 20)
  })

  test('an endpoint that fails for a while receives everything in order afterwards', async () => {
    await using receiver = await startReceiver()
    const { directory, idp } = await connect(service(), receiver)
    receiver.answerWith({ status: 503, headers: { 'retry-after': '0' } })
    await idp.createUsers(names('user', 20))
    await receiver.until(() => receiver.attempts.length > 0, 'the first attempt')
    receiver.answerWith(204)
    await receiver.firstEvents(directory.id, 20)
    assert.equal(withoutRepeats(receiver.events(directory.id)).length, 20)
  })

  test('SIGTERM completes a request and a delivery that are in flight', async () => {
    await using receiver = await startReceiver()
    await using database = await openTestDatabase(engine)
    const answerAll = receiver.hold()
    const directory = await (async () => {
      await using service = await startServiceProcess(database)
      const connection = await connect(service, receiver)
      await connection.idp.createUser('first')
      await receiver.until(() => receiver.waiting() === 1, 'the delivery')

      const underWay = await beginRequest(service.origin, connection.directory, { keepAlive: false })
      const ended = service.kill('SIGTERM')
      await eventually('the service to stop', () => service.output().includes('Stopping'))
      assert.equal(await underWay.finish({ userName: 'second' }), 201)
      answerAll()
      assert.equal(await settled('the service to end', ended), 0)
      return connection.directory
    })()
    assert.equal(receiver.events(directory.id)[0]?.sequence, 1)

    await using _service = await startTestService(database)
    assert.deepEqual(sequencesOf(await receiver.firstEvents(directory.id, 2)), [1, 2])
  })

  test('after a kill only unrecorded events are sent again, and none is skipped', async (t) => {
    const [all, killedAt] = [250, 160]
    await using receiver = await startReceiver()
    await using database = await openTestDatabase(engine)
    const directory = await (async () => {
      await using service = await startServiceProcess(database)
      const connection = await connect(service, receiver)
      const goOn = receiver.hold()
      await connection.idp.createUsers(names('user', all))
      goOn()
      receiver.answer(({ sequence }) => {
        if (sequence === killedAt) service.kill('SIGKILL')
        return 204
      })
      await receiver.until(() => receiver.events(connection.directory.id).length >= killedAt, 'the kill')
      assert.equal(await service.kill('SIGKILL'), null)
      return connection.directory
    })()
    const taken = receiver.events(directory.id).length
    const recorded = await (async () => {
      await using store = await openStoreOf(database)
      return (await store.streamStatus(directory.id, 'endpoint'))?.deliveredSequence ?? 0
    })()
    t.diagnostic(`${taken} taken at the kill, ${recorded} of them recorded`)
    assert(recorded > 0, 'progress is recorded while events are sent')

    await using _service = await startTestService(database)
    await receiver.until(() => receiver.events(directory.id).at(-1)?.sequence === all, 'the last event')
    const received = receiver.events(directory.id)
    assert.equal(received[taken]?.sequence, recorded + 1)
    assert.equal(withoutRepeats(received).length, all)
    assert.equal(received.length, all + taken - recorded)
  })

  test('the events of a deactivated directory up to its deactivation are delivered, and the rest when it is active', async () => {
    await using receiver = await startReceiver()
    await using database = await openTestDatabase(engine)
    receiver.answerWith(refusal)
    const [deactivated, other] = await (async () => {
      await using service = await startTestService(database)
      const connections = [await connect(service, receiver), await connect(service, receiver, { tenant: 'other' })]
      await Promise.all(connections.map(({ idp }) => idp.createUsers(names('user', 3))))
      await receiver.until(() => receiver.attempts.length === 2, 'an attempt for each')
      const [first, second] = connections.map(({ directory }) => directory) as [DirectoryView, DirectoryView]
      await service.api('PATCH', `/${first.id}`, { deactivated: true })
      return [first, second]
    })()

    receiver.answerWith(204)
    await using service = await startTestService(database)
    await hasten(service, other.id)
    await receiver.firstEvents(other.id, 3)
    await hasten(service, deactivated.id)
    const untilOff = await receiver.firstEvents(deactivated.id, 4)
    assert.equal(untilOff.at(-1)?.event, 'directory.deactivated')
    await idpOf(service, deactivated).expect(403, 'POST', '/Users', { userName: 'late' })
    await service.api('PATCH', `/${deactivated.id}`, { deactivated: false })
    assert.deepEqual(sequencesOf(await receiver.firstEvents(deactivated.id, 5)), [1, 2, 3, 4, 5])
  })

  test('the first endpoint of a directory receives the events from then on', async () => {
    await using receiver = await startReceiver()
    const { directory, idp } = await connect(service(), receiver, { webhook_url: '', webhook_secret: '' })
    await idp.createUsers(names('before', 3))
    await service().api('PATCH', `/${directory.id}`, receiver.endpoint)
    await idp.createUsers(names('after', 2))
    const events = await receiver.firstEvents(directory.id, 2)
    assert.deepEqual(sequencesOf(events), [4, 5])
    assert.deepEqual(events.map(({ data }) => data.raw['userName']).sort(), names('after', 2))
  })

  test('a new endpoint continues where the previous one stopped', async () => {
    await using receiver = await startReceiver()
    await using successor = await startReceiver()
    const { directory, idp } = await connect(service(), receiver)
    await idp.createUsers(names('user', 3))
    await receiver.firstEvents(directory.id, 3)
    receiver.answerWith({ status: 503, headers: { 'retry-after': '0' } })
    await idp.createUser('refused')
    await receiver.until(() => receiver.attempts.length > 3, 'the refusal')
    await service().api('PATCH', `/${directory.id}`, successor.endpoint)
    await idp.createUser('after')
    assert.deepEqual(sequencesOf(await successor.firstEvents(directory.id, 2)), [4, 5])
    assert.deepEqual(sequencesOf(receiver.events(directory.id)), [1, 2, 3])
  })
})

/** A SCIM request whose head the service has received, and whose body it waits for. */
async function beginRequest(origin: string, { scim }: DirectoryView, { keepAlive }: { keepAlive: boolean }) {
  const begun: ClientRequest = request(`${origin}${scim.path}/Users`, {
    method: 'POST',
    agent: new Agent({ keepAlive, timeout: 60_000 }),
    headers: {
      authorization: `Bearer ${scim.secret}`,
      'content-type': 'application/scim+json',
      'transfer-encoding': 'chunked',
      expect: '100-continue',
    },
  })
  const response = once(begun, 'response') as Promise<[IncomingMessage]>
  begun.flushHeaders()
  await once(begun, 'continue')
  return {
    /** Sends the body and returns the status. */
    async finish(body: unknown): Promise<number | undefined> {
      begun.end(JSON.stringify(body))
      const [answer] = await response
      answer.resume()
      return answer.statusCode
    },
  }
}
