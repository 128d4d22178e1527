import { withConnections } from '../load/connection.ts'
import { measureDelays } from '../load/delay.ts'
import { drive } from '../load/drive.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMs } from '../report/row.ts'
import { startServerProcess } from '../servers/server.ts'
import { createDirectory } from '../workload/api.ts'
import { receiverControl } from '../workload/receiver.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { inTurn, itemAt, times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const healthyDirectories = 3
const eventsPerHanging = 3

/** The delay of events of one tenant while the endpoints of all directories of another never respond. */
export async function measureHanging({ engine, scale, say }: Bench): Promise<Row[]> {
  await using service = await startServerProcess('./service.ts', await engine.newDatabase())
  await using receiverProcess = await startServerProcess('./receiver.ts', {})
  const receiver = receiverControl(receiverProcess)
  say(`events beside ${scale.hangingDirectories} directories whose endpoints hang`)
  const create = (tenant: string, webhookUrl: string) => createDirectory(service.port, { tenant, webhookUrl })
  const hanging = (await inTurn(scale.hangingDirectories, () => create('hanging', receiver.hangingUrl))).map(scimCalls)
  const healthy = (await inTurn(healthyDirectories, () => create('healthy', receiver.fastUrl))).map(scimCalls)
  const queued = times(eventsPerHanging * hanging.length, (n) => itemAt(hanging, n).createUser('hanging', n))
  await withConnections(service.port, 32, (connections) => drive(connections, queued))
  const calls = times(scale.delays, (n) => itemAt(healthy, n).createUser('healthy', n))
  const timing = await withConnections(service.port, 1, async ([connection]) => {
    if (connection === undefined) throw new Error('there is no connection')
    return measureDelays(connection, calls, receiver)
  })
  const what = 'event of another tenant while the endpoints of all directories of one hang, at most'
  const verdict = atMost(budget.besideHangingMs, Math.max(...timing.latencies), inMs)
  return [{ engine: engine.name, what, verdict }]
}
