import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import { withConnections } from '../load/connection.ts'
import { median, medianSample } from '../load/sample.ts'
import type { Contender, Rounds } from '../load/turns.ts'
import { driveMeasured, measureInTurns } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atLeast, atMost, inMb, ofBare } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { createDirectory } from '../workload/api.ts'
import type { ScimCalls } from '../workload/scim-calls.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { userBody, userNameOf } from '../workload/user-body.ts'
import { createAll, createGroups, itemAt, times } from '../workload/users.ts'
import type { Bench, Connections } from './section.ts'

const levels = [1, 8, 64]

/** The service's calls, each with the equivalent of the bare server. */
const pairs = {
  'user create': 'bare insert',
  'user PATCH, one attribute': 'bare read and update',
  'user PUT': 'bare read and update',
  'member add, one group': 'bare insert',
  'member add, 100 groups': 'bare insert',
  'lookup by userName': 'bare read by userName',
  'get by id': 'bare read by id',
} as const
type Pairs = typeof pairs
type Measured = keyof Pairs | Pairs[keyof Pairs] | 'bare empty route'

/** Every call with 1, 8 and 64 connections, compared with the bare engine, and the memory used. */
export async function measureRates({ engine, scale, say }: Bench): Promise<Row[]> {
  await using service = await startServerProcess('./service.ts', await engine.newDatabase())
  await using bare = await startServerProcess('../bare/main.ts', await engine.newDatabase())
  const directory = await createDirectory(service.port)
  const scim = scimCalls(directory)
  const contenders = [
    ...serviceContenders(service, scim, await createPool(service, scim.createUser, poolPrefix, scale.pool)),
    ...memberContenders(service, scim, await createPool(service, scim.createUser, 'member', scale.pool)),
    ...bareContenders(bare, await createPool(bare, bareInsert, poolPrefix, 2 * scale.pool)),
  ]
  const inOrder = orderOfTurns.map((name) =>
    itemAt(
      contenders.filter((one) => one.name === name),
      0,
    ),
  )
  const rows: Row[] = []
  for (const connections of levels) {
    say(`calls at ${connections} connections`)
    const rounds = await measureInTurns(inOrder, { ...scale, connections })
    rows.push(...rowsOf(engine.name, connections, rounds))
  }
  const { maxRssBytes } = await service.usage()
  const resident = atMost(budget.residentMb, maxRssBytes / 1e6, inMb)
  return [...rows, { engine: engine.name, what: 'memory at most, all calls', verdict: resident }]
}

/** The order of the contenders, in which compared ones are adjacent. */
const orderOfTurns: readonly Measured[] = [
  ...(['member add, one group', 'user create', 'bare insert', 'member add, 100 groups'] as const),
  ...(['user PATCH, one attribute', 'bare read and update', 'user PUT'] as const),
  ...(['lookup by userName', 'bare read by userName', 'get by id', 'bare read by id', 'bare empty route'] as const),
]

const poolPrefix = 'pool'

function createPool(
  server: Server,
  create: (prefix: string, number: number) => Call,
  prefix: string,
  count: number,
): Promise<string[]> {
  return withConnections(server.port, 64, (connections) =>
    createAll(
      connections,
      times(count, (number) => create(prefix, number)),
    ),
  )
}

interface NamedContender extends Contender {
  readonly name: Measured
}

/** A contender for calls of one kind. */
function contender(
  server: Server,
  name: Measured,
  makeCalls: (count: number, connections: Connections) => Promise<Call[]> | Call[],
  maxCount?: number,
): NamedContender {
  return {
    name,
    server,
    ...(maxCount === undefined ? {} : { maxCount }),
    async slot(connections, count) {
      const calls = await makeCalls(count, connections)
      return { [name]: await driveMeasured(server, connections, calls) }
    },
  }
}

