import type { Contender } from '../load/turns.ts'
import { driveMeasured, measureInTurns, timesAsMuch } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, timesOf } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { createDirectory, deactivateDirectory } from '../workload/api.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const connections = 8
const kinds = ['fast', 'slow', 'failing'] as const
type Kind = (typeof kinds)[number]

/** The effect of the product's endpoint on the identity provider: user creates during deliveries of every kind. */
export async function measureEndpoint({ engine, scale, say }: Bench): Promise<Row[]> {
  await using service = await startServerProcess('./service.ts', await engine.newDatabase())
  await using endpoint = await startServerProcess('./endpoint.ts', {})
  say('user creates with a fast, a slow and a failing endpoint')
  const contenders = kinds.map((kind) => endpointContender(service, endpoint, kind))
  const measured = await measureInTurns(contenders, { ...scale.turns, connections })
  return (['slow', 'failing'] as const).map((kind): Row => {
    const verdict = atMost(budget.slowOfFastEndpoint, timesAsMuch(measured, 'p50Ms', kind, 'fast'), timesOf('fast'))
    return { engine: engine.name, what: `user create, ${kind} endpoint: p50`, connections, verdict }
  })
}

/** Creates users in a new directory, whose deliveries end with the slot. */
function endpointContender(service: Server, endpoint: Server, kind: Kind): Contender {
  const url = `http://127.0.0.1:${endpoint.port}/${kind}`
  return {
    server: service,
    async turn(all, requests) {
      const directory = await createDirectory(service.port, { webhookUrl: url })
      const { createUser } = scimCalls(directory)
      const calls = times(requests, (number) => createUser('new', number))
      const timing = await driveMeasured(service, all, calls)
      await deactivateDirectory(service.port, directory)
      return { [kind]: timing }
    },
  }
}
