import { withConnections } from '../load/connection.ts'
import { medianSample } from '../load/sample.ts'
import type { Contender } from '../load/turns.ts'
import { driveMeasured, measureInTurns, timesAsMuch } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, timesOf } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { createDirectory, requestAccessToken } from '../workload/api.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { createAll, itemAt, times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const connections = 8

/** Gets of the same users with the SCIM secret of their directory, and with an access token. */
export async function measureAccessToken({ engine, scale, say }: Bench): Promise<Row[]> {
  await using server = await startServerProcess('./service.ts', await engine.newDatabase())
  say('get with an access token and with the SCIM secret')
  const directory = await createDirectory(server.port)
  const scim = scimCalls(directory)
  const ids = await withConnections(server.port, connections, (all) =>
    createAll(
      all,
      times(scale.pool, (number) => scim.createUser('pool', number)),
    ),
  )
  const token = await requestAccessToken(server.port, directory)
  const withSecret = contender(server, 'secret', scim, ids)
  const withToken = contender(server, 'token', scimCalls({ ...directory, secret: token }), ids)
  const measured = await measureInTurns([withToken, withSecret], { ...scale.turns, connections })
  const { workMs } = medianSample(measured.get('token') ?? [])
  const ratio = timesAsMuch(measured, 'workMs', 'token', 'secret')
  const verdict = atMost(budget.tokenOfSecret, ratio, timesOf('secret'))
  return [{ engine: engine.name, what: 'user get, access token', connections, workMs, verdict }]
}

function contender(
  server: Server,
  name: string,
  scim: ReturnType<typeof scimCalls>,
  ids: readonly string[],
): Contender {
  return {
    server,
    turn: async (all, requests) => {
      const calls = times(requests, (index) => scim.getUser(itemAt(ids, index % ids.length)))
      return { [name]: await driveMeasured(server, all, calls) }
    },
  }
}
