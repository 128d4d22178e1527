import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import { medianSample } from '../load/sample.ts'
import type { Contender, Rounds } from '../load/turns.ts'
import { driveMeasured, measureInTurns } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMs } from '../report/row.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { apiAuthorization, apiPath } from '../workload/api.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const fewDirectories = 100
const mostOnSqlite = 1_000

/** Calls over all directories, in a database of 10,000 directories and in one of 100. */
export async function measureScope({ engine, scale, seed, say }: Bench): Promise<Row[]> {
  const { products, users, directories } = scale.scope
  const many = engine.name === 'sqlite' ? Math.min(directories, mostOnSqlite) : directories
  const sizes = [fewDirectories, many]
  await using servers = new AsyncDisposableStack()
  const contenders: Contender[] = []
  for (const size of sizes) {
    say(`seeding ${size} directories of ${products} products with ${users} users each`)
    const copies = { directories: size, products }
    const { env } = await seed([{ users, members: 0, memberStep: 1, copies }])
    const server = servers.use(await startServerProcess('./service.ts', env))
    contenders.push(...scopeCalls(size).map((call) => contender(server, size, call)))
  }
  say('calls over all directories')
  return rowsOf(engine.name, await measureInTurns(contenders, { ...scale, slotMs: scale.slotMs / 2, connections: 1 }))
}

/** A call by its name, for the n-th time. */
type ScopeCall = readonly [name: string, path: (n: number) => string, includes: string]

/** The calls in a database of so many directories. Every user is called Barbara Jensen, with a number. */
function scopeCalls(directories: number): readonly ScopeCall[] {
  const one = (n: number) => (n * 37) % directories
  return [
    ['search everything for what all have', () => '/search?q=jensen', '"user"'],
    ['search everything for one address', (n) => `/search?q=u${one(n)}.5@`, '"user"'],
    ['search a product for what all have', (n) => `/search?q=barbara&product=bench-${one(n) % 50}`, '"user"'],
    ['search a tenant for what all have', (n) => `/search?q=barbara%205&tenant=bench-${one(n)}`, '"data":['],
    ['search directories', (n) => `/search?q=bench-${one(n)}&type=directory`, '"directory"'],
  ]
}

function contender(server: Server, size: number, [name, path, includes]: ScopeCall): Contender {
  let calls = 0
  const next = (): Call =>
    makeCall({ method: 'GET', path: apiPath + path(calls++), authorization: apiAuthorization, status: 200, includes })
  return {
    server,
    slot: async (all, count) => ({
      [`${name}, ${size} directories`]: await driveMeasured(server, all, times(count, next)),
    }),
  }
}

function rowsOf(engine: Row['engine'], rounds: Rounds): Row[] {
  return [...rounds].map(([what, samples]) => {
    const sample = medianSample(samples)
    return { engine, what, connections: 1, sample, verdict: atMost(budget.scopeMs, sample.p99Ms, inMs) }
  })
}
