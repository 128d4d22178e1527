import type { Connection } from '../load/connection.ts'
import { withConnections } from '../load/connection.ts'
import type { Timing } from '../load/drive.ts'
import { joinTimings } from '../load/drive.ts'
import type { Sample } from '../load/sample.ts'
import { medianSample, sampleOf } from '../load/sample.ts'
import { driveMeasured } from '../load/turns.ts'
import type { Row } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { createDirectory } from '../workload/api.ts'
import type { ScimCalls } from '../workload/scim-calls.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { inTurn, itemAt, times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const processCounts = [1, 2, 4] as const
/** Of each process: with fewer, fewer requests share a commit. */
const connectionsEach = 16

/** A process, with the directory of its own that it serves. */
interface Process {
  readonly server: Server
  readonly own: ScimCalls
}

/**
 * The same number of creates through one, two and four processes on one database: each with a directory of its own, and all
 * with the same directory. With few cores this shows what a request costs, not how many more are possible.
 */
export async function measureScaling(bench: Bench): Promise<Row[]> {
  const { engine, scale, say } = bench
  const env = await engine.newDatabase()
  await using running = new AsyncDisposableStack()
  const processes = await inTurn(Math.max(...processCounts), async (): Promise<Process> => {
    const server = running.use(await startServerProcess('./service.ts', env))
    return { server, own: scimCalls(await createDirectory(server.port)) }
  })
  const shared = itemAt(processes, 0).own
  const rows: Row[] = []
  for (const [of, callsOf] of [
    ['a directory each', ({ own }: Process) => own],
    ['one directory', () => shared],
  ] as const) {
    for (const count of processCounts) {
      say(`${count} processes, ${of}`)
      const chosen = processes.slice(0, count)
      const samples = await inTurn(scale.rounds, () => creates(chosen, callsOf, scale.pool / 2))
      rows.push({
        engine: engine.name,
        what: `user create, ${count} processes, ${of}`,
        connections: connectionsEach * count,
        sample: medianSample(samples),
      })
    }
  }
  return rows
}

let batches = 0

/** Creates `total` users, divided among the processes, which work at the same time. */
async function creates(
  processes: readonly Process[],
  callsOf: (process: Process) => ScimCalls,
  total: number,
): Promise<Sample> {
  const startedAt = performance.now()
  const timings = await Promise.all(
    processes.map((process): Promise<Timing> => {
      const prefix = `batch${batches++}`
      const calls = times(total / processes.length, (number) => callsOf(process).createUser(prefix, number))
      const drive = (all: readonly Connection[]) => driveMeasured(process.server, all, calls)
      return withConnections(process.server.port, connectionsEach, drive)
    }),
  )
  const cpuMs = timings.reduce((sum, timing) => sum + (timing.cpuMs ?? 0), 0)
  return sampleOf({ ...joinTimings(timings), seconds: (performance.now() - startedAt) / 1000, cpuMs })
}
