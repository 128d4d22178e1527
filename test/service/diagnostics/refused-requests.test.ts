import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RefusedRequestView } from '../../../src/diagnostics/requests/refused.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { dataOf } from '../../support/delivery.ts'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  async function refuse(directory: DirectoryView, userName: string, status = 400): Promise<void> {
    const body = { userName, active: status === 400 ? 'perhaps' : true }
    assert.equal((await service().scim(directory, 'POST', '/Users', body)).status, status)
  }
  async function list(query: Readonly<Record<string, string>>) {
    const answer = await service().api('GET', `/refused-requests?${new URLSearchParams(query)}`)
    return { rows: dataOf<readonly RefusedRequestView[]>(answer), pageToken: answer.body.pageToken }
  }
  const subjects = ({ rows }: Awaited<ReturnType<typeof list>>) => rows.map(({ subject }) => subject)

  test('the refused requests of many directories are listed newest first, by tenant, product and status, in pages', async () => {
    const [first, second, third] = await Promise.all([
      service().createDirectory({ tenant: 'refused-one', product: 'crm', name: 'One' }),
      service().createDirectory({ tenant: 'refused-two', product: 'crm' }),
      service().createDirectory({ tenant: 'refused-two', product: 'erp' }),
    ])
    await service().scim(first, 'POST', '/Users', { userName: 'taken' })
    for (const [directory, userName, status] of [
      [first, 'ann', 400],
      [second, 'bob', 400],
      [first, 'taken', 409],
      [third, 'cy', 400],
    ] as const) {
      await refuse(directory, userName, status)
      await list({ pageLimit: '1' })
    }
    assert.deepEqual(subjects(await list({})), ['cy', 'taken', 'bob', 'ann'])
    assert.deepEqual(subjects(await list({ product: 'crm' })), ['taken', 'bob', 'ann'])
    assert.deepEqual(subjects(await list({ tenant: 'refused-two' })), ['cy', 'bob'])
    assert.deepEqual(subjects(await list({ tenant: 'refused-two', product: 'crm' })), ['bob'])
    assert.deepEqual(subjects(await list({ status: '409' })), ['taken'])
    assert.deepEqual(subjects(await list({ status: '5xx' })), [])
    const page = await list({ pageLimit: '3' })
    assert.deepEqual(subjects(page), ['cy', 'taken', 'bob'])
    const rest = await list({ pageLimit: '3', pageToken: page.pageToken ?? '' })
    assert.deepEqual([subjects(rest), rest.pageToken], [['ann'], undefined])
    assert.partialDeepStrictEqual(rest.rows[0], {
      ...{ directory_id: first.id, name: 'One', tenant: 'refused-one', product: 'crm' },
      ...{ method: 'POST', path: '/Users', status: 400, scim_type: 'invalidValue' },
    })
    await service().api('DELETE', `/${second.id}`)
    assert.deepEqual(subjects(await list({})), ['cy', 'taken', 'ann'])
    for (const wrong of ['pageToken=x', 'status=201', 'status=refused'])
      assertApiError(await service().api('GET', `/refused-requests?${wrong}`), 400)
  })

  test('requests that one directory wrote together are listed one page after the other', async () => {
    const directory = await service().createDirectory({ tenant: 'refused-together', product: 'crm' })
    for (const n of [1, 2, 3, 4, 5]) await refuse(directory, `user-${n}`)
    const scope = { tenant: 'refused-together', pageLimit: '2' }
    const first = await list(scope)
    const second = await list({ ...scope, pageToken: first.pageToken ?? '' })
    const third = await list({ ...scope, pageToken: second.pageToken ?? '' })
    const found = [first, second, third].map(subjects)
    assert.deepEqual(found, [['user-5', 'user-4'], ['user-3', 'user-2'], ['user-1']])
    assert.equal(third.pageToken, undefined)
  })
})
