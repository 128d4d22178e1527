import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRollcall } from '../../../src/index.ts'

async function openLibrary(scimRequestLogTtl = 7) {
  const rollcall = await createRollcall({
    ...{
      databaseUrl: 'sqlite::memory:',
      externalUrl: 'http://localhost:3000',
      scimRequestLogTtl,
      scimRequestLogMax: 9,
    },
  })
  const { data: directory } = await rollcall.directories.create({ tenant: 'acme', product: 'crm' })
  assert(directory !== null)
  const { id: directoryId, scim } = directory
  return {
    ...{ rollcall, directoryId },
    send: (
      method: string,
      resourceId: string,
      more: { readonly body?: object; readonly query?: object } = {},
      apiSecret = scim.secret,
    ) =>
      rollcall.requests.handle({
        ...{ method, resourceId, resourceType: 'Users', directoryId, apiSecret, body: more.body },
        query: { ...more.query },
      }),
    [Symbol.asyncDispose]: () => rollcall.close(),
  }
}

test('requests that the product receives on its own routes are in the request log, with their traces', async () => {
  await using library = await openLibrary()
  const { rollcall, directoryId, send } = library
  await send('post', '', { body: { userName: 'maya', password: 'of-maya' } })
  await send('POST', '', { body: { userName: 'MAYA', password: 'of-maya' } })
  await send('GET', '', { query: { filter: 'userName eq "omar"', count: 1 } })
  assert.equal((await send('GET', '', {}, 'wrong')).status, 401)
  await rollcall.directories.update({ id: directoryId, ...{ deactivated: true } })
  assert.equal((await send('GET', 'some/id')).status, 403)
  const { data: requests } = await rollcall.requests.list({ directoryId })
  assert.deepEqual(
    requests?.map(({ method, path, status, subject, address }) => [method, path, status, subject, address]),
    [
      ['GET', '/Users/some%2Fid', 403, null, null],
      ['GET', '/Users?filter=userName%20eq%20%22omar%22&count=1', 200, 'omar', null],
      ['POST', '/Users', 409, 'MAYA', null],
      ['POST', '/Users', 201, 'maya', null],
    ],
  )
  const [, , refused, created] = requests ?? []
  const found = await rollcall.requests.list({ directoryId, status: 'refused', subject: 'may' })
  assert.deepEqual(found, { data: [refused], error: null })
  const { data: trace } = await rollcall.requests.trace({ id: created?.id ?? '' })
  assert.deepEqual(
    trace?.events.map(({ event, request_id: id }) => [event, id]),
    [['user.created', created?.id]],
  )
  const { data: traceOfRefused } = await rollcall.requests.trace({ id: refused?.id ?? '' })
  assert.deepEqual(traceOfRefused?.request?.body, { userName: 'MAYA' })
  assert.equal((await rollcall.requests.trace({ id: 'unknown' })).error?.status, 404)
  const { data: timeline } = await rollcall.users.timeline({ directoryId, id: created?.resource?.id ?? '' })
  assert.deepEqual(timeline?.map((entry) => (entry.kind === 'request' ? `${entry.status}` : entry.kind)).toSorted(), [
    '201',
    '409',
    'change',
    'event',
  ])
  assert.equal((await rollcall.groups.timeline({ directoryId, id: 'unknown' })).error?.status, 404)
  assert.equal((await rollcall.requests.list({ directoryId, status: 'bad' })).error?.status, 400)
})

test('with a retention of 0 days nothing is recorded', async () => {
  await using library = await openLibrary(0)
  await library.send('POST', '', { body: { userName: 'maya' } })
  assert.deepEqual(await library.rollcall.requests.list({ directoryId: library.directoryId }), {
    data: [],
    error: null,
  })
})
