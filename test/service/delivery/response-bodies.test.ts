import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trace } from '../../../src/diagnostics/trace/trace.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { dataOf, failed, statusWhen } from '../../support/delivery.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, forSuite, serviceForSuite } from '../../support/service.ts'

const headers = { 'content-type': 'text/plain' }

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const receiver = forSuite(() => startReceiver())

  /** Creates a user, and returns the attempts to deliver its event. */
  async function attemptsAfter(directory: DirectoryView, userName: string, isDone: () => Promise<unknown>) {
    const { headers: answered } = await service().scim(directory, 'POST', '/Users', { userName })
    await isDone()
    const { events } = dataOf<Trace>(await service().api('GET', `/requests/${answered['x-request-id']}`))
    return events.flatMap(({ deliveries }) => deliveries.map(({ response_body: body }) => body))
  }
  const attemptsRefusedWith = async (body: string) => {
    const directory = await service().createDirectory(receiver().endpoint)
    receiver().answerWith({ status: 422, headers, body })
    return attemptsAfter(directory, 'maya', () => failed(service(), directory.id))
  }

  test('the response body of a refused attempt is in the trace, without passwords', async () => {
    assert.deepEqual(await attemptsRefusedWith('The name is too long.'), ['The name is too long.'])
    const echoed = JSON.stringify({ error: 'too long', user: { userName: 'maya', password: 'secret' } })
    assert.deepEqual(await attemptsRefusedWith(echoed), ['{"error":"too long","user":{"userName":"maya"}}'])
    assert.deepEqual(await attemptsRefusedWith(''), [null])
    assert.deepEqual(await attemptsRefusedWith('x'.repeat(5_000)), ['x'.repeat(2_048)])
  })

  test('those of accepted attempts are kept only while the directory logs its deliveries', async () => {
    receiver().answerWith({ status: 200, headers, body: 'thanks' })
    const directory = await service().createDirectory(receiver().endpoint)
    const delivered = (count: number) => () =>
      statusWhen(service(), directory.id, ({ delivered_sequence }) => delivered_sequence === count)
    assert.deepEqual(await attemptsAfter(directory, 'a', delivered(1)), [null])
    await service().api('PATCH', `/${directory.id}`, { log_webhook_events: true })
    assert.deepEqual(await attemptsAfter(directory, 'b', delivered(2)), ['thanks'])
  })
})