function serviceContenders(service: Server, scim: ScimCalls, ids: readonly string[]): NamedContender[] {
  let users = 0
  let titles = 0
  const spread = spreadOver(ids.length)
  return [
    contender(service, 'user create', (count) => times(count, () => scim.createUser('new', users++))),
    contender(service, 'user PATCH, one attribute', (count) =>
      times(count, (index) => scim.patchUser(itemAt(ids, index), `Engineer ${titles++}`)),
    ),
    contender(service, 'user PUT', (count) =>
      times(count, (index) => scim.putUser(itemAt(ids, index), poolPrefix, index % ids.length, `Engineer ${titles++}`)),
    ),
    contender(service, 'lookup by userName', (count) => times(count, (i) => scim.lookUpUser(poolPrefix, spread(i)))),
    contender(service, 'get by id', (count) => times(count, (i) => scim.getUser(itemAt(ids, spread(i))))),
  ]
}

/** Members are separate users. The users that are read are in no group, so that responses do not grow. */
function memberContenders(service: Server, scim: ScimCalls, ids: readonly string[]): NamedContender[] {
  const addMembers = (groupCount: number) => async (count: number, connections: Connections) => {
    const groupIds = await createGroups(connections, scim, groupCount)
    return times(count, (index) => scim.addMember(itemAt(groupIds, index), itemAt(ids, index)))
  }
  return [
    contender(service, 'member add, one group', addMembers(1), ids.length),
    contender(service, 'member add, 100 groups', addMembers(100), ids.length),
  ]
}

function bareContenders(bare: Server, ids: readonly string[]): NamedContender[] {
  let users = 0
  let titles = 0
  const spread = spreadOver(ids.length)
  const read = (path: string, includes: string) => makeCall({ method: 'GET', path, status: 200, includes })
  return [
    contender(bare, 'bare insert', (count) => times(count, () => bareInsert('new', users++))),
    contender(bare, 'bare read and update', (count) =>
      times(count, (index) =>
        makeCall({
          method: 'PATCH',
          path: `/Users/${itemAt(ids, index)}`,
          body: { title: `${titles++}` },
          status: 200,
        }),
      ),
    ),
    contender(bare, 'bare read by userName', (count) =>
      times(count, (i) => {
        const userName = userNameOf(poolPrefix, spread(i))
        return read(`/Users?userName=${encodeURIComponent(userName)}`, userName)
      }),
    ),
    contender(bare, 'bare read by id', (count) =>
      times(count, (i) => {
        const id = itemAt(ids, spread(i))
        return read(`/Users/${id}`, id)
      }),
    ),
    contender(bare, 'bare empty route', (count) => times(count, () => read('/empty', 'xxx'))),
  ]
}

function bareInsert(prefix: string, number: number): Call {
  return makeCall({ method: 'POST', path: '/Users', body: userBody(prefix, number), status: 201 })
}

/** Visits 0 to `count` - 1 in an order that avoids neighbours. */
function spreadOver(count: number): (index: number) => number {
  return (index) => (index * 7_919) % count
}

function rowsOf(engine: Row['engine'], connections: number, rounds: Rounds): Row[] {
  const rows: Row[] = []
  for (const [name, samples] of rounds) {
    const sample = medianSample(samples)
    const bareName: string | undefined = name in pairs ? pairs[name as keyof Pairs] : undefined
    const verdict = bareName === undefined ? undefined : compared(engine, name, connections, rounds, bareName)
    rows.push({ engine, what: name, connections, sample, verdict })
  }
  return rows
}

/** The median over the rounds of the ratio within each. */
function compared(engine: Row['engine'], name: string, connections: number, rounds: Rounds, bareName: string) {
  const bare = rounds.get(bareName) ?? []
  const ratios = (rounds.get(name) ?? []).map(({ rate }, index) => rate / (bare[index]?.rate ?? Number.NaN))
  return atLeast(leastOfBare(engine, name, connections), median(ratios), ofBare)
}

function leastOfBare(engine: Row['engine'], name: string, connections: number): number | undefined {
  if (name === 'user create') return budget.createOfBare(engine, connections)
  if (name === 'user PUT' || name === 'user PATCH, one attribute') return budget.changeOfBare(connections)
  return name === 'lookup by userName' || name === 'get by id' ? budget.readOfBare : undefined
}
