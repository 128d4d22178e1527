import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ListedHealth } from '../../../src/diagnostics/health/list.ts'
import type { OverviewView } from '../../../src/diagnostics/overview/overview.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Client } from '../../support/client.ts'
import { dataOf, statusWhen } from '../../support/delivery.ts'
import { poll } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, serviceForSuite, startTestService } from '../../support/service.ts'

async function overviewOf(client: Client, query = ''): Promise<OverviewView> {
  return dataOf(await client.api('GET', `/overview${query}`))
}

async function listed(client: Client, query: string) {
  const { body, status, text } = await client.api('GET', `/health?${query}`)
  assert.equal(status, 200, text)
  const rows = body.data as unknown as ListedHealth[]
  return { ids: rows.map(({ directory_id: id }) => id), next: body.pageToken, rows }
}

const reasonsOf = ({ reasons }: OverviewView) =>
  reasons.map(({ code, state, directories }) => [code, state, directories])
const sum = (periods: readonly { readonly events: number }[]) => periods.reduce((all, { events }) => all + events, 0)

/** Creates users, then deletes all but the first, which exceeds a removal limit of 0. */
async function removeUsers(client: Client, directory: DirectoryView, count: number): Promise<void> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    ids.push((await client.scim(directory, 'POST', '/Users', { userName: `user-${n}` })).body.id)
  }
  for (const id of ids.slice(1)) await client.scim(directory, 'DELETE', `/Users/${id}`)
}

