import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryView } from '../../../src/delivery/log/entry.ts'
import { hasten } from '../../support/delivery.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  /** Waits for the first `count` deliveries in the log of a directory, oldest first. */
  async function logOf(directoryId: string, count: number): Promise<readonly DeliveryView[]> {
    let rows: readonly DeliveryView[] = []
    await eventually(`${count} deliveries in the log`, async () => {
      const { body } = await service().api('GET', `/events?directoryId=${directoryId}`)
      rows = body.data as unknown as readonly DeliveryView[]
      return rows.length >= count
    })
    return rows.toReversed()
  }

  test('while logging is on, every attempt is logged with its request and response', async () => {
    await using receiver = await startReceiver()
    const { id, ...directory } = await service().createDirectory(receiver.endpoint)
    await service().scim(directory, 'POST', '/Users', { userName: 'before' })
    await receiver.firstEvents(id, 1)
    await service().api('PATCH', `/${id}`, { log_webhook_events: 'true' })
    receiver.answerWith({ status: 503, headers: { 'retry-after': '3600' } })
    const { headers } = await service().scim(directory, 'POST', '/Users', { userName: 'ann' })
    assert.ok(headers['x-request-id'])
    await logOf(id, 1)
    receiver.answerWith(204)
    await hasten(service(), id)
    const [refused, taken] = await logOf(id, 2)
    assert.deepEqual(
      [refused, taken].map((row) => [row?.sequence, row?.attempt, row?.status_code, row?.delivered, row?.error]),
      [
        [2, 1, 503, false, 'answered 503'],
        [2, 2, 204, true, null],
      ],
    )
    assert.equal(refused?.event_id, taken?.event_id)
    assert.equal(taken?.webhook_endpoint, receiver.endpoint.webhook_url)
    assert.deepEqual(taken?.payload, JSON.parse(receiver.attempts.at(-1)?.body ?? ''))
    assert.ok((taken?.latency_ms ?? -1) >= 0)
  })
})
