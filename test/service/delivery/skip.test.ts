import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Explanation } from '../../../src/diagnostics/explain/explanation.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { DeadEvent, DeliveryStatus } from '../../support/delivery.ts'
import { dataOf, failed, statusWhen } from '../../support/delivery.ts'
import { assertApiError } from '../../support/errors.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, forSuite, serviceForSuite } from '../../support/service.ts'

const reason = 'The CRM cannot store this name.'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const receiver = forSuite(() => startReceiver())
  const skip = ({ id }: DirectoryView, sequence: number, body: object = { reason }) =>
    service().api('POST', `/${id}/events/${sequence}/skip`, body)

  async function addUsers(directory: DirectoryView, ...names: readonly string[]): Promise<void> {
    for (const userName of names) await service().scim(directory, 'POST', '/Users', { userName })
  }

  /** A directory whose endpoint refuses its first event, which the events of further users wait for. */
  async function blockedDirectory(...names: readonly string[]): Promise<DirectoryView> {
    const directory = await service().createDirectory(receiver().endpoint)
    receiver().answer(({ directory_id, sequence }) => (directory_id === directory.id && sequence === 1 ? 422 : 204))
    await addUsers(directory, ...names)
    await failed(service(), directory.id)
    return directory
  }

  test('the event that blocks delivery is skipped with a reason, and delivery goes on', async () => {
    const directory = await blockedDirectory('maya', 'omar')
    const skipped = dataOf<DeliveryStatus>(await skip(directory, 1))
    assert.partialDeepStrictEqual(skipped, { failures: 0, dead_events: 1 })
    assert.deepEqual(
      (await receiver().firstEvents(directory.id, 1)).map(({ sequence }) => sequence),
      [2],
    )
    await statusWhen(service(), directory.id, ({ undelivered }) => undelivered === 0)
    const [dead] = dataOf<DeadEvent[]>(await service().api('GET', `/${directory.id}/dead-events`))
    assert.partialDeepStrictEqual(dead, { sequence: 1, reason, skipped: true })
    const explained = await service().api('GET', `/explain?directoryId=${directory.id}&subject=maya`)
    const { verdict, sentence } = dataOf<Explanation>(explained)
    assert.equal(verdict, 'dead')
    assert.match(sentence, /an operator skipped it on .*: The CRM cannot store this name\.$/)
    assert.equal((await skip(directory, 1)).status, 200, 'skipping it again changes nothing')
    receiver().answerWith(204)
    await service().api('POST', `/${directory.id}/replay`, { sequence: 1 })
    await statusWhen(service(), directory.id, ({ dead_events }) => dead_events === 0)
    assertApiError(await skip(directory, 1), 409)
  })

  test('a paused event is skipped as well, and the pause of an operator remains', async () => {
    const directory = await service().createDirectory(receiver().endpoint)
    await service().api('POST', `/${directory.id}/pause`)
    await addUsers(directory, 'a', 'b')
    const skipped = dataOf<DeliveryStatus>(await skip(directory, 1))
    assert.partialDeepStrictEqual(skipped, { state: 'paused', delivered_sequence: 1, undelivered: 1 })
  })

  test('an event that does not block delivery is not skipped, nor one without a reason', async () => {
    const directory = await blockedDirectory('a', 'b')
    assertApiError(await skip(directory, 2), 409)
    assertApiError(await skip(directory, 3), 404)
    for (const body of [{}, { reason: '' }, { reason: '  ' }, { reason: 'a\nb' }, { reason: 'x'.repeat(501) }])
      assertApiError(await skip(directory, 1, body), 400)
    const flowing = await service().createDirectory(receiver().endpoint)
    await addUsers(flowing, 'a')
    await statusWhen(service(), flowing.id, ({ delivered_sequence }) => delivered_sequence === 1)
    assertApiError(await skip(flowing, 1), 409)
    const bare = await service().createDirectory()
    await addUsers(bare, 'a')
    assertApiError(await skip(bare, 1), 409)
  })

  test('a held event is never skipped, but one that blocks delivery before the hold is', async () => {
    const directory = await blockedDirectory('a', 'b', 'c')
    const removal_limit = { percent: 0, minimum: 1, window_seconds: 3600 }
    await service().api('PATCH', `/${directory.id}`, { removal_limit })
    const users = dataOf<readonly { readonly id: string }[]>(
      await service().api('GET', `/users?directoryId=${directory.id}`),
    )
    for (const { id } of users.slice(0, 2)) await service().scim(directory, 'DELETE', `/Users/${id}`)
    assert.equal((await skip(directory, 1)).status, 200)
    await statusWhen(service(), directory.id, ({ delivered_sequence }) => delivered_sequence === 4)
    await service().api('POST', `/${directory.id}/pause`)
    const held = await skip(directory, 5)
    assertApiError(held, 409)
    assert.match(held.body.error.message, /is held/)
  })
})
