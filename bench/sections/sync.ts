import type { LinkedUser } from '../../tools/simulate/dialect.ts'
import { entra } from '../../tools/simulate/dialects/entra.ts'
import type { Person } from '../../tools/simulate/people/person.ts'
import { generatePeople } from '../../tools/simulate/people/person.ts'
import { generateTeams } from '../../tools/simulate/people/team.ts'
import type { ScimRequest } from '../../tools/simulate/scim-call.ts'
import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import { withConnections } from '../load/connection.ts'
import { drive } from '../load/drive.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMb, inSeconds } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { createDirectory } from '../workload/api.ts'
import type { ScimDirectory } from '../workload/scim-calls.ts'
import { idOf } from '../workload/scim-calls.ts'
import { times } from '../workload/users.ts'
import type { Bench, Connections } from './section.ts'

const connections = 64
const membersPerGroup = 100

/** An initial sync like Entra ID's: looks up and creates every user, then the groups, then their members. */
export async function measureSync({ engine, scale: { sync }, say }: Bench): Promise<Row[]> {
  await using service = await startServerProcess('./service.ts', await engine.newDatabase())
  const directory = await createDirectory(service.port)
  const people = generatePeople(sync.users, 1)
  const teams = generateTeams(sync.groups, 1)
  const toCall = callsTo(directory)
  say(`initial sync of ${sync.users} users and ${sync.groups} groups`)
  await warmUp(service)

  const userCalls = people.flatMap((one) => [toCall(entra.lookUpUser(one), 200), toCall(entra.createUser(one), 201)])
  const groupCalls = teams.flatMap((one) => [
    toCall(entra.lookUpGroup(one), 200),
    toCall(entra.createGroup(one, []), 201),
  ])
  return await withConnections(service.port, connections, async (all) => {
    const startedAt = performance.now()
    const users = await lookUpAndCreate(all, userCalls)
    const groups = await lookUpAndCreate(all, groupCalls)
    const members = teams.flatMap((team, index) => {
      const linked = membersOf(people, users, index)
      const group = { id: groups[index] ?? '', team }
      return partsOf(linked, entra.membersPerCall).flatMap((part) =>
        entra.addMembers(group, { members: part, after: part }).map((request) => toCall(request, 204)),
      )
    })
    await drive(all, members)
    const seconds = (performance.now() - startedAt) / 1000
    const { maxRssBytes } = await service.usage()
    const time = atMost(budget.initialSyncSeconds, seconds, inSeconds)
    const resident = atMost(budget.residentMb, maxRssBytes / 1e6, inMb)
    return [
      { engine: engine.name, what: 'initial sync', connections, verdict: time },
      { engine: engine.name, what: 'memory at most, initial sync', verdict: resident },
    ]
  })
}

/** Warms the service up with another directory. */
async function warmUp(service: Server): Promise<void> {
  const toCall = callsTo(await createDirectory(service.port))
  const calls = generatePeople(1_000, 2).flatMap((one) => [
    toCall(entra.lookUpUser(one), 200),
    toCall(entra.createUser(one), 201),
  ])
  await withConnections(service.port, connections, (all) => lookUpAndCreate(all, calls))
}

function callsTo({ path, secret }: ScimDirectory) {
  return (request: ScimRequest, status: number): Call =>
    makeCall({
      ...request,
      method: methodOf(request),
      path: path + request.path,
      authorization: `Bearer ${secret}`,
      status,
    })
}

function methodOf({ method }: ScimRequest): 'GET' | 'POST' | 'PATCH' | 'DELETE' {
  if (method === 'PUT') throw new Error('Entra ID sends no PUT')
  return method
}

/** Makes calls in pairs; returns the ids created by the second of each pair. */
async function lookUpAndCreate(all: Connections, calls: readonly Call[]): Promise<string[]> {
  const ids: string[] = []
  await drive(all, calls, {
    chain: 2,
    onAnswer(index, answer) {
      if (index % 2 === 1) ids[(index - 1) / 2] = idOf(answer)
    },
  })
  return ids
}

/** The members of a group: consecutive users, starting over when there are not enough. */
function membersOf(people: readonly Person[], ids: readonly string[], groupIndex: number): LinkedUser[] {
  return times(Math.min(membersPerGroup, people.length), (offset) => {
    const place = (groupIndex * membersPerGroup + offset) % people.length
    const [person, id] = [people[place], ids[place]]
    if (person === undefined || id === undefined) throw new RangeError(`there is no person ${place}`)
    return { id, person, managerId: undefined }
  })
}

function partsOf<T>(items: readonly T[], size: number): T[][] {
  return times(Math.ceil(items.length / size), (part) => items.slice(part * size, (part + 1) * size))
}
