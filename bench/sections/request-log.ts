import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import { withConnections } from '../load/connection.ts'
import { medianSample } from '../load/sample.ts'
import type { Contender } from '../load/turns.ts'
import { driveMeasured, measureInTurns, timesAsMuch } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, timesOf } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { apiAuthorization, apiPath, createDirectory } from '../workload/api.ts'
import type { ScimDirectory } from '../workload/scim-calls.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { createAll, itemAt, times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const off = { SCIM_REQUEST_LOG_TTL: '0' }
const [createConnections, getConnections] = [64, 8]

/** Creates and gets of a service that keeps a request log, and of one that keeps none. */
export async function measureRequestLog({ engine, scale, say }: Bench): Promise<Row[]> {
  await using withLog = await startServerProcess('./service.ts', await engine.newDatabase())
  await using withoutLog = await startServerProcess('./service.ts', { ...(await engine.newDatabase()), ...off })
  const rows: Row[] = []
  for (const [what, connections, make] of [
    ['create', createConnections, creates],
    ['get', getConnections, gets],
  ] as const) {
    say(`${what} with the request log on and off`)
    const [first, second] = [await make(withLog, 'on', scale.pool), await make(withoutLog, 'off', scale.pool)]
    const measured = await measureInTurns([first, second], { ...scale.turns, connections })
    const { workMs } = medianSample(measured.get('on') ?? [])
    const most = what === 'create' ? budget.requestLogOnOfOff : undefined
    const verdict = atMost(most, timesAsMuch(measured, 'workMs', 'on', 'off'), timesOf('off'))
    rows.push({ engine: engine.name, what: `user ${what}, request log on`, connections, workMs, verdict })
  }
  return rows
}

async function creates(server: Server, name: string): Promise<Contender> {
  const directory = await createDirectory(server.port)
  const scim = scimCalls(directory)
  let users = 0
  return contender(server, name, directory, () => scim.createUser('new', users++))
}

async function gets(server: Server, name: string, pool: number): Promise<Contender> {
  const directory = await createDirectory(server.port)
  const scim = scimCalls(directory)
  const ids = await withConnections(server.port, createConnections, (connections) =>
    createAll(
      connections,
      times(pool, (number) => scim.createUser('pool', number)),
    ),
  )
  return contender(server, name, directory, (index) => scim.getUser(itemAt(ids, index % ids.length)))
}

/** The last call of a turn writes what is buffered, so that a turn has the whole work of its own requests. */
function contender(
  server: Server,
  name: string,
  { id }: ScimDirectory,
  makeScimCall: (index: number) => Call,
): Contender {
  const path = `${apiPath}/${id}/requests?pageLimit=1`
  const writeLog = makeCall({ method: 'GET', path, authorization: apiAuthorization, status: 200 })
  return {
    server,
    turn: async (connections, requests) => {
      const calls = [...times(requests, makeScimCall), writeLog]
      return { [name]: await driveMeasured(server, connections, calls) }
    },
  }
}
