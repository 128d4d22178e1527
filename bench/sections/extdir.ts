import { measureBareRows } from '../bare/rows.ts'
import { eventsMade, postgresRowsWritten } from '../engines/written.ts'
import { budget } from '../report/budget.ts'
import type { Row, Verdict } from '../report/row.ts'
import { atLeast, atMost, inMb, inNumber, inSeconds, timesFewer } from '../report/row.ts'
import type { PulledWorkspace, WorkspaceCommand } from '../servers/messages.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { createPulledDirectory, pullDirectory } from '../workload/api.ts'
import type { Bench } from './section.ts'

const changes = 100

type Env = Readonly<Record<string, string>>

/** The cost of a sync: time, requests to the fake, CPU and memory of the process, and rows written. */
interface SyncCost {
  readonly seconds: number
  readonly cpuMs: number
  readonly maxRssBytes: number
  readonly requests: number
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
  const first = await measureSync(bench, env, google, id)
  const unchanged = await measureSync(bench, env, google, id)
  await command(google, { changes })
  const changed = await measureSync(bench, env, google, id)
  const bareSeconds = await measureBareRows(engine, { users, memberships })
  return rowsOf(engine.name, { first, unchanged, changed, bareSeconds })
}

/** Runs in a process before the measured ones, because creating the tables is not part of a sync. */
async function createDirectory(env: Env, google: Server): Promise<string> {
  await using service = await startServerProcess('./service.ts', env)
  const { tokens } = await command(google, {})
  return (await createPulledDirectory(service.port, tokens)).id
}

/** Syncs in a separate process, so that only the sync's resource use is measured. */
async function measureSync({ engine }: Bench, env: Env, google: Server, id: string): Promise<SyncCost> {
  const before = { ...(await command(google, {})), ...(await countWrites(engine.name, env)) }
  const measured = await (async () => {
    await using service = await startServerProcess('./service.ts', env)
    const usedBefore = await service.usage()
    const startedAt = performance.now()
    await pullDirectory(service.port, id)
    const seconds = (performance.now() - startedAt) / 1000
    const used = await service.usage()
    return { ...used, seconds, cpuMs: used.cpuMs - usedBefore.cpuMs, rowsBefore: usedBefore.rowsWritten }
  })()
  const after = { ...(await command(google, {})), ...(await countWrites(engine.name, env)) }
  return {
    ...measured,
    requests: after.requests - before.requests,
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

interface Figures {
  readonly first: SyncCost
  readonly unchanged: SyncCost
  readonly changed: SyncCost
  readonly bareSeconds: number
}

function rowsOf(engine: Row['engine'], { first, unchanged, changed, bareSeconds }: Figures): Row[] {
  const ofBare = first.seconds / bareSeconds
  const fewer = first.rowsWritten / Math.max(1, unchanged.rowsWritten)
  return [
    ...rowsOfSync(engine, 'first sync', first, {
      'against bare inserts': { value: ofBare, text: `${ofBare.toFixed(1)}× of bare` },
    }),
    ...rowsOfSync(engine, 'sync without changes', unchanged, {
      events: atMost(0, unchanged.events, inNumber),
      'rows written than at first': atLeast(budget.firstOfUnchangedPull, fewer, timesFewer),
    }),
    ...rowsOfSync(engine, `sync of ${changes} changes`, changed),
  ]
}

/** The figures of a sync; `others` are additional rows, or replace those of the same name. */
function rowsOfSync(
  engine: Row['engine'],
  what: string,
  { seconds, cpuMs, requests, events, rowsWritten, maxRssBytes }: SyncCost,
  others: Readonly<Record<string, Verdict>> = {},
): Row[] {
  const verdicts = {
    time: atMost(undefined, seconds, inSeconds),
    CPU: atMost(undefined, cpuMs / 1000, inSeconds),
    'requests to Google': atMost(undefined, requests, inNumber),
    events: atMost(undefined, events, inNumber),
    'rows written': atMost(undefined, rowsWritten, inNumber),
    'memory at most': atMost(budget.residentMb, maxRssBytes / 1e6, inMb),
    ...others,
  }
  return Object.entries(verdicts).map(([name, verdict]) => ({ engine, what: `${what}: ${name}`, verdict }))
}
