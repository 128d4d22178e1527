import { withoutHolds } from '../engines/engine.ts'
import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import { withConnections } from '../load/connection.ts'
import { medianSample } from '../load/sample.ts'
import type { Contender, Measured } from '../load/turns.ts'
import { driveMeasured, measureInTurns, timesAsMuch } from '../load/turns.ts'
import type { Peer } from '../peers/peer.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMb, timesOf } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { apiAuthorization, apiPath, createDirectory } from '../workload/api.ts'
import type { ScimCalls, ScimDirectory } from '../workload/scim-calls.ts'
import { idOf, scimCalls } from '../workload/scim-calls.ts'
import { userBody, userNameOf } from '../workload/user-body.ts'
import { createAll, createGroups, itemAt, times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const levels = [1, 8, 64]

const kinds = [
  ...['user create', 'user PATCH', 'user PUT', 'user delete', 'member add', 'member remove'],
  ...['lookup by userName', 'get by id', 'page of 100 users, API'],
] as const
type Kind = (typeof kinds)[number]

/** The calls whose work has a budget in comparison with an earlier version. */
const changes: ReadonlySet<Kind> = new Set(kinds.filter((kind) => !/lookup|get/.test(kind)))

const [poolPrefix, memberPrefix] = ['pool', 'member']
const groups = 10
const pageSize = 100

/** A server, by its name in the report, with its contenders. */
interface Side {
  readonly name: string
  readonly contenders: Readonly<Partial<Record<Kind, Contender>>>
  /** The most work of the service for a call, as a multiple of this server's. */
  readonly most: (kind: Kind, connections: number) => number | undefined
}

const service = 'the service'

/** The work of each call at 1, 8 and 64 connections, compared with the bare engine and with peers. */
export async function measureWork({ engine, scale, peers, say }: Bench): Promise<Row[]> {
  await using servers = new AsyncDisposableStack()
  const own = servers.use(
    await startServerProcess('./service.ts', { ...(await engine.newDatabase()), ...withoutHolds }),
  )
  const bare = servers.use(await startServerProcess('../bare/main.ts', await engine.newDatabase()))
  const present = peers.filter(({ engines }) => engines.includes(engine.name))
  say(`creating ${2 * scale.pool} users on each of ${2 + present.length} servers`)
  const sides: Side[] = [
    { name: service, contenders: await contendersOf(own, service, scale.pool), most: () => undefined },
    { name: 'bare', contenders: await bareContenders(bare, scale.pool), most: (_, level) => budget.workOfBare(level) },
  ]
  for (const peer of present) {
    const env = { ...(await engine.newDatabase()), ...withoutHolds, ...peer.env }
    const server = servers.use(await startServerProcess(peer.module, env, peer.nodeOptions))
    sides.push({
      ...{ name: peer.name, contenders: await contendersOf(server, peer.name, scale.pool, peer) },
      most: (kind, level) => mostOf(peer, kind, level),
    })
  }
  const contenders = kinds.flatMap((kind) => sides.flatMap((side) => side.contenders[kind] ?? []))
  const rows: Row[] = []
  for (const [index, connections] of levels.entries()) {
    say(`work at ${connections} connections`)
    const warmUp = index === 0 ? scale.turns.warmUp : 0
    const measured = await measureInTurns(contenders, { ...scale.turns, connections, warmUp })
    rows.push(...kinds.flatMap((kind) => rowsOf(engine.name, kind, connections, sides, measured)))
  }
  const { maxRssBytes } = await own.usage()
  const resident = atMost(budget.residentMb, maxRssBytes / 1e6, inMb)
  return [...rows, { engine: engine.name, what: 'memory at most, all calls', verdict: resident }]
}

function mostOf({ kind: peerKind }: Peer, kind: Kind, connections: number): number | undefined {
  if (peerKind === 'Polis') return budget.workOfPolis(kind === 'user PATCH', connections)
  return changes.has(kind) ? budget.workOfEarlier : undefined
}

const nameOf = (kind: Kind, side: string): string => `${kind}/${side}`

/** The work of the service, in the first of the rows that compare it with others. */
function rowsOf(
  engine: Row['engine'],
  what: Kind,
  connections: number,
  sides: readonly Side[],
  measured: Measured,
): Row[] {
  const { workMs } = medianSample(measured.get(nameOf(what, service)) ?? [])
  const others = sides.filter(({ name }) => name !== service && measured.has(nameOf(what, name)))
  if (others.length === 0) return [{ engine, what, connections, workMs }]
  return others.map(({ name, most }, index): Row => {
    const ratio = timesAsMuch(measured, 'workMs', nameOf(what, service), nameOf(what, name))
    const verdict = atMost(most(what, connections), ratio, timesOf(name))
    return { engine, what, connections, verdict, ...(index === 0 ? { workMs } : {}) }
  })
}

function createPool(server: Server, create: (number: number) => Call, count: number): Promise<string[]> {
  return withConnections(server.port, 8, (connections) => createAll(connections, times(count, create)))
}

/**
 * The contenders of a server that the service's calls are made to. Those that create users or add members also undo it, so that a
 * directory keeps its size. Members are users of their own: the responses of reads do not grow.
 */
async function contendersOf(
  server: Server,
  name: string,
  pool: number,
  { authorization = apiAuthorization, statuses = {} }: Partial<Peer> = {},
): Promise<Side['contenders']> {
  const directory = { ...(await createDirectory(server.port, { authorization })), statuses }
  const scim = scimCalls(directory)
  const ids = await createPool(server, (number) => scim.createUser(poolPrefix, number), pool)
  const memberIds = await createPool(server, (number) => scim.createUser(memberPrefix, number), pool)
  const groupIds = await withConnections(server.port, 1, (connections) => createGroups(connections, scim, groups))
  const spread = spreadOver(pool)
  let titles = 0
  return {
    'user create': usersContender(server, name, scim),
    'user PATCH': contender(server, name, 'user PATCH', (n) => scim.patchUser(itemAt(ids, n), `Engineer ${titles++}`)),
    'user PUT': contender(server, name, 'user PUT', (n) =>
      scim.putUser(itemAt(ids, n), poolPrefix, n % pool, `Engineer ${titles++}`),
    ),
    'member add': membersContender(server, name, scim, memberIds, groupIds),
    'lookup by userName': contender(server, name, 'lookup by userName', (n) => scim.lookUpUser(poolPrefix, spread(n))),
    'get by id': contender(server, name, 'get by id', (n) => scim.getUser(itemAt(ids, spread(n)))),
    'page of 100 users, API': {
      ...contender(server, name, 'page of 100 users, API', (n) => page(directory, authorization, n, pool)),
      maxRequests: 250,
    },
  }
}

/** A contender for calls of one kind. */
function contender(server: Server, side: string, kind: Kind, call: (n: number) => Call): Contender {
  return {
    server,
    turn: async (all, requests) => ({ [nameOf(kind, side)]: await driveMeasured(server, all, times(requests, call)) }),
  }
}

function usersContender(server: Server, side: string, scim: ScimCalls): Contender {
  let users = 0
  return {
    server,
    async turn(all, requests) {
      const ids: string[] = []
      const calls = times(requests, () => scim.createUser('new', users++))
      const onAnswer = (index: number, answer: Parameters<typeof idOf>[0]) => {
        ids[index] = idOf(answer)
      }
      const created = await driveMeasured(server, all, calls, { onAnswer })
      const deleted = await driveMeasured(server, all, ids.map(scim.deleteUser))
      return { [nameOf('user create', side)]: created, [nameOf('user delete', side)]: deleted }
    },
  }
}

function membersContender(
  server: Server,
  side: string,
  scim: ScimCalls,
  ids: readonly string[],
  groupIds: readonly string[],
): Contender {
  return {
    server,
    maxRequests: ids.length,
    async turn(all, requests) {
      const callsTo = (make: (groupId: string, userId: string) => Call) =>
        times(requests, (n) => make(itemAt(groupIds, n), itemAt(ids, n)))
      const added = await driveMeasured(server, all, callsTo(scim.addMember))
      const removed = await driveMeasured(server, all, callsTo(scim.removeMember))
      return { [nameOf('member add', side)]: added, [nameOf('member remove', side)]: removed }
    },
  }
}

function page({ id }: ScimDirectory, authorization: string, n: number, pool: number): Call {
  const offset = (n * pageSize) % pool
  const path = `${apiPath}/users?directoryId=${id}&pageOffset=${offset}&pageLimit=${pageSize}`
  return makeCall({ method: 'GET', path, authorization, status: 200, includes: '"first_name"' })
}

/** The equivalents of some calls, without a directory. */
async function bareContenders(bare: Server, pool: number): Promise<Side['contenders']> {
  const create = (prefix: string, number: number) =>
    makeCall({ method: 'POST', path: '/Users', body: userBody(prefix, number), status: 201 })
  const ids = await createPool(bare, (number) => create(poolPrefix, number), 2 * pool)
  const read = (path: string, includes: string) => makeCall({ method: 'GET', path, status: 200, includes })
  const spread = spreadOver(pool)
  let [users, titles] = [0, 0]
  const calls: Partial<Record<Kind, (n: number) => Call>> = {
    'user create': () => create('new', users++),
    'user PATCH': (n) => {
      const path = `/Users/${itemAt(ids, n)}`
      return makeCall({ method: 'PATCH', path, body: { title: `${titles++}` }, status: 200 })
    },
    'lookup by userName': (n) => {
      const userName = userNameOf(poolPrefix, spread(n))
      return read(`/Users?userName=${encodeURIComponent(userName)}`, userName)
    },
    'get by id': (n) => {
      const id = itemAt(ids, spread(n))
      return read(`/Users/${id}`, id)
    },
  }
  const contenders: Partial<Record<Kind, Contender>> = {}
  for (const kind of kinds) {
    const call = calls[kind]
    if (call !== undefined) contenders[kind] = contender(bare, 'bare', kind, call)
  }
  return contenders
}

/** Visits 0 to `count` - 1 in an order that avoids neighbours. */
function spreadOver(count: number): (index: number) => number {
  return (index) => (index * 7_919) % count
}
