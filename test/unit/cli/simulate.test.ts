import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialectNames } from '../../../tools/simulate/dialects.ts'
import type { SimulationProgress } from '../../../tools/simulate/phase.ts'
import { simulate } from '../../../tools/simulate/simulate.ts'
import type { FakeService } from './support/fake-service.ts'
import { scimSecret, startFakeService } from './support/fake-service.ts'

function against({ scimUrl }: FakeService) {
  return { scimUrl, secret: scimSecret, users: 20, groups: 3, offboardPercent: 20 }
}

/** Four of 20 users are offboarded; dialects that delete users delete every second one. */
const deleted = { entra: 2, 'entra-flag': 2, onelogin: 2, pingone: 2, generic: 2, okta: 0, 'okta-aiw': 0, jumpcloud: 0 }

for (const dialect of dialectNames) {
  test(`${dialect}: creates, updates, groups and offboards users`, async () => {
    await using service = await startFakeService()
    const summary = await simulate({ ...against(service), dialect })
    assert.deepEqual(summary.errors, [])
    const users = [...service.directory.users.values()]
    assert.equal(users.length, 20 - deleted[dialect])
    assert.equal(users.filter(({ active }) => !active).length, 4 - deleted[dialect])
    const { outcome } = summary
    assert.deepEqual([outcome.usersCreated, outcome.usersUpdated, outcome.usersDeactivated], [20, 7, 4])
    assert.equal(service.directory.groups.size, 3)
    assert.equal(outcome.membersAdded > outcome.membersRemoved && outcome.membersRemoved > 0, true)
  })

  test(`${dialect}: links the existing users of a second run instead of creating them`, async () => {
    await using service = await startFakeService()
    await simulate({ ...against(service), dialect, offboardPercent: 5, users: 12, groups: 7 })
    const { outcome, errors } = await simulate({ ...against(service), dialect, users: 11, groups: 7 })
    assert.deepEqual(errors, [])
    assert.deepEqual([outcome.usersCreated, outcome.usersLinked], [0, 11])
    assert.deepEqual([outcome.groupsCreated, outcome.groupsLinked], [0, 7])
  })
}

for (const { accident, victims } of [
  { accident: 'unassign-all', victims: 20 },
  { accident: 'wrong-group', victims: 13 },
] as const) {
  test(`${accident}: users lose access, and the repair assigns them again`, async () => {
    await using service = await startFakeService()
    const played = { ...against(service), dialect: 'okta', accident } as const
    const isActive = () => [...service.directory.users.values()].filter(({ active }) => active).length
    const { outcome, leavers } = await simulate(played)
    assert.deepEqual([outcome.usersDeactivated, leavers.length, isActive()], [victims, victims, 20 - victims])
    const repaired = await simulate({ ...played, repair: true })
    assert.deepEqual([repaired.outcome.usersDeactivated, isActive()], [0, 20])
  })
}

test('members are added in several calls, and the counts match the directory', async () => {
  await using service = await startFakeService()
  const { outcome, callCount, calls } = await simulate({ ...against(service), dialect: 'okta', offboardPercent: 0 })
  const members = [...service.directory.groups.values()].reduce((sum, group) => sum + group.members.size, 0)
  assert.equal(members, outcome.membersAdded - outcome.membersRemoved)
  assert.equal(calls.find(({ kind }) => kind === 'add members')?.count, 6)
  assert.equal(callCount, service.requests.length)
  for (const { p50Ms, p95Ms, p99Ms, maxMs } of calls) assert.ok(p50Ms <= p95Ms && p95Ms <= p99Ms && p99Ms <= maxMs)
})

test('requests have the headers of the dialect and the secret', async () => {
  await using service = await startFakeService()
  await simulate({ ...against(service), dialect: 'okta', users: 1, groups: 0 })
  const create = service.requests.find(({ method }) => method === 'POST')
  assert.equal(create?.headers.authorization, `Bearer ${scimSecret}`)
  assert.equal(create.headers['user-agent'], 'Okta SCIM Client 1.0.0')
  assert.equal(create.headers['content-type'], 'application/scim+json; charset=utf-8')
  assert.equal(service.requests[0]?.headers['content-type'], undefined)
})

