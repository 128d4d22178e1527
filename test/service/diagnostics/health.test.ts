import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Deprovisionings } from '../../../src/diagnostics/deprovisioning/deprovisionings.ts'
import type { ListedHealth } from '../../../src/diagnostics/health/list.ts'
import type { HealthView } from '../../../src/diagnostics/health/view.ts'
import type { Client } from '../../support/client.ts'
import { dataOf, hasten, statusWhen } from '../../support/delivery.ts'
import { poll } from '../../support/eventually.ts'
import { waitForMetrics } from '../../support/metrics.ts'
import { startReceiver, testSecret } from '../../support/receiver.ts'
import { forEachEngine, openTestDatabase, serviceForSuite, startTestService } from '../../support/service.ts'

type Times = Awaited<ReturnType<Deprovisionings['times']>>

const healthOf = async (client: Client, id: string) => dataOf<HealthView>(await client.api('GET', `/${id}/health`))
const timesOf = async (client: Client, id: string) => dataOf<Times>(await client.api('GET', `/${id}/deprovisioning`))

/** Progress is recorded a moment after a delivery. */
const timesWhen = (client: Client, id: string, isIt: (times: Times) => boolean) =>
  poll(
    () => timesOf(client, id),
    isIt,
    (last) => `other times: ${JSON.stringify(last)}`,
  )

const observed = ({ behaviors }: HealthView) =>
  Object.entries(behaviors).flatMap(([behavior, at]) => (at === null ? [] : [behavior]))

const deactivate = { Operations: [{ op: 'replace', path: 'active', value: false }] }
const activate = { Operations: [{ op: 'replace', path: 'active', value: true }] }

