import { makeCall } from '../load/call.ts'
import { medianSample } from '../load/sample.ts'
import type { Contender, Measured } from '../load/turns.ts'
import { driveMeasured, measureInTurns, timesAsMuch } from '../load/turns.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, timesOf } from '../report/row.ts'
import { seedCopies } from '../seed/copies.ts'
import { copyPrefix } from '../seed/plan.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { apiAuthorization, apiPath, getJson } from '../workload/api.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

const fewDirectories = 10

/** The reads of one product with all its tenants, in a database of thousands of directories and in one of ten. */
export async function measureProduct({ engine, scale, seed, say }: Bench): Promise<Row[]> {
  const { users, directories: many } = scale.scope
  await using servers = new AsyncDisposableStack()
  const contenders: Contender[] = []
  for (const directories of [fewDirectories, many]) {
    say(`seeding a product with ${directories} directories with ${users} users each`)
    const { env } = await seed([{ users, members: Math.ceil(users / 2), memberStep: 2, isCopied: true }])
    await seedCopies(engine.name, env, { directories, products: 1, isInFeed: true })
    const server = servers.use(await startServerProcess('./service.ts', env))
    const calls = await productCalls(server, directories)
    contenders.push(...calls.map((call) => contender(server, directories, call)))
  }
  say('reads of a product')
  const measured = await measureInTurns(contenders, { ...scale.turns, ...scale.reads, connections: 1 })
  return rowsOf(engine.name, measured, many)
}

const product = 'bench-0'

/** A call by its name, and its path for the n-th time. */
type ProductCall = readonly [name: string, path: (n: number) => string, includes: string]

async function productCalls(server: Server, directories: number): Promise<readonly ProductCall[]> {
  const read = (path: string) => getJson(server.port, path)
  // The first page gives all events their places in the feed; the last one is after all of them.
  let cursor = ''
  for (let isMore = true; isMore; ) {
    const page = await read(`/feed?product=${product}&limit=1000${cursor}`)
    cursor = `&after=${page['next']}`
    isMore = Array.isArray(page['data']) && page['data'].length > 0
  }
  const deep = await tokenInTheMiddle(read, (directories * 5) / 2)
  const { data } = await read(`/groups?product=${product}&pageLimit=1`)
  const group = Array.isArray(data) ? String(data[0]?.id) : ''
  const one = (n: number) => copyPrefix(((n * 37) % directories) + 1)
  return [
    ['one address', (n) => `/users?product=${product}&email=${one(n)}.5@example.com`, '"tenant"'],
    ['an address that nobody has', (n) => `/users?product=${product}&email=nobody.${n}@example.com`, '"data":[]'],
    ['the first 20 users', () => `/users?product=${product}&pageLimit=20`, '"tenant"'],
    ['20 users in the middle', () => `/users?product=${product}&pageLimit=20&pageToken=${deep}`, '"tenant"'],
    ['users since a minute ago', () => `/users?product=${product}&pageLimit=20&updated_since=${minuteAgo()}`, '"data"'],
    ['the users of a group', () => `/users?product=${product}&group=${group}&pageLimit=20`, '"data"'],
    ['100 events of the feed', () => `/feed?product=${product}&limit=100`, '"next"'],
    ['the feed when it is quiet', () => `/feed?product=${product}${cursor}`, '"data":[]'],
  ]
}

const minuteAgo = () => new Date(Date.now() - 60_000).toISOString()

/** The token of a page of users about as deep in the list as a number of rows. */
async function tokenInTheMiddle(
  read: (path: string) => Promise<Readonly<Record<string, unknown>>>,
  rows: number,
): Promise<string> {
  let token: unknown
  for (let passed = 0; passed < rows; passed += 1_000) {
    const page = await read(
      `/users?product=${product}&pageLimit=${Math.min(1_000, rows)}${token === undefined ? '' : `&pageToken=${token}`}`,
    )
    token = page['pageToken'] ?? token
  }
  return String(token)
}

function contender(server: Server, size: number, [name, path, includes]: ProductCall): Contender {
  let calls = 0
  const next = () =>
    makeCall({ method: 'GET', path: apiPath + path(calls++), authorization: apiAuthorization, status: 200, includes })
  return {
    server,
    turn: async (all, requests) => ({ [rowName(name, size)]: await driveMeasured(server, all, times(requests, next)) }),
  }
}

const rowName = (name: string, directories: number) => `${name}, of ${directories} directories`

/** Each call over many directories is compared with the same over few. */
function rowsOf(engine: Row['engine'], measured: Measured, many: number): Row[] {
  const ofMany = [...measured].filter(([what]) => what.endsWith(`of ${many} directories`))
  return ofMany.map(([what, samples]) => {
    const few = what.replace(`of ${many} `, `of ${fewDirectories} `)
    const verdict = atMost(
      budget.largeOfSmall,
      timesAsMuch(measured, 'workMs', what, few),
      timesOf(`${fewDirectories}`),
    )
    return { engine, what, connections: 1, workMs: medianSample(samples).workMs, verdict }
  })
}
