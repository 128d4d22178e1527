import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OneOfSeveral } from '../../../src/delivery/several.ts'
import { dataOf, statusWhen } from '../../support/delivery.ts'
import { assertApiError } from '../../support/errors.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, forSuite, serviceForSuite } from '../../support/service.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const receiver = forSuite(() => startReceiver())
  const post = (path: string, body?: unknown) => service().api('POST', path, body)
  const several = async (verb: string, body: object) =>
    dataOf<readonly OneOfSeveral[]>(await post(`/delivery/${verb}`, body))

  /** Paused directories with an event each. */
  async function pausedDirectories(tenant: string, ...products: readonly string[]): Promise<string[]> {
    const ids: string[] = []
    for (const product of products) {
      const directory = await service().createDirectory({ tenant, product, ...receiver().endpoint })
      await post(`/${directory.id}/pause`)
      await service().scim(directory, 'POST', '/Users', { userName: 'maya' })
      ids.push(directory.id)
    }
    return ids
  }

  test('the directories of a list are resumed, and each of them is answered', async () => {
    const [one = '', two = '', other = ''] = await pausedDirectories('several', 'crm', 'crm', 'erp')
    const answers = await several('resume', { directory_ids: [one, two, one, 'nobody'] })
    assert.deepEqual(
      answers.map(({ directory_id, status, error }) => [directory_id, status?.state, error?.reason]),
      [
        [one, 'flowing', undefined],
        [two, 'flowing', undefined],
        ['nobody', undefined, 'directory-not-found'],
      ],
    )
    for (const id of [one, two]) await statusWhen(service(), id, ({ undelivered }) => undelivered === 0)
    const outside = await several('resume', { directory_ids: [other], product: 'crm' })
    assert.equal(outside[0]?.error?.reason, 'directory-not-found')
    await statusWhen(service(), other, ({ state }) => state === 'paused')
  })

  test('the directories of a tenant and product are resumed, and their events sent again', async () => {
    const [one = '', two = ''] = await pausedDirectories('product-wide', 'crm', 'erp')
    assert.deepEqual(
      (await several('resume', { tenant: 'product-wide', product: 'crm' })).map((row) => row.directory_id),
      [one],
    )
    await several('resume', { tenant: 'product-wide' })
    for (const id of [one, two]) await statusWhen(service(), id, ({ undelivered }) => undelivered === 0)
    await several('replay', { tenant: 'product-wide', since: '2020-01-01T00:00:00Z' })
    for (const id of [one, two]) await receiver().firstEvents(id, 2)
  })

  test('a call names its directories, at most 100, and the time to replay from', async () => {
    assertApiError(await post('/delivery/resume', {}), 400)
    assertApiError(await post('/delivery/resume', { directory_ids: [] }), 400)
    assertApiError(
      await post('/delivery/resume', { directory_ids: Array.from({ length: 101 }, (_, n) => `${n}`) }),
      400,
    )
    assertApiError(await post('/delivery/resume', { product: 'crm', pageToken: 'x' }), 400)
    assertApiError(await post('/delivery/replay', { product: 'crm' }), 400)
    assertApiError(await post('/delivery/replay', { product: 'crm', since: 'yesterday' }), 400)
  })
})