forEachEngine((engine) => {
  describe(`the health of directories on ${engine}`, () => {
    const service = serviceForSuite(engine)

    test('shows every behavior as it is observed, and the time of the last request', async () => {
      const directory = await service().createDirectory()
      const call = (method: string, path: string, body?: unknown) => service().scim(directory, method, path, body)
      const before = await healthOf(service(), directory.id)
      assert.deepEqual(
        [before.state, before.reasons.map(({ code }) => code), before.last_request_at, before.delivery, before.hold],
        ['attention', ['never-connected'], null, null, null],
      )
      assert.deepEqual(observed(before), [])
      const steps: [behavior: string, request: () => Promise<unknown>][] = []
      const { id: ann } = (await call('POST', '/Users', { userName: 'ann' })).body
      const { id: group } = (await call('POST', '/Groups', { displayName: 'Everyone' })).body
      const members = (op: string) => ({ Operations: [{ op, path: 'members', value: [{ value: ann }] }] })
      steps.push(['connection_tested', () => call('GET', '/Users?filter=userName%20eq%20%22nobody%22')])
      steps.push(['user_updated', () => call('PUT', `/Users/${ann}`, { userName: 'ann', title: 'x' })])
      steps.push(['user_deactivated', () => call('PATCH', `/Users/${ann}`, deactivate)])
      steps.push(['user_reactivated', () => call('PATCH', `/Users/${ann}`, activate)])
      steps.push(['member_added', () => call('PATCH', `/Groups/${group}`, members('add'))])
      steps.push(['member_removed', () => call('PATCH', `/Groups/${group}`, members('remove'))])
      steps.push(['user_deleted', () => call('DELETE', `/Users/${ann}`)])
      const seen = new Set(['user_created', 'group_pushed'])
      for (const [behavior, request] of steps) {
        assert.deepEqual(new Set(observed(await healthOf(service(), directory.id))), seen)
        await request()
        seen.add(behavior)
      }
      const after = await healthOf(service(), directory.id)
      assert.deepEqual(new Set(observed(after)), seen)
      assert.deepEqual([after.state, after.reasons], ['healthy', []])
      const { user_created, user_deleted } = after.behaviors
      assert.equal(user_created?.first_at, user_created?.last_at)
      assert.equal(after.last_change_at, user_deleted?.last_at)
      assert.ok((after.last_request_at ?? '') >= (after.last_change_at ?? 'z'))
      assert.equal(after.last_success_at, after.last_request_at)
    })

    test('counts wrong secrets until the right one is used, but none for unknown directories', async () => {
      const directory = await service().createDirectory()
      const wrong = { scim: { ...directory.scim, secret: 'wrong' } }
      for (let count = 0; count < 5; count += 1) await service().scim(wrong, 'GET', '/Users')
      const failing = await healthOf(service(), directory.id)
      assert.deepEqual([failing.state, failing.reasons[0]?.code], ['failing', 'unauthorized'])
      assert.partialDeepStrictEqual(failing.failed_authentications, { count: 5, since_last_success: 5 })
      assert.match(String(failing.failed_authentications.last_address), /127\.0\.0\.1/)
      assert.equal(failing.last_request_at, null)
      assert.equal((await service().scim(directory, 'GET', '/Users')).status, 200)
      const repaired = await healthOf(service(), directory.id)
      assert.partialDeepStrictEqual(repaired.failed_authentications, { count: 5, since_last_success: 0 })
      assert.equal(repaired.state, 'healthy')
      const nobody = { scim: { ...directory.scim, path: '/api/scim/v2.0/018f0000-0000-7000-8000-000000000000' } }
      assert.equal((await service().scim(nobody, 'GET', '/Users')).status, 404)
      assert.equal((await service().api('GET', '/018f0000-0000-7000-8000-000000000000/health')).status, 404)
    })

    test('a caller who only knows the id of a directory cannot keep it failing while the identity provider succeeds', async () => {
      const directory = await service().createDirectory()
      const stranger = { scim: { ...directory.scim, secret: 'wrong' } }
      const states: unknown[] = []
      for (let round = 0; round < 3; round += 1) {
        assert.equal((await service().scim(directory, 'GET', '/Users')).status, 200)
        for (let count = 0; count < 6; count += 1) await service().scim(stranger, 'GET', '/Users')
        const { state, reasons } = await healthOf(service(), directory.id)
        states.push([state, reasons[0]?.code])
      }
      const beside = ['attention', 'unauthorized']
      assert.deepEqual(states, [['failing', 'unauthorized'], beside, beside])
    })

    test('lists the directories of a state, page by page, within the scope', async () => {
      const scope = { tenant: 'health-list', product: 'crm' }
      const directories = [await service().createDirectory(scope), await service().createDirectory(scope)]
      const [quiet, active] = directories.map(({ id }) => id)
      for (const { scim } of directories.slice(1)) await service().scim({ scim }, 'GET', '/ServiceProviderConfig')
      const list = async (query: string) => {
        const { body } = await service().api('GET', `/health?tenant=health-list${query}`)
        const found = body.data as unknown as ListedHealth[]
        return {
          ids: found.map((one) => one.directory_id),
          states: found.map(({ state }) => state),
          next: body.pageToken,
        }
      }
      assert.deepEqual(await list(''), { ids: [quiet, active], states: ['attention', 'healthy'], next: undefined })
      assert.deepEqual((await list('&state=healthy')).ids, [active])
      assert.deepEqual((await list('&product=erp')).ids, [])
      const first = await list('&pageLimit=1')
      assert.deepEqual(first.ids, [quiet])
      assert.deepEqual(await list(`&pageLimit=1&pageToken=${first.next}`), {
        ids: [active],
        states: ['healthy'],
        next: undefined,
      })
      assert.deepEqual((await list('&pageLimit=1&state=healthy')).ids, [active])
      for (const bad of [
        '&state=ill',
        '&sort=fate',
        `&sort=name&pageToken=${first.next}`,
        '&pageLimit=0',
        '&colour=red',
      ]) {
        assert.equal((await service().api('GET', `/health?tenant=health-list${bad}`)).status, 400, bad)
      }
    })

    test('measures with the feed as the only consumer: the reader that continues has received the event', async () => {
      const directory = await service().createDirectory()
      const { id } = (await service().scim(directory, 'POST', '/Users', { userName: 'ann' })).body
      await service().scim(directory, 'DELETE', `/Users/${id}`)
      const read = async (after = '') => {
        const { body } = await service().api('GET', `/feed?directoryId=${directory.id}${after}`)
        return (body as unknown as { next: string }).next
      }
      const next = await read()
      assert.equal((await timesOf(service(), directory.id)).count, 0, 'the event was sent, not acknowledged')
      await read(`&after=${next}`)
      const { count, p50_ms, overdue } = await timesWhen(service(), directory.id, (times) => times.count === 1)
      assert.deepEqual([count, overdue], [1, []])
      assert.ok(Number(p50_ms) >= 0)
    })
  })

  test('a deprovisioning is measured from the request to the 2xx, over failures and a restart', async () => {
    await using consumer = await startReceiver()
    await using database = await openTestDatabase(engine)
    await using operator = await startReceiver()
    const settings = {
      DEPROVISION_TARGET: '1',
      OPERATOR_WEBHOOK_URL: operator.endpoint.webhook_url,
      OPERATOR_WEBHOOK_SECRET: testSecret,
    }
    const endpoint = consumer.endpoint
    let id = ''
    {
      await using service = await startTestService(database, settings)
      const directory = await service.createDirectory(endpoint)
      id = directory.id
      const users = await Promise.all(
        ['ann', 'bob', 'cyd'].map(
          async (userName) => (await service.scim(directory, 'POST', '/Users', { userName })).body.id,
        ),
      )
      await consumer.firstEvents(id, 3)
      consumer.answerWith(503)
      const [ann, bob, cyd] = users
      await service.scim(directory, 'DELETE', `/Users/${ann}`)
      await service.scim(directory, 'PATCH', `/Users/${bob}`, deactivate)
      await service.scim(directory, 'PATCH', `/Users/${cyd}`, {
        Operations: [{ op: 'add', path: 'title', value: 'x' }],
      })
      await statusWhen(service, id, ({ failures }) => failures >= 1)
      const once = await healthOf(service, id)
      assert.equal(once.delivery?.last_error, 'answered 503')
      assert.ok(once.reasons.some(({ code }) => code === 'delivery-failing'))
      const late = await timesWhen(service, id, ({ overdue }) => overdue.length === 2)
      assert.deepEqual(
        late.overdue.map(({ subject, user_id, sequence }) => [subject, user_id, sequence]),
        [
          ['ann', ann, 4],
          ['bob', bob, 5],
        ],
      )
      assert.deepEqual([late.count, late.p50_ms, late.target_ms], [0, null, 1_000])
      await waitForMetrics(service, /^rollcall_deprovisioning_overdue 2$/m)
      await service.logged(({ userId }) => userId === bob, 'the overdue deprovisioning')
      const { state, reasons } = await healthOf(service, id)
      assert.deepEqual([state, reasons[0]?.code], ['failing', 'deprovisioning-overdue'])
      const wrong = { scim: { ...directory.scim, secret: 'wrong' } }
      for (let count = 0; count < 5; count += 1) await service.scim(wrong, 'GET', '/Users')
      await operator.until(() => operator.attempts.length === 2, 'two notices')
      assert.deepEqual(
        operator.attempts.map(({ body }) => (JSON.parse(body) as { type: string }).type),
        ['deprovision.overdue', 'directory.unauthorized'],
      )
      assert.equal((await service.scim(directory, 'GET', '/Users')).status, 200)
    }
    await using service = await startTestService(database, settings)
    assert.equal((await timesOf(service, id)).overdue.length, 2)
    consumer.answerWith(204)
    await hasten(service, id)
    const { p50_ms, p99_ms, overdue } = await timesWhen(service, id, ({ count }) => count === 2)
    assert.deepEqual(overdue, [])
    assert.ok(Number(p50_ms) >= 900 && Number(p99_ms) >= Number(p50_ms), `${p50_ms} ms, ${p99_ms} ms`)
    await waitForMetrics(service, /^rollcall_deprovisioning_overdue 0$/m, /^rollcall_deprovisioning_seconds_count 2$/m)
    assert.equal(
      service.log.some(({ userId }) => userId !== undefined),
      false,
      'it was reported before the restart',
    )
    assert.deepEqual((await healthOf(service, id)).state, 'healthy')
  })
})
