import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import type { EmbeddedRollcall, RollcallOptions } from '../../src/index.ts'
import { apiKey, encryptionKey } from '../engines/engine.ts'
import type { Call } from '../load/call.ts'
import type { Connection } from '../load/connection.ts'
import { withConnections } from '../load/connection.ts'
import { drive } from '../load/drive.ts'
import { createDirectory } from '../workload/api.ts'
import { scimCalls } from '../workload/scim-calls.ts'
import { createAll, createGroups, times } from '../workload/users.ts'
import type { CountedServer } from './callgrind.ts'
import { startCounted } from './callgrind.ts'
import type { Operation, Pool } from './operations.ts'
import { operationsOn } from './operations.ts'
import type { Unit } from './units.ts'
import { recordUnits } from './units.ts'

/** The work of PostgreSQL for one request, while there are no others. */
export interface Counted {
  readonly what: string
  /** In the order in which they are sent. */
  readonly units: readonly CountedUnit[]
  /** The bytes that it adds to the write-ahead log. */
  readonly walBytes: number
}

/** Statements that are sent together, in one round trip. */
export interface CountedUnit {
  readonly text: string
  readonly instructions: number
  /** Whether it changes anything. */
  readonly isWrite: boolean
}

const prefix = 'pool'
const [users, members, repetitions] = [1_000, 200, 30]

/**
 * Counts the instructions and the bytes of the statements that a version of Rollcall sends. Each figure is the minimum over the
 * repetitions.
 *
 * @param root the folder of the version, whose packages must be those of this checkout, as the statements are recorded in the driver
 * @throws Error when none is recorded
 */
export async function countStatements(root: string): Promise<Counted[]> {
  const moduleOf = (file: string) => import(pathToFileURL(join(root, file)).href)
  const [{ createRollcall }, { optionPaths }] = await Promise.all(
    ['src/index.ts', 'src/library/option-names.ts'].map(moduleOf),
  )
  // One tenant sends everything. Earlier versions have no such option, and no limit.
  const unlimited = optionPaths.includes('scimRateLimit') ? { scimRateLimit: 0 } : {}
  return countOf((options) => createRollcall({ ...options, ...unlimited }))
}

type Create = (options: RollcallOptions) => Promise<EmbeddedRollcall>

async function countOf(create: Create): Promise<Counted[]> {
  let pool: Pool | undefined
  await using server = await startCounted(async (url) => {
    pool = await withService(create, url, fill)
  })
  if (pool === undefined) throw new Error('the database was not filled')
  const { directory } = pool
  const operations = operationsOn(pool, scimCalls(directory), prefix, repetitions)
  await using log = await openLog(server.url)
  using recorded = recordUnits()
  return await withService(create, server.url, async (connection) => {
    const counted: Counted[] = []
    for (const operation of operations) counted.push(await count(operation, { server, connection, log, ...recorded }))
    return counted
  })
}

/** Creates users, and a group with some of them. */
async function fill(connection: Connection, port: number): Promise<Pool> {
  const directory = await createDirectory(port)
  const scim = scimCalls(directory)
  const userIds = await createAll(
    [connection],
    times(users, (n) => scim.createUser(prefix, n)),
  )
  const [groupId = ''] = await createGroups([connection], scim, 1)
  await drive(
    [connection],
    userIds.slice(0, members).map((id) => scim.addMember(groupId, id)),
  )
  return { directory, userIds, groupId, members }
}

/** Runs a service on a database, with one connection to it. */
async function withService<T>(
  create: Create,
  databaseUrl: string,
  work: (connection: Connection, port: number) => Promise<T>,
): Promise<T> {
  const rollcall = await create({
    ...{ databaseUrl, encryptionKey, apiKeys: [apiKey], externalUrl: 'http://localhost' },
    // The request log is written in batches, later.
    scimRequestLogTtl: 0,
  })
  const server = createServer(rollcall.listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    return await withConnections(port, 1, async ([connection]) => {
      if (connection === undefined) throw new Error('there is no connection')
      return work(connection, port)
    })
  } finally {
    server.close()
    await rollcall.close()
  }
}

interface Counting {
  readonly server: CountedServer
  readonly connection: Connection
  readonly log: WrittenLog
  /** The units that the service has sent so far. */
  readonly units: readonly Unit[]
}

/** A request that was counted. */
interface Repetition {
  readonly units: readonly CountedUnit[]
  readonly walBytes: number
}

async function count(operation: Operation, counting: Counting): Promise<Counted> {
  const all: Repetition[] = []
  for (const call of times(repetitions, operation.call)) all.push(await countOne(call, counting))
  const [first, ...others] = alike(all)
  if (first === undefined || first.units.length === 0)
    throw new Error(`No statement of ${operation.what} was recorded.`)
  const least = (of: (one: Repetition) => number) => Math.min(of(first), ...others.map(of))
  return {
    what: operation.what,
    units: first.units.map((unit, index) => ({
      ...unit,
      instructions: least(({ units }) => units[index]?.instructions ?? Number.NaN),
    })),
    walBytes: least(({ walBytes }) => walBytes),
  }
}

async function countOne(call: Call, { server, connection, log, units }: Counting): Promise<Repetition> {
  const [first, before] = [units.length, await log.position()]
  await drive([connection], [call])
  const walBytes = (await log.position()) - before
  const counted = units.slice(first).map((unit): CountedUnit => {
    const text = textOf(unit)
    return { text, instructions: server.instructionsOf(unit), isWrite: isWrite(text) }
  })
  return { units: counted, walBytes }
}

/** Most repetitions send the same statements. In the others there was also work in the background, or a conflict with it. */
function alike(all: readonly Repetition[]): readonly Repetition[] {
  const groups = Map.groupBy(all, ({ units }) => units.map(({ text }) => text).join('\n'))
  return [...groups.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
}

function textOf({ texts }: Unit): string {
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).join('; ')
}

function isWrite(text: string): boolean {
  return /\b(insert into|update|delete from)\b/i.test(text)
}

/** The write-ahead log of the database. */
interface WrittenLog extends AsyncDisposable {
  /** The bytes that have been written to it. */
  position(): Promise<number>
}

async function openLog(url: string): Promise<WrittenLog> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    async position() {
      const text = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`
      const { rows } = await client.query<{ bytes: string }>(text)
      return Number(rows[0]?.bytes)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
