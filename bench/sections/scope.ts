import type { Call } from '../load/call.ts'
import { makeCall } from '../load/call.ts'
import { medianSample } from '../load/sample.ts'
import type { Contender, Measured } from '../load/turns.ts'
import { driveMeasured, measureInTurns } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inMs } from '../report/row.ts'
import type { Copies } from '../seed/copies.ts'
import { seedCopies } from '../seed/copies.ts'
import { copyPrefix } from '../seed/plan.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { apiAuthorization, apiPath } from '../workload/api.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const fewDirectories = 100
const mostOnSqlite = 1_000

/** Calls over all directories, in a database of thousands of directories and in one of 100. */
export async function measureScope({ engine, scale, seed, say }: Bench): Promise<Row[]> {
  const { products, users, directories } = scale.scope
  const many = engine.name === 'sqlite' ? Math.min(directories, mostOnSqlite) : directories
  await using servers = new AsyncDisposableStack()
  const contenders: Contender[] = []
  for (const size of [fewDirectories, many]) {
    say(`seeding ${size} directories of ${products} products with ${users} users each`)
    const { env } = await seed([{ users, members: 0, memberStep: 1, isCopied: true }])
    await seedCopies(engine.name, env, { directories: size, products })
    const server = servers.use(await startServerProcess('./service.ts', env))
    contenders.push(...scopeCalls({ directories: size, products }).map((call) => contender(server, size, call)))
  }
  say('calls over all directories')
  return rowsOf(engine.name, await measureInTurns(contenders, { ...scale.turns, ...scale.reads, connections: 1 }))
}

/** A call by its name, for the n-th time. */
type ScopeCall = readonly [name: string, path: (n: number) => string, includes: string]

/** The calls in a database of copies. Every user is called Barbara Jensen, with a number. */
function scopeCalls({ directories, products }: Copies): readonly ScopeCall[] {
  const one = (n: number) => ((n * 37) % directories) + 1
  const product = (n: number) => `bench-${one(n) % products}`
  const tenant = (n: number) => `${copyPrefix(one(n))}-0`
  return [
    ['search everything for what all have', () => '/search?q=jensen', '"user"'],
    ['search everything for one address', (n) => `/search?q=${copyPrefix(one(n))}.5@`, '"user"'],
    ['search a product for what all have', (n) => `/search?q=barbara&product=${product(n)}`, '"user"'],
    ['search a tenant for what all have', (n) => `/search?q=barbara%205&tenant=${tenant(n)}`, '"data":['],
    ['search directories', (n) => `/search?q=${tenant(n)}&type=directory`, '"directory"'],
    ['explain one address', (n) => `/explain?subject=${copyPrefix(one(n))}.5@example.com`, '"verdict"'],
    ['explain a name that all have', () => '/explain?subject=barbara%205%20jensen', '"has_more_candidates":true'],
    ['explain somebody absent', (n) => `/explain?subject=nobody.${n}@example.com`, '"verdict":"unknown"'],
    ['overview of everything', () => '/overview', '"directories"'],
    ['overview of a product', (n) => `/overview?product=${product(n)}`, '"directories"'],
    ['overview of a tenant', (n) => `/overview?tenant=${tenant(n)}`, '"total":1'],
    ['health, the worst 20', () => '/health?sort=worst&pageLimit=20', '"attention"'],
    ['health, 20 of a product by name', (n) => `/health?sort=name&pageLimit=20&product=${product(n)}`, '"state"'],
    ['20 directories', () => '/directories?pageLimit=20', '"scim"'],
    ['directories of a tenant by name', (n) => `/directories?search=${tenant(n)}`, '"scim"'],
    ['20 directories of a product', (n) => `/product?product=${product(n)}&pageLimit=20`, '"scim"'],
    ['20 refused requests', () => '/refused-requests?pageLimit=20', '"status":400'],
  ]
}

function contender(server: Server, size: number, [name, path, includes]: ScopeCall): Contender {
  let calls = 0
  const next = (): Call =>
    makeCall({ method: 'GET', path: apiPath + path(calls++), authorization: apiAuthorization, status: 200, includes })
  return {
    server,
    turn: async (all, requests) => ({
      [`${name}, ${size} directories`]: await driveMeasured(server, all, times(requests, next)),
    }),
  }
}

function rowsOf(engine: Row['engine'], measured: Measured): Row[] {
  return [...measured].map(([what, samples]) => {
    const verdict = atMost(budget.scopeP99Ms, medianSample(samples).p99Ms, inMs)
    return { engine, what: `${what}: p99`, connections: 1, verdict }
  })
}
