import { setTimeout as pause } from 'node:timers/promises'
import type { Call } from '../load/call.ts'
import { makeCall, problemWith } from '../load/call.ts'
import type { Connection } from '../load/connection.ts'
import { withConnections } from '../load/connection.ts'
import { sampleOf } from '../load/sample.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMb, inMs } from '../report/row.ts'
import type { Seeded } from '../seed/plan.ts'
import { seededId } from '../seed/plan.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { patchBody } from '../workload/user-body.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const pauseMs = 2

/** What one tenant sends that could slow down the others. */
interface Load {
  readonly what: string
  readonly calls: readonly Call[]
}

/**
 * How long other tenants wait while one tenant sends requests that are as expensive as the limits allow: the creates of
 * another tenant and `/healthz`, each sent every few milliseconds on a connection of its own.
 */
export async function measureNeighbours({ engine, scale, seed, say }: Bench): Promise<Row[]> {
  const { env, directories } = await seed([
    { users: scale.largeUsers, members: scale.largeUsers / 2, memberStep: 2 },
    { users: 10, members: 0, memberStep: 1 },
  ])
  const [noisy, quiet] = directories
  if (noisy === undefined || quiet === undefined) throw new Error('the directories were not seeded')
  await using service = await startServerProcess('./service.ts', env)
  const rows: Row[] = []
  for (const load of loadsOf(noisy)) {
    say(`other tenants during ${load.what}`)
    rows.push(...(await measureLoad(engine.name, service, quiet, load)))
  }
  const { maxRssBytes } = await service.usage()
  const verdict = atMost(budget.residentMb, maxRssBytes / 1e6, inMb)
  return [...rows, { engine: engine.name, what: 'memory at most, neighbours', verdict }]
}

function loadsOf(directory: Seeded): Load[] {
  const { path, secret, groupId, users } = directory
  const authorization = `Bearer ${secret}`
  const memberIds = times(users / 2, (n) => seededId(0, 2 * (n + 1)))
  const patchGroup = (operation: object) =>
    makeCall({
      ...{ method: 'PATCH', path: `${path}/Groups/${groupId}`, authorization },
      ...{ body: patchBody(operation), status: 204 },
    } as const)
  const members = memberIds.map((value) => ({ value }))
  const post = (below: string, body: unknown, status: number) =>
    makeCall({ method: 'POST', path: path + below, authorization, body, status })
  const filter = encodeURIComponent('externalId eq "large"')
  const largePage = makeCall({
    ...{ method: 'GET', path: `${path}/Users?count=1000&filter=${filter}`, authorization, status: 200 },
    includes: `"totalResults":${largeUsers},`,
  })
  return [
    { what: 'expensive searches', calls: searches.map((search) => post('/Users/.search', search, 200)) },
    {
      what: 'the removal of half of the members, one by one',
      calls: [patchGroup({ op: 'remove', path: 'members', value: members.slice(0, members.length / 2) })],
    },
    { what: 'the removal of all members', calls: [patchGroup({ op: 'remove', path: 'members' })] },
    { what: 'the addition of all members', calls: [patchGroup({ op: 'add', path: 'members', value: members })] },
    {
      what: 'the replacement of all members',
      calls: [patchGroup({ op: 'replace', path: 'members', value: members.slice(1) })],
    },
    { what: 'searches with deep filters', calls: deepFilters.map((filter) => post('/Users/.search', { filter }, 200)) },
    { what: 'a body of 5 MB of tiny elements', calls: [post('/Users', hostileUser(), 413)] },
    { what: 'a body of 5 MB of one string', calls: [post('/Users', longUser(), 413)] },
    { what: 'a body of 5 MB of escape sequences', calls: [post('/Users', escapedUser(), 413)] },
    { what: 'bodies with as many values as allowed', calls: fullBodies.map((body) => post('/Users', body, 400)) },
    { what: 'a PATCH that is as expensive as allowed', calls: [post('/Bulk', expensivePatch(), 200)] },
    { what: 'a bulk request that changes a large user', calls: [post('/Bulk', bulkOfChanges(1_000), 200)] },
    { what: 'a bulk request that creates a group of large users', calls: [post('/Bulk', bulkOfLarge(), 200)] },
    { what: 'pages of large users', calls: [largePage, largePage] },
    { what: 'a bulk request of 1,000 operations', calls: [post('/Bulk', bulkOf(1_000), 200)] },
    {
      what: 'the deletion of a large group',
      calls: [makeCall({ method: 'DELETE', path: `${path}/Groups/${groupId}`, authorization, status: 204 })],
    },
  ]
}

/** Nearly the largest number of conditions that a filter may have; all of them must be evaluated. */
const expensiveFilter = times(225, (n) => `not(name.givenName co "${n}x")`).join(' and ')

const searches = [
  { filter: `${expensiveFilter} and nickName pr`, count: 1 },
  { filter: `${expensiveFilter} and nickName pr`, sortBy: 'name.givenName', startIndex: 50_000, count: 1 },
  { sortBy: 'name.familyName', sortOrder: 'descending', count: 1 },
]

/** A condition in as many levels as a filter may have, each with conditions of its own. */
const deepFilters = ['nickName pr', 'title pr'].map((innermost) =>
  times(24, (n) => n).reduce(
    (inner, n) => `not(userName co "${n}x" or (name.givenName co "${n}y" or ${inner}))`,
    innermost,
  ),
)

