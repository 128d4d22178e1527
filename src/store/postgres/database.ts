import { setTimeout as pause } from 'node:timers/promises'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { Pool, types } from 'pg'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { Row } from '../row.ts'
import { isConflict, isConnectionGood, rejectConnection, statementError, transactionError } from './errors.ts'
import { limitedQuery, prepareLimits } from './limited-query.ts'
import {
  connectionMs,
  keepAliveMs,
  lockPatienceMs,
  lockPauseMs,
  responseMs,
  setLimits,
  setLongLimits,
} from './limits.ts'
import { createSocket } from './socket.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** The statement is not prepared: there are too many like it. */
  readonly isRare?: boolean
}

/** How a transaction ends after its first statements: the last statements, and the result. */
export interface Conclusion<T> {
  readonly statements: readonly Statement[]
  readonly answer: T
}

/**
 * A pool of connections. It uses no session state, so a pooler in transaction mode may be in between. Every transaction is
 * bounded in time by the server (limits.ts). One that cannot get a lock, or conflicts with another, is repeated.
 */
export interface Database {
  /** Runs one statement in a transaction of its own. */
  query(statement: Statement): Promise<Row[]>
  /** Runs statements in one transaction and one round trip; returns the rows of each. */
  atomically(statements: readonly Statement[]): Promise<Row[][]>
  /**
   * Runs statements, then those that `conclude` derives from their rows, in one transaction and two round trips. `conclude`
   * is called again when the transaction is repeated.
   */
  transaction<T>(first: readonly Statement[], conclude: (rows: Row[][]) => Conclusion<T>): Promise<T>
  /**
   * Runs work of many round trips in one transaction, which may take longer than others. The work is done again when the transaction is
   * repeated.
   */
  longTransaction<T>(work: (run: RunAll) => Promise<T>): Promise<T>
  /** Waits for running work and closes every connection. */
  close(): Promise<void>
}

/** Runs statements in one round trip; returns the rows of each. */
export type RunAll = (statements: readonly Statement[]) => Promise<Row[][]>

/** What can be sent on a connection. */
interface Connection {
  /** Sends a statement in a transaction of its own. */
  alone(statement: Statement): Promise<Row[]>
  /** Sends statements together, in the transaction of the connection. */
  together(statements: readonly Statement[]): Promise<Row[][]>
}

const begin: Statement = { text: `begin isolation level read committed; ${setLimits}`, values: [] }
const beginLong: Statement = {
  text: `begin isolation level read committed; ${setLongLimits}`,
  values: [],
  isRare: true,
}
const commit: Statement = { text: 'commit', values: [] }
const rollback: Statement = { text: 'rollback', values: [] }

/**
 * Opens a pool. Every operation rejects with `StoreUnavailable` when the database cannot be reached or is overloaded, and
 * with pg's `DatabaseError` when it rejects a statement.
 */
export function openDatabase(url: string, connections: number): Database {
  const pool = createPool(url, connections)
  const configOf = createQueryConfigs()
  const repeat = createRepeat(connections)
  const run = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
    repeat(() => withConnection(pool, (client) => work(connectionOf(client, configOf))))
  return {
    query: (statement) => run(({ alone }) => alone(statement)),
    atomically: (statements) =>
      run(async ({ together }) => (await together([begin, ...statements, commit])).slice(1, -1)),
    transaction: (first, conclude) =>
      run(async ({ together }) => {
        const { statements, answer } = await conclusionOf(together, first, conclude)
        await together([...statements, commit])
        return answer
      }),
    longTransaction: (work) =>
      run(async ({ together }) => {
        try {
          await together([beginLong])
          const answer = await work(together)
          await together([commit])
          return answer
        } catch (error) {
          if (isConnectionGood(error)) await together([rollback])
          throw error
        }
      }),
    close: () => pool.end(),
  }
}

const int8Oid = 20

function createPool(url: string, connections: number): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    pipeline: true,
    stream: createSocket,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    connectionTimeoutMillis: connectionMs,
    query_timeout: responseMs,
    fallback_application_name: 'rollcall',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8Oid ? Number : types.getTypeParser(oid, format),
    },
  })
  pool.on('connect', prepareLimits)
  // A connection that is lost while idle is replaced at the next use, which reports any error.
  pool.on('error', () => {})
  return pool
}

async function withConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(rejectConnection)
  client.on('error', ignore)
  try {
    const answer = await work(client)
    release(client, false)
    return answer
  } catch (error) {
    release(client, !isConnectionGood(error))
    throw error
  }
}

/** Runs a transaction, again while it is rolled back because of others. */
type Repeat = <T>(work: () => Promise<T>) => Promise<T>

/** Between repetitions a transaction occupies no connection; only some of the connections are for repetitions. */
function createRepeat(connections: number): Repeat {
  const repetitions = createSemaphore(Math.max(1, Math.floor(connections / 3)))
  return async (work) => {
    const until = performance.now() + lockPatienceMs
    let conflict: unknown
    const attempt = () =>
      work().catch((error): typeof conflicted => {
        if (!isConflict(error)) throw transactionError(error)
        conflict = error
        return conflicted
      })
    for (let result = await attempt(); ; ) {
      if (result !== conflicted) return result
      await pause(Math.random() * lockPauseMs)
      const giveBack = await repetitions.acquire()
      try {
        if (performance.now() > until) throw transactionError(conflict)
        result = await attempt()
      } finally {
        giveBack()
      }
    }
  }
}

const conflicted = Symbol('conflicted')

function connectionOf(client: PoolClient, configOf: (statement: Statement) => QueryConfig): Connection {
  return {
    alone: (statement) =>
      new Promise((resolve, reject) => {
        const callback = (error: unknown, result?: QueryResult<Row>) =>
          error ? reject(statementError(error)) : resolve(result?.rows ?? [])
        client.query(limitedQuery(configOf(statement), callback))
      }),
    together: (statements) => sendTogether(client, statements.map(configOf)),
  }
}

/**
 * Sends statements in one packet. After one that the server rejects, it skips the others and the commit; after one that the
 * driver cannot send, nothing more is sent. Rejects with the first error when all have ended.
 */
async function sendTogether(client: PoolClient, configs: readonly QueryConfig[]): Promise<Row[][]> {
  const sent: Promise<Row[]>[] = []
  let isFailed = false
  for (const config of configs) {
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
    client.query<Row>(config, (error, result) => {
      isFailed ||= Boolean(error)
      if (error) reject(statementError(error))
      else resolve(result.rows)
    })
    sent.push(promise)
    if (isFailed) break
  }
  await Promise.allSettled(sent)
  return Promise.all(sent)
}

async function conclusionOf<T>(
  together: Connection['together'],
  first: readonly Statement[],
  conclude: (rows: Row[][]) => Conclusion<T>,
): Promise<Conclusion<T>> {
  try {
    const rows = await together([begin, ...first])
    return conclude(rows.slice(1))
  } catch (error) {
    if (isConnectionGood(error)) await together([rollback])
    throw error
  }
}

/** The running query rejects with the same error. */
function ignore(): void {}

function release(client: PoolClient, isBroken: boolean): void {
  client.off('error', ignore)
  client.release(isBroken)
}

/** Names the prepared statements of this process by their text. */
function createQueryConfigs(): (statement: Statement) => QueryConfig {
  const names = new Map<string, string>()
  return ({ text, values, isRare = text === begin.text || text === commit.text || text === rollback.text }) => {
    if (isRare) return { text, values: [...values] }
    const name = names.get(text) ?? `rollcall_${names.size + 1}`
    names.set(text, name)
    return { text, values: [...values], name }
  }
}
