import { eventsMade, postgresRowsWritten } from '../engines/written.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atLeast, atMost, inMb, inNumber, timesFewer } from '../report/row.ts'
import type { PulledWorkspace, WorkspaceCommand } from '../servers/messages.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { createPulledDirectory, pullDirectory } from '../workload/api.ts'
import type { Bench } from './section.ts'

const changes = 100

type Env = Readonly<Record<string, string>>

/** The cost of a sync. */
interface SyncCost {
  readonly maxRssBytes: number
  readonly events: number
  readonly rowsWritten: number
}

/** Syncs a large Workspace three times: initially, without changes, and after some changes. */
export async function measureExtdir(bench: Bench): Promise<Row[]> {
  const { engine, scale, say } = bench
  await using google = await startServerProcess('./fake-google.ts', {})
  const { users, groups, memberships } = scale.extdir
  say(`sync of ${users} users, ${groups} groups and ${memberships} memberships`)
  const { settings } = await command(google, { fill: scale.extdir })
  const env = { ...(await engine.newDatabase()), ...settings }
  const id = await createDirectory(env, google)
  const first = await measureSync(bench, env, id)
  const unchanged = await measureSync(bench, env, id)
  await command(google, { changes })
  const changed = await measureSync(bench, env, id)
  const fewer = first.rowsWritten / Math.max(1, unchanged.rowsWritten)
  const row = (what: string, verdict: Row['verdict']): Row => ({ engine: engine.name, what, verdict })
  const memory = ({ maxRssBytes }: SyncCost) => atMost(budget.residentMb, maxRssBytes / 1e6, inMb)
  return [
    row('first sync: memory at most', memory(first)),
    row('sync without changes: events', atMost(0, unchanged.events, inNumber)),
    row('sync without changes: rows written', atLeast(budget.firstOfUnchangedPull, fewer, timesFewer)),
    row('sync without changes: memory at most', memory(unchanged)),
    row(`sync of ${changes} changes: memory at most`, memory(changed)),
  ]
}

/** Runs in a process before the measured ones, because creating the tables is not part of a sync. */
async function createDirectory(env: Env, google: Server): Promise<string> {
  await using service = await startServerProcess('./service.ts', env)
  const { tokens } = await command(google, {})
  return (await createPulledDirectory(service.port, tokens)).id
}

/** Syncs in a separate process, so that only the sync's resource use is measured. */
async function measureSync({ engine }: Bench, env: Env, id: string): Promise<SyncCost> {
  const before = await countWrites(engine.name, env)
  const measured = await (async () => {
    await using service = await startServerProcess('./service.ts', env)
    const { rowsWritten } = await service.usage()
    await pullDirectory(service.port, id)
    return { ...(await service.usage()), rowsBefore: rowsWritten }
  })()
  const after = await countWrites(engine.name, env)
  return {
    maxRssBytes: measured.maxRssBytes,
    events: after.events - before.events,
    rowsWritten: measured.rowsWritten - measured.rowsBefore + after.rows - before.rows,
  }
}

async function countWrites(
  engine: Row['engine'],
  env: Env,
): Promise<{ readonly events: number; readonly rows: number }> {
  return { events: await eventsMade(engine, env), rows: engine === 'postgres' ? await postgresRowsWritten(env) : 0 }
}

async function command(google: Server, request: WorkspaceCommand): Promise<PulledWorkspace> {
  const response = await fetch(`http://127.0.0.1:${google.port}`, { method: 'POST', body: JSON.stringify(request) })
  return (await response.json()) as PulledWorkspace
}
