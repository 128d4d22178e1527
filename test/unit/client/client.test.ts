import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientOptions } from '../../../src/client/index.ts'
import { createClient, RollcallError } from '../../../src/client/index.ts'
import { someWebhookEvent } from '../webhooks/events.ts'

type Respond = (request: Request) => Response | Promise<Response>

/** A client whose requests are answered one after the other; the last response is repeated. */
function clientOf(responses: readonly Respond[], options: Partial<ClientOptions> = {}) {
  const requests: Request[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    requests.push(request)
    const respond = responses[Math.min(requests.length, responses.length) - 1]
    if (respond === undefined) throw new TypeError('fetch failed')
    return respond(request)
  }
  const client = createClient({ baseUrl: 'https://rollcall.example/base/', apiKey: 'key', fetch, ...options })
  return { client, requests, urls: () => requests.map(({ url }) => url.replace(/.*directory-sync/, '')) }
}

const ok = (body: unknown) => () => Response.json(body)
const lost = () => Promise.reject(new TypeError('fetch failed'))
const unavailable = () => new Response('', { status: 503, headers: { 'retry-after': '0' } })
const event = (sequence: number) => someWebhookEvent({ event: 'user.created', sequence })
const eventStream = { headers: { 'content-type': 'text/event-stream' } }
const stream =
  (...sequences: readonly number[]) =>
  () =>
    new Response(
      `retry: 1\n\n${sequences.map((one) => `id: c${one}\ndata: ${JSON.stringify(event(one))}\n\n`).join('')}`,
      eventStream,
    )
const user = { id: 'u', first_name: '', last_name: '', email: '', active: true, raw: {} }
const scope = { tenant: 'acme', product: 'crm' }

test('a call sends the key and returns the body', async () => {
  const { client, requests } = clientOf([ok({ data: user, error: null })])
  const { data } = await client.GET('/users/{id}', { params: { path: { id: 'a/b' }, query: scope } })
  assert.equal(data.email, '')
  const [request] = requests
  assert.equal(request?.url, 'https://rollcall.example/base/api/v1/directory-sync/users/a%2Fb?tenant=acme&product=crm')
  assert.equal(request?.headers.get('authorization'), 'Api-Key key')
})

test('a call sends its body as JSON', async () => {
  const { client, requests } = clientOf([ok({ data: {}, error: null })])
  await client.POST('/', { body: { tenant: 'acme', product: 'crm' } })
  assert.equal(requests[0]?.method, 'POST')
  assert.deepEqual(await requests[0]?.json(), { tenant: 'acme', product: 'crm' })
})

test('a refusal is thrown with its status, message, fields and request id', async () => {
  const problems = [{ field: 'tenant', message: 'tenant: text.' }]
  const error = { message: 'tenant: text.', code: 400, reason: 'invalid-input', request_id: 'r-1', problems }
  const { client } = clientOf([() => Response.json({ data: null, error }, { status: 400 })])
  await assert.rejects(client.GET('/', { params: { query: {} } }), (thrown) => {
    assert(thrown instanceof RollcallError)
    assert.deepEqual([thrown.status, thrown.message, thrown.requestId], [400, 'tenant: text.', 'r-1'])
    assert.equal(thrown.code, 'invalid-input')
    assert.deepEqual(thrown.problems, problems)
    return true
  })
})

test('a response that is not from the service is thrown with its status', async () => {
  const { client } = clientOf([() => new Response('<html>', { status: 502, headers: { 'retry-after': '7' } })])
  await assert.rejects(client.GET('/providers'), {
    ...{ status: 502, code: 'unexpected-response', retryAfterSeconds: 7, requestId: undefined },
  })
})

test('a mapping is replaced with PUT', async () => {
  const { client, requests } = clientOf([ok({ data: {}, error: null })])
  const mapping = { mapping: {} }
  await client.PUT('/{id}/mapping', { params: { path: { id: 'd' } }, body: mapping })
  assert.deepEqual([requests[0]?.method, await requests[0]?.json()], ['PUT', mapping])
})

