import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { changePolis, fillPolis } from '../tools/polis/fill.ts'

/**
 * Measures an import from Polis into PostgreSQL: the time and the peak memory of the command, for a first run, one without
 * and one with a few changes since, and a verification. Polis’ tables are filled by SQL.
 */

const usage = 'Usage: node bench/import.ts [--directories 1000] [--users 100] [--groups 5] [--members 20]\n'

const mainFile = fileURLToPath(new URL('../bin/rollcall.js', import.meta.url))
const encryptionKey = Buffer.alloc(32, 7).toString('base64')
const polisKey = 'polis-key-of-thirty-two-letters!'
const { values } = parseArgs({
  options: {
    directories: { type: 'string', default: '1000' },
    users: { type: 'string', default: '100' },
    groups: { type: 'string', default: '5' },
    members: { type: 'string', default: '20' },
    help: { type: 'boolean', short: 'h' },
  },
})

if (values.help === true) process.stdout.write(usage)
else await measure()

async function measure(): Promise<void> {
  const [directories = 0, users = 0, groups = 0, members = 0] = [
    ...[values.directories, values.users, values.groups, values.members].map(Number),
  ]
  const size = { directories, users, groups, members, encryptionKey: polisKey }
  await using polis = await startPostgres({ isEmpty: true })
  await using into = await startPostgres()
  const [load = 0] = loadavg()
  const busy = load > availableParallelism() / 2 ? 'a busy machine' : 'a quiet machine'
  process.stdout.write(
    `${directories} directories with ${users} users, ${groups} groups of ${members}; load ${load.toFixed(1)}: ${busy}\n`,
  )
  const run = (mode: string) => runImport(polis.url, into.url, mode)
  await timed('fill Polis', () => fillPolis(polis.url, size))
  await timed('plan', () => run('--plan'))
  await timed('apply', () => run('--apply'))
  await timed('apply, nothing changed', () => run('--apply'))
  const changed = Math.min(10, directories)
  await changePolis(polis.url, size, changed)
  await timed(`apply, 3 changes in each of ${changed} directories`, () => run('--apply'))
  await timed('verify', () => run('--verify'))
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  const kilobytes = await work()
  const seconds = (performance.now() - startedAt) / 1000
  const memory = typeof kilobytes === 'number' ? `${Math.round(kilobytes / 1024)} MB` : ''
  process.stdout.write(`  ${what.padEnd(44)} ${seconds.toFixed(1).padStart(8)} s  ${memory.padStart(8)}\n`)
}

/** Runs the command; returns the most memory that its process had, in kilobytes. */
async function runImport(from: string, databaseUrl: string, mode: string): Promise<number | undefined> {
  const env = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey,
    API_KEYS: 'api-key-of-the-import-benchmark-00',
  }
  const argv = [
    '--max-semi-space-size=8',
    '--max-old-space-size=512',
    mainFile,
    'import',
    'polis',
    '--from',
    from,
    mode,
  ]
  const child = spawn(process.execPath, argv, {
    env: { ...env, POLIS_ENCRYPTION_KEY: polisKey },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  let peak: number | undefined
  while (child.exitCode === null && child.signalCode === null) {
    peak = peakOf(child.pid) ?? peak
    await pause(50)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`rollcall import polis ${mode} ended with ${code}.`)
  return peak
}

/** Undefined where the system does not tell, or the process has ended. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const found = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found === null ? undefined : Number(found[1])
  } catch {
    return undefined
  }
}
