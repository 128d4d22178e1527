import { setTimeout as pause } from 'node:timers/promises'
import type { Call } from '../load/call.ts'
import { medianSample } from '../load/sample.ts'
import type { Contender, Measured } from '../load/turns.ts'
import { driveMeasured, measureInTurns, timesAsMuch } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, timesOf } from '../report/row.ts'
import type { Seeded } from '../seed/plan.ts'
import { seededId } from '../seed/plan.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { mappingRunState, putMapping } from '../workload/api.ts'
import { idOf, scimCalls } from '../workload/scim-calls.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const connections = 8
const kinds = { create: 'user create', patch: 'user PATCH', member: 'adding one member' } as const
type Kind = keyof typeof kinds

/** Twenty rules: half of them by groups, one of which is the large one, and half by filters. */
const mapping = {
  attributes: {
    department: { from: ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department'] },
    domain: { from: ['userName'], transform: ['lower', { after: '@' }] },
  },
  roles: {
    default: ['member'],
    rules: times(20, (n) => ({
      role: `role-${n}`,
      when: n % 2 === 0 ? { group_name: n === 0 ? 'Everyone' : `Group ${n}` } : { filter: `title eq "Title ${n}"` },
    })),
  },
}

/** Creates, PATCHes and new members of a large group in a directory with a mapping of 20 rules, and in one without. */
export async function measureMapping({ engine, scale, seed, say }: Bench): Promise<Row[]> {
  const plan = { users: scale.largeUsers, members: scale.largeUsers / 2, memberStep: 2 }
  say(`seeding two directories of ${plan.users} users`)
  const { env, directories } = await seed([plan, plan])
  await using server = await startServerProcess('./service.ts', env)
  const [mapped, plain] = directories
  if (mapped === undefined || plain === undefined) throw new Error('the directories were not seeded')
  say('the run of a new mapping')
  await putMapping(server.port, mapped, mapping)
  while ((await mappingRunState(server.port, mapped)) === 'running') await pause(100)
  say('calls with a mapping and without')
  const contenders = (Object.keys(kinds) as Kind[]).flatMap((kind) => [
    contender(server, { directory: mapped, index: 0 }, kind, 'mapped'),
    contender(server, { directory: plain, index: 1 }, kind, 'plain'),
  ])
  const measured = await measureInTurns(contenders, { ...scale.turns, connections })
  return (Object.keys(kinds) as Kind[]).map((kind) => rowOf(engine.name, kind, measured))
}

interface Target {
  readonly directory: Seeded
  /** The number of the seeded directory. */
  readonly index: number
}

function contender(server: Server, { directory, index }: Target, kind: Kind, name: 'mapped' | 'plain'): Contender {
  const scim = scimCalls(directory)
  let number = 0
  const idOfNext = (step: number) => seededId(index, ((number++ * 7_919) % (directory.users / step)) * step + 1)
  const calls: Readonly<Record<Kind, () => Call>> = {
    create: () => scim.createUser('new', number++),
    patch: () => scim.patchUser(idOfNext(1), `Title ${number}`),
    // Every second user, from the second on, is a member.
    member: () => scim.addMember(directory.groupId, idOfNext(2)),
  }
  return {
    server,
    maxRequests: kind === 'member' ? directory.users / 8 : 500,
    async turn(all, requests) {
      const made = times(requests, calls[kind])
      const added = made.map((_, n) =>
        seededId(index, (((number - requests + n) * 7_919) % (directory.users / 2)) * 2 + 1),
      )
      const ids: string[] = []
      const timing = await driveMeasured(server, all, made, {
        onAnswer: (_, answer) => void (kind === 'create' && ids.push(idOf(answer))),
      })
      // The directory and its group keep their sizes.
      if (kind === 'create') await driveMeasured(server, all, ids.map(scim.deleteUser))
      if (kind === 'member') {
        await driveMeasured(
          server,
          all,
          added.map((id) => scim.removeMember(directory.groupId, id)),
        )
      }
      return { [`${kind}/${name}`]: timing }
    },
  }
}

function rowOf(engine: Row['engine'], kind: Kind, measured: Measured): Row {
  const { workMs } = medianSample(measured.get(`${kind}/mapped`) ?? [])
  const ratio = timesAsMuch(measured, 'workMs', `${kind}/mapped`, `${kind}/plain`)
  const most = kind === 'member' ? budget.memberWithMapping : budget.changeWithMapping
  const verdict = atMost(most, ratio, timesOf('unmapped'))
  return { engine, connections, what: `${kinds[kind]}, mapping of 20 rules`, workMs, verdict }
}
