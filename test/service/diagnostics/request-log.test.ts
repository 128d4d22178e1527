import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../support/eventually.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, forSuite, openTestDatabase, startTestService } from '../../support/service.ts'

interface Row {
  readonly id: string
  readonly kind: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly subject: string | null
  readonly detail: string | null
  readonly event_sequences: readonly number[]
  readonly resource: { readonly type: string; readonly id: string | null } | null
}

const password = 'correct-horse-battery'

forEachEngine((engine) => {
  const subject = forSuite(async () => {
    const database = await openTestDatabase(engine)
    const receiver = await startReceiver()
    const service = await startTestService(database)
    const directory = await service.createDirectory({ ...receiver.endpoint })
    return {
      ...{ service, directory, receiver },
      rows: async (query: string): Promise<readonly Row[]> =>
        (await service.api('GET', `/${directory.id}/requests?${query}`)).body.data as unknown as Row[],
      async [Symbol.asyncDispose]() {
        await service[Symbol.asyncDispose]()
        await receiver[Symbol.asyncDispose]()
        await database[Symbol.asyncDispose]()
      },
    }
  })

  test('every authorized request is in the log with its subject, its reason and its events; passwords are not', async () => {
    const { service, directory, rows } = subject()
    const send = (method: string, path: string, body?: object) => service.scim(directory, method, path, body)
    const { body: ada } = await send('POST', '/Users', { userName: 'Ada', password })
    await send('POST', '/Users', { userName: 'aDA', 'urn:ietf:params:scim:schemas:core:2.0:User:PassWord': password })
    await send('GET', `/Users?filter=${encodeURIComponent('userName eq "Bob"')}`)
    await send('GET', `/Users?filter=${encodeURIComponent(`password eq "${password}"`)}&token=${password}`)
    await send('PATCH', `/Users/${ada.id}`, { Operations: [{ op: 'no', path: 'Password', value: password }] })
    await send('GET', `/Users/${ada.id}`)
    await send('DELETE', `/Users/${ada.id}`)
    const all = await rows('')
    assert.deepEqual(
      all.map(({ method, status, subject: who, event_sequences: events }) => [method, status, who, events]),
      [
        ['DELETE', 204, 'Ada', [2]],
        ['GET', 200, 'Ada', []],
        ['PATCH', 400, 'Ada', []],
        ['GET', 400, null, []],
        ['GET', 200, 'Bob', []],
        ['POST', 409, 'aDA', []],
        ['POST', 201, 'Ada', [1]],
      ],
    )
    assert.deepEqual(
      (await rows('subject=ADA&status=refused')).map(({ status }) => status),
      [400, 409],
    )
    assert.deepEqual(
      (await rows('method=post&status=2xx')).map(({ subject: who }) => who),
      ['Ada'],
    )
    const traces = await Promise.all(all.map(({ id }) => service.api('GET', `/requests/${id}`)))
    assert.equal(JSON.stringify([all, traces.map(({ body }) => body)]).includes(password), false)
    const refused = traces[5]?.body.data as unknown as { readonly request: { readonly body: object } }
    assert.deepEqual(refused.request.body, { userName: 'aDA' })
  })

  test('a trace has the changes, the events and their deliveries; each operation of a bulk request has its own', async () => {
    const { service, directory, rows } = subject()
    const operations = ['eve', 'eve', 'fay'].map((userName, n) => ({
      ...{ method: 'POST', path: '/Users', bulkId: `b${n}`, data: { userName } },
    }))
    await service.scim(directory, 'POST', '/Bulk', { Operations: operations })
    const [bulk, ...parts] = (await rows('pageLimit=4')) as readonly Row[]
    assert.deepEqual(
      parts.map(({ status, subject: who }) => [status, who]),
      [
        [201, 'fay'],
        [409, 'eve'],
        [201, 'eve'],
      ],
    )
    const trace = async (id = '') =>
      (await service.api('GET', `/requests/${id}`)).body.data as unknown as {
        readonly changes: readonly { readonly before: unknown; readonly after: { readonly userName: string } }[]
        readonly events: readonly {
          readonly request_id: string
          readonly deliveries: readonly { readonly status: number }[]
        }[]
      }
    await eventually('the deliveries', async () =>
      (await trace(bulk?.id)).events.every((one) => one.deliveries.length > 0),
    )
    const whole = await trace(bulk?.id)
    assert.deepEqual(
      whole.changes.map(({ before, after }) => [before, after.userName]),
      [
        [null, 'eve'],
        [null, 'fay'],
      ],
    )
    const one = await trace(parts[0]?.id)
    assert.deepEqual(
      one.events.map(({ request_id, deliveries }) => [request_id, deliveries[0]?.status]),
      [[parts[0]?.id, 204]],
    )
  })

  test('a timeline has requests, changes, events and deliveries, also after the deletion', async () => {
    const { service, directory } = subject()
    const { body: user } = await service.scim(directory, 'POST', '/Users', { userName: 'Gus' })
    await service.scim(directory, 'GET', `/Users?filter=${encodeURIComponent('userName eq "gus"')}`)
    await service.scim(directory, 'POST', '/Groups', { displayName: 'Sales', members: [{ value: user.id }] })
    await service.scim(directory, 'DELETE', `/Users/${user.id}`)
    const timeline = async (query = '') => {
      const { body } = await service.api('GET', `/${directory.id}/users/${user.id}/timeline${query}`)
      return body as unknown as { readonly data: readonly Row[]; readonly pageToken?: string }
    }
    await eventually(
      'the deliveries',
      async () => (await timeline()).data.filter(({ kind }) => kind === 'delivery').length === 3,
    )
    const { data } = await timeline()
    const kinds = data.map(({ kind }) => kind)
    const count = (kind: string) => kinds.filter((one) => one === kind).length
    assert.deepEqual(['request', 'change', 'event', 'delivery'].map(count), [3, 3, 3, 3])
    assert.deepEqual(
      data.map(({ at }) => at),
      data
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    )
    const paged: Row[] = []
    for (
      let page = await timeline('?pageLimit=2');
      ;
      page = await timeline(`?pageLimit=2&pageToken=${page.pageToken}`)
    ) {
      paged.push(...page.data)
      if (page.pageToken === undefined) break
    }
    assert.equal(paged.length, data.length)
    assert.equal((await service.api('GET', `/${directory.id}/users/nobody/timeline`)).status, 404)
  })
})