/** A user with as many list elements as fit into the largest body, and an escape sequence. */
function hostileUser(): object {
  return { userName: 'hostile\u0000', emails: times(900_000, () => 0) }
}

/** A user with the longest string that fits into a body. */
function longUser(): object {
  return { userName: 'hostile', nickName: 'x'.repeat(5_240_000) }
}

/** A user that consists of escape sequences in strings that are as long as allowed, with a name that resembles `__proto__`. */
function escapedUser(): object {
  const attributes = ['nickName', 'title', 'locale', 'timezone', 'userType', 'preferredLanguage']
  const values = Object.fromEntries(attributes.map((name) => [name, '\u0000'.repeat(131_072)]))
  return { userName: 'hostile', '"__proto__': 0, ...values }
}

/** Users with nearly as many values as a body may have. */
const fullBodies = [
  { userName: 'hostile', emails: times(130_000, (n) => ({ value: n })) },
  { userName: 'hostile', badges: times(87_000, (n) => ({ [`a${n % 99}`]: n, [`b${n % 97}`]: n })) },
  { userName: 'hostile', badges: times(130_000, (n) => `${n}`) },
]

/** A user of many values, and a PATCH whose conditions are evaluated for all of them. */
function expensivePatch(): object {
  const emails = times(1_000, (n) => ({ value: `expensive-${n}@example.com`, type: 'work' }))
  const removals = times(65, (n) => ({ op: 'remove', path: `emails[value co "${n}x"]` }))
  const data = { userName: 'expensive', emails }
  return bulkRequest([
    { method: 'POST', path: '/Users', bulkId: 'expensive', data },
    { method: 'PATCH', path: '/Users/bulkId:expensive', data: { Operations: removals } },
  ])
}

/** Small operations, each of which stores a large user and an event again. */
function bulkOfChanges(operations: number): object {
  const data = { userName: 'large', nickName: 'x'.repeat(250_000) }
  const change = (n: number) => ({ Operations: [{ op: 'replace', path: 'active', value: n % 2 === 1 }] })
  return bulkRequest([
    { method: 'POST', path: '/Users', bulkId: 'large', data },
    ...times(operations - 1, (n) => ({ method: 'PATCH', path: '/Users/bulkId:large', data: change(n) })),
  ])
}

const largeUsers = 20

/** As many users as fit into the largest body, nearly as large as allowed, and a group of them. */
function bulkOfLarge(): object {
  const nickName = 'x'.repeat(250_000)
  const data = (n: number) => ({ userName: `large-${n}`, externalId: 'large', nickName })
  const members = times(largeUsers, (n) => ({ value: `bulkId:${n}` }))
  return bulkRequest([
    ...times(largeUsers, (n) => ({ method: 'POST', path: '/Users', bulkId: `${n}`, data: data(n) })),
    { method: 'POST', path: '/Groups', bulkId: 'group', data: { displayName: 'large', members } },
  ])
}

function bulkOf(operations: number): object {
  return bulkRequest(
    times(operations, (n) => ({
      ...{ method: 'POST', path: '/Users', bulkId: `user-${n}` },
      data: { userName: `bulk-${n}@example.com` },
    })),
  )
}

function bulkRequest(operations: readonly object[]): object {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations }
}

async function measureLoad(engine: Row['engine'], service: Server, quiet: Seeded, load: Load): Promise<Row[]> {
  const { createUser } = scimCalls(quiet)
  const healthz = makeCall({ method: 'GET', path: '/healthz', status: 200 })
  let users = 0
  return withConnections(service.port, 2 + load.calls.length, async ([first, second, ...others]) => {
    if (first === undefined || second === undefined) throw new Error('there are no connections')
    const running = Promise.all(load.calls.map((call, index) => makeOne(others[index] ?? first, call)))
    let isOver = false
    const isRunning = () => !isOver
    const [creates, checks] = await Promise.all([
      repeat(first, () => createUser(`${load.what.replaceAll(/\W/g, '')}`, users++), isRunning),
      repeat(second, () => healthz, isRunning),
      running.finally(() => {
        isOver = true
      }),
    ])
    const [createSample, checkSample] = [sampleOf(creates), sampleOf(checks)]
    return [
      {
        ...{ engine, connections: 1, what: `user create of others during ${load.what}`, sample: createSample },
        verdict: atMost(budget.neighbourP99Ms, createSample.p99Ms, inMs),
      },
      { engine, what: 'at most', verdict: atMost(budget.neighbourMaxMs, Math.max(...creates.latencies), inMs) },
      {
        ...{ engine, connections: 1, what: '/healthz at the same time, at most', sample: checkSample },
        verdict: atMost(budget.healthzMaxMs, Math.max(...checks.latencies), inMs),
      },
    ]
  })
}

/** Repeats a call with a short pause in between, at least once. */
async function repeat(connection: Connection, nextCall: () => Call, isRunning: () => boolean) {
  const latencies: number[] = []
  const startedAt = performance.now()
  do {
    latencies.push(await makeOne(connection, nextCall()))
    await pause(pauseMs)
  } while (isRunning())
  return { seconds: (performance.now() - startedAt) / 1000, latencies: Float64Array.from(latencies) }
}

/** Makes a call and returns how long it took, in milliseconds. @throws Error for an unexpected response */
function makeOne(connection: Connection, call: Call): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const sentAt = performance.now()
  connection.send(call.bytes, (answer) => {
    const problem = problemWith(call, answer)
    if (problem === undefined) resolve(performance.now() - sentAt)
    else reject(problem)
  })
  return promise
}
