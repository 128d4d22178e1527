import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schedule } from '../../../src/concurrency/schedule.ts'
import type { DeliveryAttempt, DeliveryView } from '../../../src/delivery/log/entry.ts'
import { maxPayloadBytes } from '../../../src/delivery/log/entry.ts'
import { createRecorder } from '../../../src/delivery/log/recorder.ts'
import { silentLogger } from '../../../src/delivery/observer.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { newId } from '../../../src/ids/new-id.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Answer } from '../../support/client.ts'
import { assertApiError } from '../../support/errors.ts'
import type { Engine, TestDatabase } from '../../support/service.ts'
import { forEachEngine, forSuite, openTestDatabase, startTestService } from '../../support/service.ts'
import { failed, response, someEvent } from '../../unit/delivery/support/samples.ts'

const endpoint = {
  url: 'https://user:secret@acme.example/hooks?token=secret',
  secret: 'whsec_x',
  previousSecret: undefined,
}
/** Recent: the service removes old deliveries from the log soon after its start. */
const startedAt = Date.now() - 3_600_000

type Recorded = Pick<DeliveryAttempt, 'result'> & Partial<DeliveryAttempt>

/** Logs deliveries one second apart, as a running service does. */
async function record(database: TestDatabase, all: readonly { id: string; attempts: readonly Recorded[] }[]) {
  const { DATABASE_URL: databaseUrl = '', ENCRYPTION_KEY: encryptionKey } = database.env
  const store = await openStore({ databaseUrl, encryptionKey, poolSize: 2, onBackgroundError: assert.ifError })
  let now = startedAt
  const clock = () => {
    now += 1_000
    return now
  }
  const recorder = createRecorder({ store, newId, clock, schedule, log: silentLogger })
  for (const { id, attempts } of all) {
    attempts.forEach((given, index) => {
      const events = [someEvent({ sequence: index + 1 })]
      recorder.record({ directory: { id, endpoint }, events, attempt: 1, payload: `{"n":${index}}`, ...given })
    })
  }
  await recorder.close()
  await store.close()
}

