import { readFileSync } from 'node:fs'
import { Client } from 'pg'

/**
 * Finds the PostgreSQL server of a database; returns a function that reads the CPU time which its processes have used, also those that
 * have ended, in milliseconds: NaN where there is no /proc, or where the server runs on another machine.
 */
export async function findDatabaseCpu(url: string): Promise<() => number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = postmasterOf(rows[0]?.pid)
  await client.end()
  return () => (postmaster === undefined ? Number.NaN : usedMs(postmaster))
}

function postmasterOf(backend: number | undefined): number | undefined {
  const stat = backend === undefined ? undefined : readStat(backend)
  return stat?.name === 'postgres' ? stat.parent : undefined
}

function usedMs(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'latin1').split(' ').filter(Boolean)
  const ofChildren = children.reduce((sum, pid) => sum + (scheduledMs(pid) ?? 0), 0)
  const { endedMs = Number.NaN } = readStat(postmaster) ?? {}
  return ofChildren + endedMs + (scheduledMs(String(postmaster)) ?? Number.NaN)
}

/** The CPU time of a process of one thread, which `stat` only has in hundredths of a second; undefined when it has ended. */
function scheduledMs(pid: string): number | undefined {
  const text = read(`/proc/${pid}/schedstat`)
  return text === undefined ? undefined : Number(text.split(' ')[0]) / 1e6
}

const msPerTick = 10

function readStat(pid: number) {
  const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(read(`/proc/${pid}/stat`) ?? '') ?? []
  if (name === undefined) return undefined
  const fields = rest.split(' ')
  const [parent, userTicks, systemTicks] = [fields[1], fields[13], fields[14]].map(Number)
  return { name, parent, endedMs: ((userTicks ?? 0) + (systemTicks ?? 0)) * msPerTick }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
