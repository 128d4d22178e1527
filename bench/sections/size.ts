import { withoutHolds } from '../engines/engine.ts'
import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import type { Timing } from '../load/drive.ts'
import { joinTimings } from '../load/drive.ts'
import { medianSample } from '../load/sample.ts'
import type { Contender, Measured } from '../load/turns.ts'
import { driveMeasured, measureInTurns, timesAsMuch } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atLeast, atMost, inNumber, timesOf } from '../report/row.ts'
import type { Seeded } from '../seed/plan.ts'
import { seededId, seedPrefix } from '../seed/plan.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { apiAuthorization, apiPath } from '../workload/api.ts'
import type { ScimCalls } from '../workload/scim-calls.ts'
import { idOf, scimCalls } from '../workload/scim-calls.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const connections = 8
const pageSize = 100
const smallUsers = 10
const wholeGroup = 3_300

/** A directory of one size, with its own server. */
interface Sized {
  readonly size: 'small' | 'large'
  readonly server: Server
  readonly directory: Seeded
  /** The number of the seeded directory. */
  readonly index: number
}

/**
 * Calls in a directory of 10 users with a group of 10, and in one of 100,000 users with a group of 50,000. Pages are
 * compared with those of a directory of 100 users, because a page of 10 sends less.
 */
export async function measureSize({ engine, scale, large, seed, say }: Bench): Promise<Row[]> {
  const { env, directories } = await seed([
    { users: smallUsers, members: smallUsers, memberStep: 1 },
    { users: pageSize, members: pageSize / 2, memberStep: 2 },
    { users: wholeGroup, members: wholeGroup, memberStep: 1 },
  ])
  const big = await large()
  await using smallServer = await startServerProcess('./service.ts', { ...env, ...withoutHolds })
  await using largeServer = await startServerProcess('./service.ts', { ...big.env, ...withoutHolds })
  const [ten, hundred, whole] = directories
  if (ten === undefined || hundred === undefined || whole === undefined)
    throw new Error('the small directories were not seeded')
  say('calls in a small and in a large directory')
  const inTen: Sized = { size: 'small', server: smallServer, directory: ten, index: 0 }
  const inHundred: Sized = { ...inTen, directory: hundred, index: 1 }
  const inLarge: Sized = { size: 'large', server: largeServer, directory: big.directory, index: 0 }
  const contenders = [
    ...alternate(resourceContenders(inTen, 1), resourceContenders(inLarge, 2)),
    ...alternate(pageContenders(inHundred), pageContenders(inLarge)),
  ]
  const measured = await measureInTurns(contenders, { ...scale.turns, connections })
  const groups = [wholeGroupContender({ ...inTen, directory: whole, index: 2 })]
  const ofGroup = await measureInTurns(groups, { ...scale.turns, ...scale.reads, connections: 1 })
  return [...rowsOf(engine.name, measured), wholeGroupRow(engine.name, ofGroup)]
}

function alternate(a: readonly Contender[], b: readonly Contender[]): Contender[] {
  return a.flatMap((one, index) => [one, ...b.slice(index, index + 1)])
}

function resourceContenders(sized: Sized, memberStep: number): Contender[] {
  const { server, directory, index, size } = sized
  const scim = scimCalls(directory)
  const calling = (name: string, makeCall: () => Call): Contender => ({
    server,
    turn: async (all, requests) => ({
      [`${name}/${size}`]: await driveMeasured(server, all, times(requests, makeCall)),
    }),
  })
  const numberOf = cycle(directory.users)
  let titles = 0
  return [
    calling('lookup by userName', () => scim.lookUpUser(seedPrefix, numberOf())),
    calling('get by id', () => scim.getUser(seededId(index, numberOf()))),
    calling('user by tenant and product, API', () => apiUser(index, numberOf())),
    calling('user PATCH', () => scim.patchUser(seededId(index, numberOf()), `Engineer ${titles++}`)),
    createContender(sized, scim),
    memberContender(sized, scim, memberStep),
  ]
}

/** Cycles through 1 to `most`, in an order that avoids neighbours. */
function cycle(most: number): () => number {
  let turn = 0
  return () => ((turn++ * 7_919) % most) + 1
}

/** Creates users and deletes them again, so that the directory keeps its size. */
function createContender({ server, size }: Sized, scim: ScimCalls): Contender {
  let users = 0
  return {
    server,
    maxRequests: 500,
    async turn(all, requests) {
      const ids: string[] = []
      const calls = times(requests, () => scim.createUser('new', users++))
      const created = await driveMeasured(server, all, calls, {
        onAnswer: (_, answer) => void ids.push(idOf(answer)),
      })
      const deleted = await driveMeasured(server, all, ids.map(scim.deleteUser))
      return { [`user create/${size}`]: created, [`user delete/${size}`]: deleted }
    },
  }
}

