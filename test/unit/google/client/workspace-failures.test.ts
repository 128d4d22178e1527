import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GoogleFailure } from '../../../../src/google/client/failure.ts'
import type { Workspace } from '../../../../src/google/client/workspace.ts'
import type { Scripted } from './support/scripted-google.ts'
import { apiError, cutOff, cutShort, scriptedGoogle, silent } from './support/scripted-google.ts'
import { workspaceAt } from './support/workspace-at.ts'

const page = { body: { kind: 'admin#directory#users', users: [{ id: '1', primaryEmail: 'nora@example.com' }] } }
const missing = apiError(404, 'notFound', 'Resource Not Found: userKey')
const html = (status: number) => ({ status, body: '<!DOCTYPE html><title>Error</title>' })

const passing: { name: string; failure: Scripted }[] = [
  { name: 'a limit of requests', failure: apiError(403, 'userRateLimitExceeded') },
  { name: 'too many requests', failure: apiError(403, 'quotaExceeded') },
  { name: '429', failure: apiError(429, 'rateLimitExceeded') },
  { name: '500', failure: apiError(500, 'backendError') },
  { name: '502 in HTML', failure: html(502) },
  { name: '503', failure: apiError(503, 'backendError') },
  { name: '404 in HTML', failure: html(404) },
  { name: '200 in HTML', failure: html(200) },
  { name: 'half of the JSON', failure: { body: '{"kind":"admin#directory#users","users":[{' } },
  { name: 'an answer that is cut', failure: cutShort },
  { name: 'a connection that is cut', failure: cutOff },
  { name: 'an item without an id', failure: { body: { ...page.body, users: [{ primaryEmail: 'nora@example.com' }] } } },
  { name: 'a user without an address', failure: { body: { ...page.body, users: [{ id: '1' }] } } },
  { name: 'an empty object', failure: { body: {} } },
  { name: 'a redirect', failure: { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' } },
]

for (const { name, failure } of passing) {
  test(`a temporary ${name} is retried`, async () => {
    await using google = await scriptedGoogle([failure, failure, page])
    const { workspace, counted } = workspaceAt(google.url)
    assert.equal((await workspace.listUsers()).items.length, 1)
    assert.equal(counted.requests, 3)
  })

  test(`a persistent ${name} is reported as unavailable after seven tries`, async () => {
    await using google = await scriptedGoogle([failure])
    const { workspace, counted } = workspaceAt(google.url)
    await assert.rejects(workspace.listUsers(), { name: 'GoogleFailure', kind: 'unavailable' })
    assert.deepEqual([counted.requests, google.arrived.length], [7, 7])
  })
}

for (const { name, failure, kind } of [
  { name: 'missing rights', failure: apiError(403, 'forbidden'), kind: 'forbidden' },
  { name: 'a grant that is too small', failure: apiError(403, 'insufficientPermissions'), kind: 'needs-authorization' },
  { name: 'the end of the day’s quota', failure: apiError(403, 'dailyLimitExceeded'), kind: 'unavailable' },
  { name: 'an API that is not enabled', failure: apiError(403, 'accessNotConfigured'), kind: 'configuration' },
  { name: 'a bad request', failure: apiError(400, 'badRequest'), kind: 'refused' },
]) {
  test(`${name} is not asked about again: ${kind}`, async () => {
    await using google = await scriptedGoogle([failure])
    await assert.rejects(workspaceAt(google.url).workspace.listUsers(), { name: 'GoogleFailure', kind })
    assert.equal(google.arrived.length, 1)
  })
}

test('a page token that Google no longer accepts is stale', async () => {
  await using google = await scriptedGoogle([apiError(400, 'invalid', 'Invalid Input: pageToken')])
  await assert.rejects(workspaceAt(google.url).workspace.listUsers('old'), { kind: 'stale-page' })
})

test('a page that names itself as the next one is a failure', async () => {
  await using google = await scriptedGoogle([{ body: { ...page.body, nextPageToken: 'same' } }])
  await assert.rejects(workspaceAt(google.url).workspace.listUsers('same'), { kind: 'unavailable' })
})

test('a request fails after its timeout', async () => {
  await using google = await scriptedGoogle([silent])
  const { workspace, slept } = workspaceAt(google.url, { requestTimeoutMs: 20 })
  await assert.rejects(workspace.listUsers(), { kind: 'unavailable' })
  assert.equal(slept.length, 6, 'it is retried six times')
})

test('a refused connection is reported with its reason', async () => {
  const google = await scriptedGoogle([page])
  await google[Symbol.asyncDispose]()
  await assert.rejects(workspaceAt(google.url).workspace.listUsers(), {
    kind: 'unavailable',
    message: 'Google did not respond (ECONNREFUSED) when reading the users.',
  })
})

test('waits for the time in Retry-After', async () => {
  await using google = await scriptedGoogle([
    { ...apiError(503, 'backendError'), headers: { 'retry-after': '17' } },
    page,
  ])
  const { workspace, slept } = workspaceAt(google.url)
  await workspace.listUsers()
  assert.equal(slept[0], 17_000)
})

for (const { name, read } of [
  { name: 'user', read: (workspace) => workspace.getUser('1') },
  { name: 'group', read: (workspace) => workspace.getGroup('g1') },
] satisfies { name: string; read: (workspace: Workspace) => Promise<unknown> }[]) {
  test(`a ${name} that does not exist is undefined`, async () => {
    await using google = await scriptedGoogle([missing])
    assert.equal(await read(workspaceAt(google.url).workspace), undefined)
  })

  test(`a 404 that is not from Google does not mean that a ${name} does not exist`, async () => {
    await using google = await scriptedGoogle([html(404)])
    await assert.rejects(read(workspaceAt(google.url).workspace), { kind: 'unavailable' })
  })

  test(`a ${name} with another id is rejected`, async () => {
    await using google = await scriptedGoogle([{ body: { id: 'other', primaryEmail: 'a@example.com' } }])
    await assert.rejects(read(workspaceAt(google.url).workspace), { kind: 'unavailable' })
  })

  test(`a forbidden ${name} is a failure, not a missing one`, async () => {
    await using google = await scriptedGoogle([apiError(403, 'forbidden')])
    await assert.rejects(read(workspaceAt(google.url).workspace), { kind: 'forbidden' })
  })
}

for (const { failure, name } of [
  { name: '400', failure: apiError(400, 'invalid') },
  { name: '403', failure: apiError(403, 'forbidden') },
  { name: '404', failure: missing },
]) {
  test(`a membership is unknown if Google responds with ${name}`, async () => {
    await using google = await scriptedGoogle([failure])
    assert.equal(await workspaceAt(google.url).workspace.hasMember('g1', '1'), 'unknown')
  })
}

test('reading a membership fails while Google is unavailable', async () => {
  await using google = await scriptedGoogle([apiError(503, 'backendError')])
  await assert.rejects(workspaceAt(google.url).workspace.hasMember('g1', '1'), { kind: 'unavailable' })
})

test('reading the members of a missing group fails as not-found', async () => {
  await using google = await scriptedGoogle([missing])
  await assert.rejects(workspaceAt(google.url).workspace.listMembers('g1'), { kind: 'not-found' })
})

test('a rejected token is renewed once, and the request repeated immediately', async () => {
  await using google = await scriptedGoogle([apiError(401, 'authError'), page])
  const { workspace, slept } = workspaceAt(google.url)
  await workspace.listUsers()
  assert.deepEqual(
    google.arrived.map(({ headers }) => headers.authorization),
    ['Bearer first-token', 'Bearer second-token'],
  )
  assert.deepEqual(slept, [])
})

test('a renewed token that is rejected again needs an administrator', async () => {
  await using google = await scriptedGoogle([apiError(401, 'authError')])
  await assert.rejects(workspaceAt(google.url).workspace.listUsers(), { kind: 'needs-authorization' })
  assert.equal(google.arrived.length, 2)
})

test('a 401 that is not from Google does not require authorization', async () => {
  await using google = await scriptedGoogle([html(401)])
  await assert.rejects(workspaceAt(google.url).workspace.listUsers(), { kind: 'unavailable' })
})

test('a failed token request is not repeated', async () => {
  await using google = await scriptedGoogle([page])
  let asked = 0
  const token = async () => {
    asked += 1
    throw new GoogleFailure('needs-authorization', 'no grant')
  }
  const { workspace } = workspaceAt(google.url, { tokens: { token, renewed: token } })
  await assert.rejects(workspace.listUsers(), { message: 'no grant' })
  assert.deepEqual([asked, google.arrived.length], [1, 0])
})

test('an invalid token is not shown in the error', async () => {
  await using google = await scriptedGoogle([page])
  const token = async () => 'secret\nX-Injected: 1'
  const { workspace } = workspaceAt(google.url, { tokens: { token, renewed: token } })
  await assert.rejects(workspace.listUsers(), (error: Error) => {
    return error instanceof GoogleFailure && !error.message.includes('secret') && error.cause === undefined
  })
})

test('the signal aborts a request in progress with its reason', async () => {
  const stop = new AbortController()
  await using google = await scriptedGoogle([() => stop.abort(new Error('the service stops'))])
  const { workspace } = workspaceAt(google.url, { signal: stop.signal })
  await assert.rejects(workspace.listUsers(), { message: 'the service stops' })
  assert.equal(google.arrived.length, 1)
})