const html = { headers: { 'content-type': 'text/html; charset=utf-8' } }
/** Responses with success that are not of the service, and what the error shows of each. */
const foreign: Record<string, { readonly respond: Respond; readonly shows: RegExp; readonly status?: number }> = {
  'a login page': {
    respond: () => new Response('<!doctype html>\n<title>Sign in</title>', html),
    shows: /: 200, text\/html; charset=utf-8: “<!doctype html> <title>Sign in<\/title>”$/,
  },
  'a login page after a redirect': {
    respond: () =>
      Object.defineProperties(new Response('<html>', html), {
        redirected: { value: true },
        url: { value: 'https://login.example/sign-in?state=secret' },
      }),
    shows: /: 200, text\/html; charset=utf-8, after a redirect to https:\/\/login\.example: “<html>”$/,
  },
  'a long page': {
    respond: () => new Response('x'.repeat(5_000), { headers: { 'content-type': 'text/plain' } }),
    shows: /: 200, text\/plain: “x{100}…”$/,
  },
  'other JSON': { respond: ok({ status: 'ok' }), shows: /: 200, application\/json: “{"status":"ok"}”$/ },
  null: { respond: ok(null), shows: /“null”$/ },
  'a list': { respond: ok([]), shows: /“\[\]”$/ },
  'JSON that was cut': {
    respond: () => new Response('{"data":[{"id"', { headers: { 'content-type': 'application/json' } }),
    shows: /application\/json: “{"data":\[{"id"”$/,
  },
  'nothing, with 204': {
    respond: () => new Response(null, { status: 204 }),
    shows: /: 204, no content type: an empty body$/,
    status: 204,
  },
}

for (const [what, { respond, shows, status = 200 }] of Object.entries(foreign)) {
  const expected = { name: 'RollcallError', code: 'unexpected-response', status, message: shows }

  test(`calls and lists that get ${what} throw an error that shows it`, async () => {
    const { client } = clientOf([respond])
    await assert.rejects(client.GET('/providers'), expected)
    await assert.rejects(client.POST('/', { body: { tenant: 'acme', product: 'crm' } }), expected)
    await assert.rejects(client.DELETE('/{id}', { params: { path: { id: 'd' } } }), expected)
    await assert.rejects(Array.fromAsync(client.users(scope)), expected)
    await assert.rejects(Array.fromAsync(client.groups(scope)), expected)
    await assert.rejects(Array.fromAsync(client.members({ groupId: 'g', ...scope })), expected)
  })

  for (const options of [{}, { pollIntervalMs: 1 }, { follow: false }]) {
    test(`events with ${JSON.stringify(options)} that get ${what} end with the error after five attempts`, async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const { client, requests } = clientOf([respond])
      const retried: unknown[] = []
      const onRetry = (error: unknown) => {
        retried.push(error)
        setImmediate(() => t.mock.timers.tick(60_000))
      }
      await assert.rejects(Array.fromAsync(client.events({ ...scope, ...options, onRetry })), expected)
      assert.deepEqual([requests.length, retried.length], [5, 4])
    })
  }
}

for (const { what, data } of [
  { what: 'an object', data: {} },
  { what: 'texts', data: ['a'] },
]) {
  test(`a list whose data is ${what} throws an error`, async () => {
    const { client } = clientOf([ok({ data, error: null })])
    await assert.rejects(Array.fromAsync(client.users(scope)), { code: 'unexpected-response', status: 200 })
  })
}

test('events continue after a proxy has responded in between', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const page = () => new Response('<html>', html)
  const { client } = clientOf([page, page, page, page, stream(1), page, page, stream(2)])
  const onRetry = () => setImmediate(() => t.mock.timers.tick(60_000))
  const got: number[] = []
  for await (const { sequence } of client.events({ ...scope, onRetry })) {
    got.push(sequence)
    if (sequence === 2) break
  }
  assert.deepEqual(got, [1, 2])
})

for (const { what, options, message } of [
  {
    what: 'nothing',
    options: undefined,
    message: /^createClient needs baseUrl, the address of the service, such as http/,
  },
  { what: 'no baseUrl', options: { apiKey: 'key' }, message: /^createClient needs baseUrl/ },
  { what: 'another name', options: { baseURL: 'https://a.example', apiKey: 'key' }, message: /did you mean baseUrl\?/ },
  { what: 'no URL', options: { baseUrl: 'rollcall.example', apiKey: 'key' }, message: /needs baseUrl.* not "rollcall/ },
  { what: 'no apiKey', options: { baseUrl: 'https://a.example' }, message: /^createClient needs apiKey, a key of the/ },
  { what: 'an empty apiKey', options: { baseUrl: 'https://a.example', apiKey: '' }, message: /needs apiKey/ },
]) {
  test(`createClient names the missing option when it gets ${what}`, () =>
    assert.throws(() => createClient(options as never), { name: 'TypeError', message }))
}

test('a list is read page by page, and only as far as it is needed', async () => {
  const page = (pageToken?: string) => ok({ data: [user, user], error: null, ...(pageToken && { pageToken }) })
  const { client, urls } = clientOf([page('t1'), page('t2'), page()])
  assert.equal((await Array.fromAsync(client.users(scope, { pageSize: 2 }))).length, 6)
  const paging = (token?: string) => `/users?tenant=acme&product=crm&pageLimit=2${token ? `&pageToken=${token}` : ''}`
  assert.deepEqual(urls(), [paging(), paging('t1'), paging('t2')])
  const second = clientOf([page('t1')])
  for await (const _ of second.client.groups({ directoryId: 'd' })) break
  assert.deepEqual(second.urls(), ['/groups?directoryId=d&pageLimit=200'])
})

test('a stream is followed over lost connections, from the last event on', async () => {
  const { client, urls } = clientOf([stream(1, 2), lost, unavailable, stream(3)])
  const retried: unknown[] = []
  const reader = client.events({ ...scope, after: 'c0', onRetry: (error) => retried.push(error) })
  const got: unknown[] = []
  for await (const { sequence } of reader) {
    got.push([sequence, reader.cursor])
    if (sequence === 3) break
  }
  assert.deepEqual(got, [
    [1, 'c1'],
    [2, 'c2'],
    [3, 'c3'],
  ])
  const feed = (after: string) => `/feed?tenant=acme&product=crm&after=${after}`
  assert.deepEqual(urls(), [feed('c0'), feed('c2'), feed('c2'), feed('c2')])
  assert.equal(retried.length, 3)
})

test('pages are read until the end, with a position after every event of one directory', async () => {
  const page = (next: string, ...sequences: number[]) => ok({ data: sequences.map(event), next, error: null })
  const { client, urls } = clientOf([page('p1', 1, 2), page('p2', 3), page('p2')])
  const reader = client.events({ directoryId: 'd', after: 0, follow: false })
  const got: unknown[] = []
  for await (const { sequence } of reader) got.push([sequence, reader.cursor])
  assert.deepEqual(got, [
    [1, '1:event-1'],
    [2, 'p1'],
    [3, 'p2'],
  ])
  assert.deepEqual(
    urls(),
    ['0', 'p1', 'p2'].map((after) => `/feed?directoryId=d&after=${after}`),
  )
})

test('a page that breaks off is requested again', async () => {
  const brokenOff = () =>
    new Response(
      new ReadableStream({
        start(body) {
          body.enqueue(new TextEncoder().encode('{"data":['))
          body.error(new TypeError('terminated'))
        },
      }),
    )
  const whole = ok({ data: [event(1)], next: 'p1', error: null })
  const { client, urls } = clientOf([unavailable, brokenOff, whole, ok({ data: [], next: 'p1', error: null })])
  const events = await Array.fromAsync(client.events({ ...scope, follow: false }))
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    [1],
  )
  const feed = '/feed?tenant=acme&product=crm'
  assert.deepEqual(urls(), [feed, feed, feed, `${feed}&after=p1`])
})

test('the position of a page of several directories moves at its end', async () => {
  const { client } = clientOf([
    ok({ data: [event(1), event(2)], next: 'p1', error: null }),
    ok({ data: [], next: 'p1' }),
  ])
  const reader = client.events({ ...scope, follow: false })
  const got: unknown[] = []
  for await (const _ of reader) got.push(reader.cursor)
  assert.deepEqual(got, [undefined, 'p1'])
})

test('polling continues until it is aborted', async () => {
  const { client, requests } = clientOf([ok({ data: [], next: 'p0', error: null })])
  const ending = new AbortController()
  const reading = Array.fromAsync(client.events({ ...scope, pollIntervalMs: 1, signal: ending.signal }))
  while (requests.length < 3) await new Promise(setImmediate)
  ending.abort()
  assert.deepEqual(await reading, [])
})

test('a refusal ends the reading', async () => {
  const error = { message: 'Send a valid API key.', code: 401, request_id: 'r' }
  const { client } = clientOf([() => Response.json({ data: null, error }, { status: 401 })])
  await assert.rejects(Array.fromAsync(client.events(scope)), { status: 401 })
  await assert.rejects(Array.fromAsync(client.events({ ...scope, follow: false })), { status: 401 })
})

const lostEvents = () => {
  const diverged = { directory_ids: ['d'], next: 'after-loss' }
  const error = { message: 'after: …', code: 409, reason: 'cursor-diverged', request_id: 'r', diverged }
  return Response.json({ data: null, error }, { status: 409 })
}

for (const { what, options, next } of [
  { what: 'a stream', options: {}, next: stream(3) },
  { what: 'pages', options: { pollIntervalMs: 1 }, next: ok({ data: [event(3)], next: 'p', error: null }) },
]) {
  test(`${what}: after a divergence, the reader continues with the resync that onDiverged requests`, async () => {
    const { client, urls } = clientOf([lostEvents, lost, lostEvents, next])
    const reported: unknown[] = []
    const reader = client.events({
      ...{ ...scope, ...options, after: 'c9' },
      async onDiverged(diverged) {
        reported.push(diverged)
      },
    })
    for await (const { sequence } of reader) {
      assert.equal(sequence, 3)
      break
    }
    const feed = (after: string) => `/feed?tenant=acme&product=crm&after=${after}`
    assert.deepEqual(urls(), ['c9', 'after-loss', 'after-loss', 'after-loss'].map(feed))
    const diverged = { directoryIds: ['d'], next: 'after-loss' }
    assert.deepEqual(reported, [diverged, diverged])
  })

  test(`${what}: a divergence is thrown without onDiverged, with the cursor to continue with`, async () => {
    const { client } = clientOf([lostEvents])
    await assert.rejects(Array.fromAsync(client.events({ ...scope, ...options, after: 'c9' })), {
      ...{ status: 409, code: 'cursor-diverged', diverged: { directoryIds: ['d'], next: 'after-loss' } },
    })
  })
}

test('an aborted reader ends, also while it waits for events or for the next attempt', async () => {
  const silent = (request: Request) =>
    new Response(
      new ReadableStream({ start: (it) => request.signal.addEventListener('abort', () => it.error('gone')) }),
      eventStream,
    )
  for (const respond of [silent, lost]) {
    const { client, requests } = clientOf([respond])
    const ending = new AbortController()
    const reading = Array.fromAsync(client.events({ ...scope, signal: ending.signal }))
    while (requests.length === 0) await new Promise(setImmediate)
    ending.abort()
    assert.deepEqual(await reading, [])
  }
})