/** Removes ten members of the group, then adds them again: as many at a time as the small group has. */
function memberContender({ server, directory, index, size }: Sized, scim: ScimCalls, memberStep: number): Contender {
  const numberOf = cycle(directory.users / memberStep)
  return {
    server,
    async turn(all, requests) {
      const [removals, additions]: [Timing[], Timing[]] = [[], []]
      for (let done = 0; done < requests; done += smallUsers) {
        const ids = times(smallUsers, () => seededId(index, numberOf() * memberStep))
        removals.push(
          await driveMeasured(
            server,
            all,
            ids.map((id) => scim.removeMember(directory.groupId, id)),
          ),
        )
        additions.push(
          await driveMeasured(
            server,
            all,
            ids.map((id) => scim.addMember(directory.groupId, id)),
          ),
        )
      }
      return { [`member remove/${size}`]: joinTimings(removals), [`member add/${size}`]: joinTimings(additions) }
    },
  }
}

function pageContenders({ server, directory, index, size }: Sized): Contender[] {
  const scim = scimCalls(directory)
  const lastOffset = directory.users - pageSize
  const apiPage = (offset: number) =>
    makeCall({
      method: 'GET',
      path: `${apiPath}/users?directoryId=${directory.id}&pageOffset=${offset}&pageLimit=${pageSize}`,
      ...{ authorization: apiAuthorization, status: 200 },
      includes: `"id":"${seededId(index, offset + pageSize)}"`,
    })
  const pages: Readonly<Record<string, Call>> = {
    'first page, SCIM': scim.listUsers(1, seededId(index, pageSize)),
    'last page, SCIM': scim.listUsers(lastOffset + 1, seededId(index, directory.users)),
    'first page, API': apiPage(0),
    'last page, API': apiPage(lastOffset),
    'members page, API': makeCall({
      method: 'GET',
      path: `${apiPath}/groups/${directory.groupId}/members?directoryId=${directory.id}&pageOffset=0&pageLimit=${pageSize / 2}`,
      ...{ authorization: apiAuthorization, status: 200, includes: '"user_id"' },
    }),
  }
  return Object.entries(pages).map(([name, call]) => ({
    server,
    maxRequests: 250,
    turn: async (all, requests) => ({
      [`${name}/${size}`]: await driveMeasured(
        server,
        all,
        times(requests, () => call),
      ),
    }),
  }))
}

function apiUser(index: number, number: number): Call {
  const id = seededId(index, number)
  return makeCall({
    method: 'GET',
    path: `${apiPath}/users/${id}?tenant=bench-${index}&product=bench`,
    ...{ authorization: apiAuthorization, status: 200, includes: `"id":"${id}"` },
  })
}

const wholeGroupName = `group with ${wholeGroup.toLocaleString('en')} members`

function wholeGroupContender({ server, directory, index }: Sized): Contender {
  const call = makeCall({
    method: 'GET',
    path: `${directory.path}/Groups/${directory.groupId}`,
    ...{ authorization: `Bearer ${directory.secret}`, status: 200, includes: seededId(index, wholeGroup) },
  })
  return {
    server,
    turn: async (all, requests) => ({
      [wholeGroupName]: await driveMeasured(
        server,
        all,
        times(requests, () => call),
      ),
    }),
  }
}

function wholeGroupRow(engine: Row['engine'], measured: Measured): Row {
  const { p50Ms } = medianSample(measured.get(wholeGroupName) ?? [])
  const membersPerSecond = (wholeGroup / p50Ms) * 1000
  const verdict = atLeast(budget.membersPerSecond, membersPerSecond, (value) => `${inNumber(value)} members/s`)
  return { engine, what: `${wholeGroupName}, within one response`, verdict }
}

function rowsOf(engine: Row['engine'], measured: Measured): Row[] {
  const names = [...measured.keys()].filter((name) => name.endsWith('/large')).map((name) => name.slice(0, -6))
  return names.map((name) => {
    const { workMs } = medianSample(measured.get(`${name}/large`) ?? [])
    const ratio = timesAsMuch(measured, 'workMs', `${name}/large`, `${name}/small`)
    const verdict = atMost(budget.largeOfSmall, ratio, timesOf('small'))
    return { engine, what: `${name}, large directory`, connections, workMs, verdict }
  })
}
