import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiErrorName } from '../../../../tools/fake-google/api/errors.ts'
import { apiErrors } from '../../../../tools/fake-google/api/errors.ts'
import type { TokenErrorName } from '../../../../tools/fake-google/oauth/errors.ts'
import { tokenErrors } from '../../../../tools/fake-google/oauth/errors.ts'
import type { FakeRequest } from '../../../../tools/fake-google/request.ts'
import type { FakeGoogle } from '../../../../tools/fake-google/server.ts'
import { startFakeGoogle } from '../../../../tools/fake-google/server.ts'
import { each, read, refresh, walk } from './support/calls.ts'

const all = 'users?customer=my_customer'

function get(fake: FakeGoogle): Promise<Response> {
  const headers = { authorization: `Bearer ${fake.issueTokens().accessToken}` }
  return fetch(`${fake.apiUrl}/admin/directory/v1/${all}`, { headers })
}

test("every error of the API can be injected and has Google's form", async () => {
  await using fake = await startFakeGoogle()
  for (const [error, row] of Object.entries(apiErrors) as [ApiErrorName, { status: number; reason?: string }][]) {
    fake.onRequest = () => ({ kind: 'error', error })
    const response = await get(fake)
    const text = await response.text()
    assert.equal(response.status, row.status, error)
    if (row.reason === undefined) assert.match(text, /<html>/, error)
    else assert.equal(JSON.parse(text).error.errors[0].reason, row.reason, error)
  }
})

test('every error of the token endpoint can be injected', async () => {
  await using fake = await startFakeGoogle()
  for (const [error, row] of Object.entries(tokenErrors) as [TokenErrorName, { status: number; error?: string }][]) {
    fake.onRequest = () => ({ kind: 'error', error })
    const response = await fetch(fake.tokenUrl, { method: 'POST' })
    const text = await response.text()
    assert.equal(response.status, row.status, error)
    if (row.error === undefined) assert.match(text, /<html>/, error)
    else assert.equal(JSON.parse(text).error, row.error, error)
  }
})

for (const { retryAfter, header } of [
  { retryAfter: 7, header: '7' },
  { retryAfter: new Date(Date.UTC(2026, 0, 1)), header: 'Thu, 01 Jan 2026 00:00:00 GMT' },
]) {
  test(`an error can have the header Retry-After: ${header}`, async () => {
    await using fake = await startFakeGoogle()
    fake.onRequest = () => ({ kind: 'error', error: 'rate-limit', retryAfter })
    assert.equal((await get(fake)).headers.get('retry-after'), header)
  })
}

test('the page of a proxy can be injected', async () => {
  await using fake = await startFakeGoogle()
  fake.onRequest = () => ({ kind: 'html', status: 401 })
  const response = await get(fake)
  assert.equal(response.status, 401)
  assert.match(response.headers.get('content-type') ?? '', /text\/html/)
})

test('truncated JSON can be injected', async () => {
  await using fake = await startFakeGoogle()
  fake.onRequest = () => ({ kind: 'invalid-json' })
  const response = await get(fake)
  assert.equal(response.status, 200)
  await assert.rejects(response.json(), SyntaxError)
})

test('a connection can be closed before the request is processed', async () => {
  await using fake = await startFakeGoogle()
  fake.knobs.rotatesRefreshTokens = true
  const { refreshToken } = fake.issueTokens()
  fake.onRequest = () => ({ kind: 'cut', when: 'before' })
  await assert.rejects(refresh(fake, refreshToken))
  fake.onRequest = () => undefined
  assert.equal((await refresh(fake, refreshToken)).status, 200)
})

test('a connection can be closed in the middle of the response, after processing', async () => {
  await using fake = await startFakeGoogle()
  fake.knobs.rotatesRefreshTokens = true
  const { refreshToken } = fake.issueTokens()
  fake.onRequest = () => ({ kind: 'cut', when: 'in-body' })
  await assert.rejects(refresh(fake, refreshToken))
  fake.onRequest = () => undefined
  assert.equal((await refresh(fake, refreshToken)).status, 400)
})

test('a response can be delayed until the test releases it', async () => {
  await using fake = await startFakeGoogle()
  const { promise, resolve } = Promise.withResolvers<void>()
  fake.onRequest = () => ({ kind: 'slow', until: promise })
  let isAnswered = false
  const answer = get(fake).then((response) => {
    isAnswered = true
    return response.status
  })
  while (fake.requests.of('users.list') === 0) await new Promise(setImmediate)
  assert.equal(isAnswered, false)
  resolve()
  assert.equal(await answer, 200)
})

test('the fake stops although a response is still delayed', async () => {
  const fake = await startFakeGoogle()
  fake.onRequest = () => ({ kind: 'slow', until: new Promise(() => {}) })
  const answer = assert.rejects(get(fake))
  while (fake.requests.total() === 0) await new Promise(setImmediate)
  await fake[Symbol.asyncDispose]()
  await answer
})

test('an empty page with a token can be injected', async () => {
  await using fake = await startFakeGoogle()
  for (const name of ['a', 'b', 'c']) fake.addUser({ primaryEmail: `${name}@example.com` })
  fake.knobs.pageSizeCap = 2
  fake.onRequest = ({ page }) => (page === 2 ? { kind: 'empty-page' } : undefined)
  const pages = await walk(fake, all, 'users', 'primaryEmail')
  assert.deepEqual(pages, [['a@example.com', 'b@example.com'], [], ['c@example.com']])
})

test('an empty list can be injected although there are users', async () => {
  await using fake = await startFakeGoogle()
  fake.addUser({ primaryEmail: 'nora@example.com' })
  fake.onRequest = () => ({ kind: 'empty-list' })
  const page = await read(fake, all)
  assert.deepEqual([each(page, 'users', 'id'), 'nextPageToken' in page], [[], false])
})

test('the hook receives the number, page and group of a request', async () => {
  await using fake = await startFakeGoogle()
  const { id } = fake.addGroup({ email: 'all@example.com' })
  for (const name of ['a', 'b']) fake.addUserToGroup(id, fake.addUser({ primaryEmail: `${name}@example.com` }).id)
  fake.knobs.pageSizeCap = 1
  const requests: Partial<FakeRequest>[] = []
  fake.onRequest = ({ endpoint, number, page, groupKey }) => {
    requests.push({ endpoint, number, page, ...(groupKey !== undefined && { groupKey }) })
    return undefined
  }
  await read(fake, all)
  await walk(fake, `groups/${id}/members?maxResults=200`, 'members')
  assert.deepEqual(requests, [
    { endpoint: 'users.list', number: 1, page: 1 },
    { endpoint: 'members.list', number: 2, page: 1, groupKey: id },
    { endpoint: 'members.list', number: 3, page: 2, groupKey: id },
  ])
  assert.deepEqual([fake.requests.total(), fake.requests.of('members.list')], [3, 2])
})
