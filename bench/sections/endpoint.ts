import { median, medianSample } from '../load/sample.ts'
import type { Contender, Rounds } from '../load/turns.ts'
import { driveMeasured, measureInTurns } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, timesFast } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { createDirectory, deactivateDirectory } from '../workload/api.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const connections = 8
const kinds = ['no', 'fast', 'slow', 'failing'] as const
type Kind = (typeof kinds)[number]

/** The effect of the product's endpoint on the identity provider: user creates during deliveries of every kind. */
export async function measureEndpoint({ engine, scale, say }: Bench): Promise<Row[]> {
  await using service = await startServerProcess('./service.ts', await engine.newDatabase())
  await using endpoint = await startServerProcess('./endpoint.ts', {})
  say('user creates with a fast, a slow and a failing endpoint')
  const contenders = kinds.map((kind) => endpointContender(service, endpoint, kind))
  return rowsOf(engine.name, await measureInTurns(contenders, { ...scale, connections }))
}

/** Creates users in a new directory, whose deliveries end with the slot. */
function endpointContender(service: Server, endpoint: Server, kind: Kind): Contender {
  const url = kind === 'no' ? undefined : `http://127.0.0.1:${endpoint.port}/${kind}`
  return {
    server: service,
    async slot(all, count) {
      const directory = await createDirectory(service.port, { webhookUrl: url })
      const { createUser } = scimCalls(directory)
      const calls = times(count, (number) => createUser('new', number))
      const timing = await driveMeasured(service, all, calls)
      await deactivateDirectory(service.port, directory)
      return { [kind]: timing }
    },
  }
}

function rowsOf(engine: Row['engine'], rounds: Rounds): Row[] {
  const of = (kind: Kind) => rounds.get(kind) ?? []
  const fast = of('fast')
  return kinds.flatMap((kind) => {
    const samples = of(kind)
    const what = `user create, ${kind} endpoint`
    const row: Row = { engine, what, connections, sample: medianSample(samples) }
    if (kind !== 'slow' && kind !== 'failing') return [row]
    const perRequest = median(samples.map(({ rate }, index) => (fast[index]?.rate ?? Number.NaN) / rate))
    const p50 = median(samples.map(({ p50Ms }, index) => p50Ms / (fast[index]?.p50Ms ?? Number.NaN)))
    return [
      { ...row, verdict: atMost(budget.slowOfFastEndpoint, perRequest, timesFast) },
      { engine, what: `${what}: p50`, connections, verdict: atMost(budget.slowOfFastEndpoint, p50, timesFast) },
    ]
  })
}