forEachEngine((engine) => {
  describe(`the overview on ${engine}`, () => {
    const service = serviceForSuite(engine)

    test('counts the directories of a scope by state and worst reason, as soon as a fact has changed', async () => {
      const [product, tenant] = ['overview', 'overview-acme']
      const create = (fields = {}) => service().createDirectory({ product, tenant, ...fields })
      const read = () => overviewOf(service(), `?product=${product}`)
      assert.deepEqual((await read()).directories, {
        ...{ total: 0, healthy: 0, attention: 0, failing: 0, held: 0, deactivated: 0 },
      })
      const healthy = await create()
      const wrong = await create({ name: 'Wrong' })
      const off = await create({ name: 'off', deactivated: true })
      const other = await create({ tenant: 'overview-other', name: 'Alpha', type: 'okta-scim-v2' })
      assert.deepEqual(reasonsOf(await read()), [
        ['never-connected', 'attention', 3],
        ['deactivated', 'attention', 1],
      ])
      for (const directory of [healthy, off]) await service().scim(directory, 'GET', '/Users')
      await service().api('PATCH', `/${off.id}`, { deactivated: false })
      await service().scim(off, 'GET', '/Users')
      await service().api('PATCH', `/${off.id}`, { deactivated: true })
      const stranger = { scim: { ...wrong.scim, secret: 'wrong' } }
      for (let count = 0; count < 5; count += 1) await service().scim(stranger, 'GET', '/Users')
      const found = await read()
      assert.deepEqual(found.directories, {
        ...{ total: 4, healthy: 1, attention: 2, failing: 1, held: 0, deactivated: 1 },
      })
      assert.deepEqual(reasonsOf(found), [
        ['unauthorized', 'failing', 1],
        ['never-connected', 'attention', 1],
        ['deactivated', 'attention', 1],
      ])
      assert.deepEqual(
        found.worst.map(({ directory_id: id, reasons: [worst] }) => [id, worst?.code]),
        [
          [wrong.id, 'unauthorized'],
          [other.id, 'never-connected'],
          [off.id, 'deactivated'],
        ],
      )
      assert.equal((await overviewOf(service(), `?product=${product}&tenant=overview-other`)).directories.total, 1)
      assert.equal((await overviewOf(service(), '?tenant=overview-acme')).directories.total, 3)
      assert.ok((await overviewOf(service())).directories.total >= 4)

      const list = async (query: string) => (await listed(service(), `product=${product}&${query}`)).ids
      assert.deepEqual(await list('sort=worst'), [wrong.id, other.id, off.id, healthy.id])
      assert.deepEqual((await list('sort=name')).slice(0, 2), [other.id, off.id])
      assert.deepEqual(await list('deactivated=true'), [off.id])
      assert.deepEqual(await list('held=true'), [])
      assert.deepEqual(await list('reason=unauthorized'), [wrong.id])
      assert.deepEqual(await list('type=okta-scim-v2'), [other.id])
      assert.deepEqual(await list('search=WRO'), [wrong.id])
      assert.deepEqual(await list('state=attention&sort=worst&pageOffset=1&pageLimit=9'), [off.id])
      await service().api('DELETE', `/${wrong.id}`)
      assert.deepEqual(reasonsOf(await read()).length, 2)
    })

    test('lists more directories than a page in each order, page by page', async () => {
      const product = 'overview-pages'
      const names = ['c', 'A', 'b', 'E', 'd']
      for (const name of names) await service().createDirectory({ product, name })
      for (const sort of ['created', 'worst', 'name', 'changed']) {
        const query = `product=${product}&sort=${sort}`
        const all = await listed(service(), query)
        assert.equal(all.ids.length, 5)
        const paged: string[] = []
        let token = ''
        do {
          const page = await listed(service(), `${query}&pageLimit=2${token}`)
          paged.push(...page.ids)
          token = page.next === undefined ? '' : `&pageToken=${page.next}`
        } while (token !== '')
        assert.deepEqual(paged, all.ids, sort)
      }
      const byName = await listed(service(), `product=${product}&sort=name`)
      assert.deepEqual(
        byName.rows.map(({ name }) => name),
        ['A', 'b', 'c', 'd', 'E'],
      )
    })

    test('counts the people of a tenant, lists its last changes, and how many directories a list has', async () => {
      const [tenant, product] = ['people', 'people']
      const [first, second] = [
        await service().createDirectory({ tenant, product }),
        await service().createDirectory({ tenant, product: 'other' }),
      ]
      await service().createDirectory({ tenant: 'strangers', product })
      for (const userName of ['ann', 'bob']) await service().scim(first, 'POST', '/Users', { userName })
      await service().scim(second, 'POST', '/Users', { userName: 'cem', active: false })
      await service().scim(second, 'POST', '/Groups', { displayName: 'Sales' })
      const { changes, ...people } = (await dataOf(await service().api('GET', `/tenant?tenant=${tenant}`))) as {
        changes: { event: string; directory_id: string; sequence: number }[]
      }
      assert.deepEqual(people, { users: 3, inactive_users: 1, groups: 1, is_at_least: false })
      assert.deepEqual(
        changes.filter(({ directory_id: id }) => id === second.id).map(({ event, sequence }) => [event, sequence]),
        [
          ['group.created', 2],
          ['user.created', 1],
        ],
      )
      assert.equal(changes.length, 4)
      const { text } = await service().api(
        'GET',
        `/health?tenant=${tenant}&pageLimit=1&total=true&type=generic-scim-v2`,
      )
      assert.match(text, /"pageToken":"[^"]+","total":2,/)
      assert.equal((await service().api('GET', '/tenant')).status, 400)
    })

    test('counts events and failed deliveries per minute, hour and day', async () => {
      await using consumer = await startReceiver()
      consumer.answerWith(503)
      const product = 'overview-events'
      const directories = [
        await service().createDirectory({ product, tenant: 'one', ...consumer.endpoint }),
        await service().createDirectory({ product, tenant: 'two' }),
      ]
      for (const directory of directories) {
        for (const userName of ['ann', 'bob']) await service().scim(directory, 'POST', '/Users', { userName })
      }
      await statusWhen(service(), directories[0]?.id ?? '', ({ failures }) => failures > 0)
      const { volumes } = await overviewOf(service(), `?product=${product}`)
      for (const periods of [volumes.minutes, volumes.hours, volumes.days]) {
        assert.equal(sum(periods), 4)
        assert.ok(periods.some(({ failed_deliveries: failed }) => failed > 0))
        assert.ok(periods.length > 0 && periods.length <= 60)
      }
      assert.ok(volumes.counted_since <= new Date().toISOString())
      const ofTenant = await overviewOf(service(), `?product=${product}&tenant=two`)
      assert.equal(sum(ofTenant.volumes.hours), 2)
      // The counts are moved to totals in the meantime, and stay the same.
      const moved = () => listed(service(), `product=${product}&sort=changed&pageLimit=1`)
      await poll(
        () => overviewOf(service(), `?product=${product}`),
        (later) => sum(later.volumes.minutes) === 4,
        (last) => `other counts: ${JSON.stringify(last.volumes.minutes)}`,
      )
      assert.equal((await moved()).ids.length, 1)
    })

    test('rejects what it does not know', async () => {
      for (const bad of ['?colour=red', '?tenant=', '?directoryId=x']) {
        assert.equal((await service().api('GET', `/overview${bad}`)).status, 400, bad)
      }
    })
  })

  test(`${engine}: a hold comes before the overdue removals that follow from it, and is found by its filter`, async () => {
    const settings = {
      ...{ DEPROVISION_TARGET: '1', DSYNC_REMOVAL_LIMIT_PERCENT: '0', DSYNC_REMOVAL_LIMIT_MINIMUM: '0' },
    }
    await using consumer = await startReceiver()
    await using service = await startTestService(engine, settings)
    const directory = await service.createDirectory(consumer.endpoint)
    await removeUsers(service, directory, 3)
    const held = await overviewOf(service)
    assert.deepEqual([held.directories.held, held.reasons[0]?.code], [1, 'held'])
    const late = await poll(
      () => overviewOf(service),
      ({ overdue_deprovisionings: overdue }) => overdue.count === 2,
      (last) => `other counts: ${JSON.stringify(last)}`,
    )
    assert.deepEqual(reasonsOf(late), [['held', 'failing', 1]])
    assert.deepEqual(
      late.worst[0]?.reasons.map(({ code }) => code),
      ['held', 'deprovisioning-overdue'],
    )
    assert.deepEqual((await listed(service, 'held=true&overdue=true&state=failing')).ids, [directory.id])
    await service.api('POST', `/${directory.id}/hold/release`)
    const released = await poll(
      () => overviewOf(service),
      ({ directories }) => directories.healthy === 1,
      (last) => `another state: ${JSON.stringify(last.reasons)}`,
    )
    assert.deepEqual([released.directories.held, released.overdue_deprovisionings.count], [0, 0])
  })
})
