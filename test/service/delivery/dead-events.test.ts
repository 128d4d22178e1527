import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeadEventView } from '../../../src/delivery/dead-events.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { dataOf } from '../../support/delivery.ts'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  /** A directory whose first event was skipped. */
  async function withDeadEvent(fields: Readonly<Record<string, string>>): Promise<DirectoryView> {
    const directory = await service().createDirectory({ webhook_url: 'http://127.0.0.1:9/', ...fields })
    await service().api('POST', `/${directory.id}/pause`)
    await service().scim(directory, 'POST', '/Users', { userName: 'maya' })
    const { status } = await service().api('POST', `/${directory.id}/events/1/skip`, { reason: 'by hand' })
    assert.equal(status, 200)
    return directory
  }
  async function list(query: Readonly<Record<string, string>>) {
    const answer = await service().api('GET', `/dead-events?${new URLSearchParams(query)}`)
    return { rows: dataOf<readonly DeadEventView[]>(answer), pageToken: answer.body.pageToken }
  }

  test('the dead events of many directories are listed newest first, by tenant and product, in pages', async () => {
    const first = await withDeadEvent({ tenant: 'dead-one', product: 'crm', name: 'One' })
    const second = await withDeadEvent({ tenant: 'dead-two', product: 'crm' })
    const third = await withDeadEvent({ tenant: 'dead-two', product: 'erp' })
    const namesOf = ({ rows }: Awaited<ReturnType<typeof list>>) => rows.map(({ directory_id: id }) => id)
    assert.deepEqual(namesOf(await list({})), [third.id, second.id, first.id])
    assert.deepEqual(namesOf(await list({ product: 'crm' })), [second.id, first.id])
    assert.deepEqual(namesOf(await list({ tenant: 'dead-two' })), [third.id, second.id])
    assert.deepEqual(namesOf(await list({ tenant: 'dead-two', product: 'crm' })), [second.id])
    assert.deepEqual(namesOf(await list({ directoryId: first.id })), [first.id])
    assertApiError(await service().api('GET', `/dead-events?directoryId=${first.id}&product=erp`), 404)
    const page = await list({ pageLimit: '2' })
    assert.deepEqual(namesOf(page), [third.id, second.id])
    const rest = await list({ pageLimit: '2', pageToken: page.pageToken ?? '' })
    assert.deepEqual(namesOf(rest), [first.id])
    const { data: users } = (await service().api('GET', `/users?directoryId=${first.id}`)).body
    assert.partialDeepStrictEqual(rest.rows[0], {
      ...{ name: 'One', tenant: 'dead-one', product: 'crm', sequence: 1, event: 'user.created' },
      ...{ resource: { type: 'User', id: users[0]?.id }, reason: 'by hand', skipped: true },
    })
    await service().api('DELETE', `/${second.id}`)
    assert.deepEqual(namesOf(await list({})), [third.id, first.id])
    assertApiError(await service().api('GET', '/dead-events?pageToken=x'), 400)
  })
})
