import { stderr, stdout } from 'node:process'
import type { Engine } from './engines/engine.ts'
import { openEngine } from './engines/engine.ts'
import type { Options, SectionName } from './options.ts'
import { parseOptions, usage } from './options.ts'
import { openCommit } from './peers/commit.ts'
import type { Peer } from './peers/peer.ts'
import { openPolis } from './peers/polis.ts'
import { workChart } from './report/chart.ts'
import { circumstances, writeChart, writeResults } from './report/results.ts'
import type { Row } from './report/row.ts'
import { reportTable } from './report/table.ts'
import { measureAccessToken } from './sections/access-token.ts'
import { measureBacklog } from './sections/backlog.ts'
import { measureConsole } from './sections/console.ts'
import { measureEndpoint } from './sections/endpoint.ts'
import { measureExtdir } from './sections/extdir.ts'
import { measureHanging } from './sections/hanging.ts'
import { measureIdle } from './sections/idle.ts'
import { measureMapping } from './sections/mapping.ts'
import { measureMappingOthers } from './sections/mapping-others.ts'
import { measureNeighbours } from './sections/neighbours.ts'
import { measureProcesses } from './sections/processes.ts'
import { measureProduct } from './sections/product.ts'
import { measureRequestLog } from './sections/request-log.ts'
import { measureScaling } from './sections/scaling.ts'
import { measureScope } from './sections/scope.ts'
import type { Bench, Section } from './sections/section.ts'
import { measureSize } from './sections/size.ts'
import { measureStart } from './sections/start.ts'
import { measureStatements } from './sections/statements.ts'
import { measureStream } from './sections/stream.ts'
import { measureSync } from './sections/sync.ts'
import { measureWork } from './sections/work.ts'
import { seed } from './seed/seed.ts'

/**
 * `start` is only measured on SQLite, where it opens a file of that size, and `console` once, as it hardly depends on the database;
 * several processes only share a PostgreSQL database, whose statements are counted.
 */
const sections: Readonly<Record<SectionName, Section>> = {
  work: measureWork,
  statements: async (bench) => (bench.engine.name === 'postgres' ? measureStatements(bench) : []),
  log: measureRequestLog,
  token: measureAccessToken,
  mapping: measureMapping,
  'mapping-others': measureMappingOthers,
  sync: measureSync,
  size: measureSize,
  stream: measureStream,
  neighbours: measureNeighbours,
  start: async (bench) => (bench.engine.name === 'sqlite' ? measureStart(bench) : []),
  endpoint: measureEndpoint,
  backlog: measureBacklog,
  extdir: measureExtdir,
  hanging: measureHanging,
  idle: measureIdle,
  processes: measureProcesses,
  scaling: async (bench) => (bench.engine.name === 'postgres' ? measureScaling(bench) : []),
  scope: measureScope,
  product: measureProduct,
  console: async (bench) => (bench.engine.name === 'sqlite' ? measureConsole(bench) : []),
}

function benchOn(engine: Engine, { scale }: Options, peers: readonly Peer[]): Bench {
  const say = (text: string) => void stderr.write(`${engine.name}: ${text}\n`)
  const seedNew: Bench['seed'] = async (plans) => {
    const env = await engine.newDatabase()
    return { env, directories: await seed(env, plans) }
  }
  let large: ReturnType<Bench['large']> | undefined
  async function makeLarge() {
    say(`seeding ${scale.largeUsers} users`)
    const { env, directories } = await seedNew([
      { users: scale.largeUsers, members: scale.largeUsers / 2, memberStep: 2 },
    ])
    const [directory] = directories
    if (directory === undefined) throw new Error('the large directory was not seeded')
    return { env, directory }
  }
  return {
    ...{ engine, scale, peers, say, seed: seedNew },
    large() {
      large ??= makeLarge()
      return large
    },
  }
}

async function measure(options: Options): Promise<Row[]> {
  await using opened = new AsyncDisposableStack()
  const peers: Peer[] = []
  if (options.against !== undefined) peers.push(opened.use(await openCommit(options.against)))
  if (options.isWithPolis) peers.push(opened.use(await openPolis()))
  const rows: Row[] = []
  for (const name of options.engines) {
    await using engine = await openEngine(name)
    const bench = benchOn(engine, options, peers)
    for (const [section, run] of Object.entries(sections)) {
      if (options.sections.some((one) => one === section)) rows.push(...(await run(bench)))
    }
  }
  return rows
}

/** The load average before a run above which the machine is considered busy. */
const busyLoad = 0.7

/** Runs the benchmark and prints a table. An unexpected response ends it. */
async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  const now = circumstances()
  const rows = await measure(options)
  const file = await writeResults(rows, options, now)
  const missed = rows.filter(({ verdict }) => verdict?.isMet === false).length
  const seconds = Math.round((Date.now() - now.startedAt.getTime()) / 1000)
  stdout.write(`\n${reportTable(rows)}\n${missed} of the budget's rows missed, in ${seconds} s.\n`)
  if (options.isQuick) stdout.write('This was the short version: its figures are not to be compared.\n')
  if (now.loadBefore > busyLoad) {
    stdout.write(
      `The machine was busy with other things (load ${now.loadBefore.toFixed(1)}): run it again when it is not.\n`,
    )
  }
  stdout.write(`${file}\n`)
  const chart = workChart(rows)
  if (chart !== undefined) stdout.write(`${await writeChart(file, chart)}\n`)
}

// When it is interrupted, servers and folders are removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

if (process.argv.includes('--help')) stdout.write(usage)
else await main()