test('the rate is kept at any concurrency', async () => {
  await using service = await startFakeService()
  const rate = { dialect: 'okta', users: 10, groups: 0, ratePerSecond: 100, concurrency: 8 } as const
  const { callCount } = await simulate({ ...against(service), ...rate })
  const times = service.requests.map(({ atMs }) => atMs)
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
  assert.ok(spanMs >= (callCount - 1) * 10 - 20, `${callCount} calls within ${spanMs} ms`)
})

test('with many connections the phases run in order and every user is processed', async () => {
  await using service = await startFakeService()
  const phases: SimulationProgress[] = []
  const onProgress = (progress: SimulationProgress) => phases.push(progress)
  await simulate({ ...against(service), dialect: 'entra', concurrency: 16, onProgress })
  assert.deepEqual(
    [...new Set(phases.map(({ phase }) => phase))],
    ['connect', 'create', 'update', 'groups', 'offboard'],
  )
  for (const { done, total } of phases) assert.ok(done <= total)
  assert.equal(service.directory.users.size, 18)
})

for (const status of [429, 503]) {
  test(`a ${status} is retried after Retry-After and does not count as an error`, async () => {
    await using service = await startFakeService((_, count) =>
      count === 3 ? { status, body: { detail: 'slow down' }, retryAfter: '1' } : undefined,
    )
    const summary = await simulate({ ...against(service), dialect: 'okta', users: 2, groups: 0, concurrency: 1 })
    const [before = 0, after = 0] = service.requests.slice(2, 4).map(({ atMs }) => atMs)
    assert.ok(after - before >= 990)
    assert.deepEqual([summary.throttledCount, summary.errorCount, summary.outcome.usersCreated], [1, 0, 2])
  })
}

test('errors are counted by status with the first detail, and the other users continue', async () => {
  await using service = await startFakeService(({ method, body }) =>
    method === 'POST' && body.includes('example.org') ? { status: 500, body: { detail: 'broken' } } : undefined,
  )
  const summary = await simulate({ ...against(service), dialect: 'okta', groups: 0, users: 15 })
  assert.deepEqual(summary.errors, [{ status: 500, count: 3, firstDetail: 'POST /Users: broken' }])
  assert.deepEqual(summary.phases.find(({ phase }) => phase === 'create')?.failed, 3)
  assert.equal(summary.outcome.usersCreated, 12)
})

test('a wrong secret ends the simulation at the connection test', async () => {
  await using service = await startFakeService()
  const summary = await simulate({ ...against(service), dialect: 'okta', secret: 'wrong' })
  assert.equal(service.requests.length, 1)
  assert.deepEqual(
    summary.errors.map(({ status }) => status),
    [401],
  )
})

test('a service that does not respond is an error without a status', async () => {
  const scimUrl = 'http://127.0.0.1:1/api/scim/v2.0/dir-1'
  const { errors } = await simulate({ dialect: 'okta', scimUrl, secret: 'x', users: 3, groups: 0 })
  assert.deepEqual(
    errors.map(({ status, count }) => ({ status, count })),
    [{ status: undefined, count: 1 }],
  )
})

test('an abort ends the simulation between two calls', async () => {
  await using service = await startFakeService()
  const abort = new AbortController()
  const onProgress = ({ phase, done }: SimulationProgress) => phase === 'create' && done === 5 && abort.abort()
  const { signal } = abort
  const summary = await simulate({ ...against(service), dialect: 'okta', concurrency: 2, onProgress, signal })
  assert.deepEqual([summary.interrupted, summary.errorCount], [true, 0])
  assert.ok(service.directory.users.size >= 5 && service.directory.users.size <= 7)
})