/** A service with logged deliveries of three directories; the last one belongs to another tenant. */
async function openSubject(engine: Engine) {
  const database = await openTestDatabase(engine)
  const before = await startTestService(database)
  const [first, second, zeta] = [
    await before.createDirectory(),
    await before.createDirectory(),
    await before.createDirectory({ tenant: 'zeta' }),
  ]
  await before[Symbol.asyncDispose]()
  const batch = [3, 4].map((sequence) => someEvent({ sequence, eventType: 'group.user_added' }))
  await record(database, [
    {
      id: first.id,
      attempts: [
        { result: { ...response(503), body: 'come back later', latencyMs: 12.4 }, payload: '{"first":"é"}' },
        { result: failed('no response within 15000 ms'), attempt: 2 },
        { result: response(204), events: batch, payload: '[{},{}]' },
        { result: response(200), payload: `"${'x'.repeat(maxPayloadBytes)}"` },
      ],
    },
    { id: second.id, attempts: Array.from({ length: 7 }, () => ({ result: response(200) })) },
    { id: zeta.id, attempts: Array.from({ length: 3 }, () => ({ result: response(200) })) },
  ])
  const service = await startTestService(database)
  return {
    ...{ service, first, second, zeta },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const rowsOf = ({ body }: Answer) => body.data as unknown as readonly DeliveryView[]
const placesOf = (answer: Answer) => rowsOf(answer).map(({ directory_id, sequence }) => `${directory_id} ${sequence}`)
const scoped = ({ id }: DirectoryView) => `directoryId=${id}`
const ofTenant = 'tenant=acme&product=crm'

forEachEngine((engine) => {
  const subject = forSuite(() => openSubject(engine))
  const get = (path: string) => subject().service.api('GET', path)

  test('a logged delivery is returned with all its fields', async () => {
    const { first } = subject()
    const [large, batch, silent, refused] = rowsOf(await get(`/events?${scoped(first)}`))
    assert.ok(large && batch && silent && refused)
    assert.deepEqual(refused, {
      id: refused.id,
      directory_id: first.id,
      tenant: 'acme',
      sequence: 1,
      event_id: 'event-1',
      event: 'user.created',
      request_id: 'request-1',
      event_count: 1,
      webhook_endpoint: 'https://acme.example/hooks',
      status_code: 503,
      latency_ms: 12,
      attempt: 1,
      error: 'answered 503',
      delivered: false,
      created_at: new Date(startedAt + 1_000).toISOString(),
      payload: { first: 'é' },
      payload_truncated: false,
      response_body: 'come back later',
    })
    const { status_code, error, attempt, delivered } = silent
    assert.deepEqual(
      { status_code, error, attempt, delivered },
      {
        ...{ status_code: null, error: 'no response within 15000 ms', attempt: 2, delivered: false },
      },
    )
    assert.deepEqual(
      [batch.event, batch.sequence, batch.event_count, batch.payload],
      ['group.user_added', 3, 2, [{}, {}]],
    )
    assert.deepEqual([large.payload, large.payload_truncated, large.delivered, large.error], [null, true, true, null])
    const { status, body } = await get(`/events/${refused.id}?${scoped(first)}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { data: refused, error: null })
  })

  test('a tenant and product list the deliveries of all their directories, newest first', async () => {
    const { first, second } = subject()
    const answer = await get(`/events?${ofTenant}`)
    const expected = [
      ...[7, 6, 5, 4, 3, 2, 1].map((sequence) => `${second.id} ${sequence}`),
      ...[4, 3, 2, 1].map((sequence) => `${first.id} ${sequence}`),
    ]
    assert.equal(answer.status, 200)
    assert.deepEqual(placesOf(answer), expected)
    assert.deepEqual(placesOf(await get(`/events?${scoped(second)}&tenant=acme`)), expected.slice(0, 7))
  })

  test('both paths of the API return the log', async () => {
    const [one, other] = await Promise.all(
      ['directory-sync', 'dsync'].map((name) => get(`/api/v1/${name}/events?${ofTenant}`)),
    )
    assert.equal(one?.text, other?.text)
  })

  for (const limit of [1, 3, 4, 11, 12]) {
    test(`pages of ${limit} contain every delivery once`, async () => {
      const all = rowsOf(await get(`/events?${ofTenant}`)).map(({ id }) => id)
      const byToken: string[] = []
      let pages = 0
      for (let token: string | undefined = ''; token !== undefined; pages += 1) {
        const answer: Answer = await get(`/events?${ofTenant}&pageLimit=${limit}${token && `&pageToken=${token}`}`)
        byToken.push(...rowsOf(answer).map(({ id }) => id))
        token = answer.body.pageToken
      }
      assert.deepEqual(byToken, all)
      assert.equal(pages, Math.ceil(all.length / limit))
      const byOffset: string[] = []
      for (let offset = 0; offset < all.length; offset += limit) {
        const path = `/events?${ofTenant}&pageLimit=${limit}&pageOffset=${offset}`
        byOffset.push(...rowsOf(await get(path)).map(({ id }) => id))
      }
      assert.deepEqual(byOffset, all)
    })
  }

  test('a page beyond the end is empty', async () => {
    const { body } = await get(`/events?${ofTenant}&pageOffset=1000000&pageLimit=10`)
    assert.deepEqual(body, { data: [], error: null })
  })

  test('a page token does not give access to another scope', async () => {
    const { zeta } = subject()
    const { pageToken } = (await get(`/events?${ofTenant}&pageLimit=2`)).body
    const rows = rowsOf(await get(`/events?${scoped(zeta)}&pageToken=${pageToken}`))
    assert(rows.every(({ directory_id }) => directory_id === zeta.id))
  })

  test('deliveries of another tenant are not found in any scope', async () => {
    const { first, zeta } = subject()
    const [delivery] = rowsOf(await get(`/events?${scoped(zeta)}`))
    assert.ok(delivery)
    for (const scope of [ofTenant, scoped(first), 'tenant=zeta&product=erp']) {
      assertApiError(await get(`/events/${delivery.id}?${scope}`), 404)
    }
    assert.equal((await get(`/events/${delivery.id}?tenant=zeta&product=crm`)).status, 200)
    assertApiError(await get(`/events?${scoped(zeta)}&tenant=acme`), 404)
    assertApiError(await subject().service.api('DELETE', `/events?${scoped(zeta)}&${ofTenant}`), 404)
    assert.equal(rowsOf(await get(`/events?${scoped(zeta)}`)).length, 3)
  })

  for (const { path, status } of [
    { path: '/events', status: 400 },
    { path: '/events?tenant=acme', status: 400 },
    { path: `/events?${ofTenant}&pageLimit=0`, status: 400 },
    { path: `/events?${ofTenant}&pageToken=nonsense`, status: 400 },
    { path: '/events?directoryId=nobody', status: 404 },
    { path: '/events/nothing', status: 400 },
    { path: `/events/nothing?${ofTenant}`, status: 404 },
    { path: `/events/%00?${ofTenant}`, status: 404 },
    { path: '/events/nothing?directoryId=nobody', status: 404 },
  ]) {
    test(`${path} is rejected with ${status}`, async () => assertApiError(await get(path), status))
  }

  test('a tenant without a directory has no deliveries', async () => {
    assert.deepEqual((await get('/events?tenant=nobody&product=crm')).body, { data: [], error: null })
  })
})

forEachEngine((engine) => {
  const subject = forSuite(() => openSubject(engine))

  test('the log can be deleted for one directory only', async () => {
    const { service, first, second } = subject()
    assertApiError(await service.api('DELETE', `/events?${ofTenant}`), 400)
    assertApiError(await service.api('DELETE', '/events?directoryId=nobody'), 404)
    const { status, body } = await service.api('DELETE', `/events?${scoped(first)}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { data: {}, error: null })
    assert.deepEqual((await service.api('GET', `/events?${scoped(first)}`)).body, { data: [], error: null })
    assert.equal(rowsOf(await service.api('GET', `/events?${ofTenant}`)).length, 7)
    assert.equal((await service.api('DELETE', `/events?${scoped(first)}`)).status, 200)
    assert.equal((await service.api('GET', `/${second.id}`)).status, 200)
  })

  test('a deleted directory has no log', async () => {
    const { service, zeta } = subject()
    await service.api('DELETE', `/${zeta.id}`)
    assertApiError(await service.api('GET', `/events?${scoped(zeta)}`), 404)
    assert.deepEqual((await service.api('GET', '/events?tenant=zeta&product=crm')).body, { data: [], error: null })
  })
})
