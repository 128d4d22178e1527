import { withConnections } from '../load/connection.ts'
import { drive } from '../load/drive.ts'
import { median } from '../load/sample.ts'
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
  await creates(processes, ({ own }) => own, processes.length * scale.turns.warmUp)
  const rows: Row[] = []
  for (const [of, callsOf] of [
    ['a directory each', ({ own }: Process) => own],
    ['one directory', () => shared],
  ] as const) {
    for (const count of processCounts) {
      say(`${count} processes, ${of}`)
      const chosen = processes.slice(0, count)
      const works = await inTurn(scale.turns.turns, () => creates(chosen, callsOf, scale.turns.requests))
      const what = `user create, ${count} processes, ${of}`
      rows.push({ engine: engine.name, what, connections: connectionsEach * count, workMs: median(works) })
    }
  }
  return rows
}

let batches = 0

/**
 * Creates `total` users, divided among the processes, which work at the same time; returns the CPU time of all processes and the
 * database for 1,000 users.
 */
async function creates(
  processes: readonly Process[],
  callsOf: (process: Process) => ScimCalls,
  total: number,
): Promise<number> {
  const before = await usedMs(processes)
  await Promise.all(
    processes.map((process) => {
      const prefix = `batch${batches++}`
      const calls = times(Math.ceil(total / processes.length), (number) => callsOf(process).createUser(prefix, number))
      return withConnections(process.server.port, connectionsEach, (all) => drive(all, calls))
    }),
  )
  return (((await usedMs(processes)) - before) / total) * 1000
}

/** The CPU time of the processes and of the database that they share. */
async function usedMs(processes: readonly Process[]): Promise<number> {
  const usages = await Promise.all(processes.map(({ server }) => server.usage()))
  return usages.reduce((sum, { cpuMs }) => sum + cpuMs, usages[0]?.databaseMs ?? Number.NaN)
}
