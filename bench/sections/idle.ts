import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { median } from '../load/sample.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMs } from '../report/row.ts'
import { seedQuiet } from '../seed/quiet.ts'
import { startServerProcess } from '../servers/server.ts'
import { createDirectory } from '../workload/api.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const repetitions = 20
const scrapes = 12
const scrapePauseMs = 1_000

/** Syncs are checked every ten seconds; the directories were synced just before. */
const settings = {
  ...{ DSYNC_EXTDIR_CRON_INTERVAL: '100', DSYNC_EXTDIR_CLIENT_ID: 'bench', DSYNC_EXTDIR_CLIENT_SECRET: 'bench' },
  BENCH_WATCH_BLOCKS: '1',
}

/**
 * The cost of periodic work while all directories are quiet: each read of the database, and the blocks of the event
 * loop.
 */
export async function measureIdle({ engine, scale, say }: Bench): Promise<Row[]> {
  const env = await engine.newDatabase()
  await using first = await startServerProcess('./service.ts', env)
  await createDirectory(first.port, { webhookUrl: 'http://127.0.0.1:9/' })
  await first[Symbol.asyncDispose]()
  say(`seeding ${scale.quietDirectories} quiet directories`)
  await seedQuiet(engine.name, env, scale.quietDirectories)
  say('periodic work of an idle service')
  const row = (what: string, ms: number): Row => ({
    ...{ engine: engine.name, what: `quiet directories: ${what}`, verdict: atMost(budget.idleMs, ms, inMs) },
  })
  const statements = await timeReads(env)
  const rows = statements.map(([name, ms]) => row(name, ms))
  return [...rows, row('longest block of the event loop', await longestBlock(env))]
}

/** The median time that each periodic read takes, after the first time. */
async function timeReads(env: Readonly<Record<string, string>>): Promise<(readonly [string, number])[]> {
  const store = await openStore({
    ...{ databaseUrl: env['DATABASE_URL'] ?? '', encryptionKey: env['ENCRYPTION_KEY'], poolSize: 2 },
    onBackgroundError: (error) => process.emitWarning(String(error)),
  })
  const medians: (readonly [string, number])[] = []
  for (const [name, read] of Object.entries(periodicReads(store))) {
    await read()
    const taken: number[] = []
    for (const _ of times(repetitions, () => undefined)) {
      const startedAt = performance.now()
      await read()
      taken.push(performance.now() - startedAt)
    }
    medians.push([name, median(taken)])
  }
  await store.close()
  return medians
}

function periodicReads(store: Store): Readonly<Record<string, () => Promise<unknown>>> {
  const [now, monthMs] = [Date.now(), 30 * 24 * 3_600_000]
  return {
    'polling for events': () => store.directoriesDue('endpoint', 'bench', now, '', 200),
    'old events': () => store.directoriesToPrune(now - monthMs, undefined, 100),
    'due syncs': () => store.directoriesDueToSync(now - 100_000, undefined, 100),
    'counts for /metrics': () => store.countStreams('endpoint', now),
  }
}

/** The longest block in a service over several periods of the scheduler, with a scrape of /metrics each second. */
async function longestBlock(env: Readonly<Record<string, string>>): Promise<number> {
  await using service = await startServerProcess('./service.ts', { ...env, ...settings })
  const scrape = async () => void (await fetch(`http://127.0.0.1:${service.port}/metrics`).then((one) => one.text()))
  for (const _ of times(3, () => undefined)) await scrape()
  await pause(2 * scrapePauseMs)
  // Discards the blocks of the start.
  await service.usage()
  for (const _ of times(scrapes, () => undefined)) {
    await scrape()
    await pause(scrapePauseMs)
  }
  const { longestBlockMs } = await service.usage()
  return longestBlockMs
}
