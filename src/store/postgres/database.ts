import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { DatabaseUpgraded } from '../errors.ts'
import type { Row } from '../row.ts'
import type { SqlDatabase, Statement } from '../sql-database.ts'
import type { Connections } from './connections.ts'
import { openConnections } from './connections.ts'
import { isConflict, isConnectionGood, isMissing, statementError, transactionError } from './errors.ts'
import { lockPatienceMs, lockPauseMs } from './limits.ts'
import { newerMigrations } from './migrate.ts'
import { encodeParameters } from './parameters.ts'
import type { EncodedStatement } from './pipeline.ts'
import { createPipelines } from './pipeline.ts'
import type { Servers } from './servers.ts'
import { configureLongTransaction, configureTransaction } from './sessions.ts'

/**
 * A pool of connections. Its statements use no session state, so a pooler in transaction mode may be in between. Every
 * transaction is bounded in time by the server (sessions.ts). One that cannot get a lock, or conflicts with another, is repeated.
 * `atomically` takes one round trip, `transaction` two.
 */
export interface Database extends Pick<SqlDatabase, 'atomically' | 'transaction'> {
  /** Runs one statement in a transaction of its own. */
  query(statement: Statement): Promise<Row[]>
  /** Runs reads in one round trip; returns the rows of each. */
  queryAll(statements: readonly Statement[]): Promise<Row[][]>
  /**
   * Runs work of many round trips in one transaction, which may take longer than others. The work is done again when the
   * transaction is repeated.
   *
   * @param kind `snapshot`: it only reads, and all reads see what was committed before the first of them
   */
  longTransaction<T>(work: (run: RunAll) => Promise<T>, kind?: 'snapshot'): Promise<T>
  counts: Connections['counts']
  /** Waits for running work and closes every connection. */
  close(): Promise<void>
}

/** Runs statements in one round trip; returns the rows of each. */
export type RunAll = (statements: readonly Statement[]) => Promise<Row[][]>

const begin: Statement = { text: 'begin isolation level read committed', values: [] }
const beginSnapshot: Statement = { text: 'begin isolation level repeatable read read only', values: [] }
const settings: Statement = { text: configureTransaction, values: [] }
const longSettings: Statement = { text: configureLongTransaction, values: [] }
const commit: Statement = { text: 'commit', values: [] }
const rollback: Statement = { text: 'rollback', values: [] }

export interface DatabaseOptions {
  /** Whether connections begin with the settings of transactions; by default each transaction makes them. */
  readonly areConfigured?: boolean
  /** Whether connections keep prepared statements; by default they do. */
  readonly canPrepare?: boolean
  /** The time after which a connection is replaced; by default none. */
  readonly maxAgeMs?: number
}

/**
 * Opens a pool of connections. Every operation rejects with `StoreUnavailable` when the database cannot be reached or is
 * overloaded, with `DatabaseUpgraded` from the moment on when a newer version keeps this one from writing, and with pg's `DatabaseError`
 * when it rejects a statement.
 */
export function openDatabase(
  servers: Servers,
  connections: number,
  { areConfigured = false, canPrepare = true, maxAgeMs }: DatabaseOptions = {},
): Database {
  const configuring = areConfigured ? [] : [settings]
  const pool = openConnections(servers, connections, maxAgeMs)
  const sendOn = createSend(canPrepare)
  const repeat = createRepeat(connections)
  const use = <T>(work: (send: RunAll) => Promise<T>): Promise<T> =>
    pool.use((client) => work((statements) => sendOn(client, statements)))
  const run = <T>(work: (send: RunAll) => Promise<T>): Promise<T> =>
    repeat(() => use(work)).catch(async (error) => {
      // A migration that older processes must not write beside renames a column that they name: see CONTRIBUTING.
      const newer = isMissing(error) ? await use((send) => send([newerMigrations()])) : []
      if ((newer[0] ?? []).length === 0) throw error
      const upgraded = new DatabaseUpgraded(error)
      servers.abandon(upgraded)
      throw upgraded
    })
  const query: Database['query'] = async (statement) => {
    const rows = await run((send) => send([...configuring, statement]))
    return rows.at(-1) ?? []
  }
  return {
    query,
    async queryAll(statements) {
      const rows = await run((send) => send([...configuring, ...statements]))
      return rows.slice(configuring.length)
    },
    async atomically(statements) {
      const [statement] = statements
      if (statement !== undefined && statements.length === 1) return [await query(statement)]
      const rows = await run((send) => orRollBack(send, () => send([begin, ...configuring, ...statements, commit])))
      return rows.slice(1 + configuring.length, -1)
    },
    transaction: (first, conclude) =>
      run((send) =>
        orRollBack(send, () => transactionWithin(send, [begin, ...configuring], [commit])(first, conclude)),
      ),
    longTransaction: (work, kind) =>
      run((send) =>
        orRollBack(send, async () => {
          await send([kind === 'snapshot' ? beginSnapshot : begin, longSettings])
          const answer = await work(send)
          await send([commit])
          return answer
        }),
      ),
    counts: pool.counts,
    close: pool.close,
  }
}

/** Transactions between further statements, by default as parts of the running one. */
export function transactionWithin(
  run: RunAll,
  before: readonly Statement[] = [],
  after: readonly Statement[] = [],
): Database['transaction'] {
  return async (first, conclude) => {
    const rows = await run([...before, ...first])
    let conclusion = conclude(rows.slice(before.length))
    while ('next' in conclusion) {
      const { statements, next } = conclusion
      conclusion = next(statements.length > 0 ? await run(statements) : [])
    }
    const last = [...conclusion.statements, ...after]
    if (last.length > 0) await run(last)
    return conclusion.answer
  }
}

/** Ends the transaction of work that fails. */
async function orRollBack<T>(send: RunAll, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isConnectionGood(error)) await send([rollback])
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

/**
 * The name of a prepared statement: a digest of its text. Behind a pooler that does not keep track of prepared statements, another
 * process may have prepared statements on the same connection: with a digest, a name can only ever mean this text.
 */
function statementName(text: string): string {
  return `rollcall_${createHash('sha256').update(text).digest('base64url')}`
}

/** Sends statements on a connection. Rejects with the error of the first one that fails; the others are skipped. */
type Send = (client: Client, statements: readonly Statement[]) => Promise<Row[][]>

function createSend(canPrepare: boolean): Send {
  const pipelineQuery = createPipelines()
  const names = new Map<string, string>()
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? statementName(text)
    names.set(text, name)
    return name
  }
  const encode = ({ text, values, isRare = false }: Statement): EncodedStatement => ({
    text,
    values: encodeParameters(values),
    name: isRare || !canPrepare ? '' : nameOf(text),
  })
  return (client, statements) =>
    new Promise((resolve, reject) => {
      const settle = (error: unknown, results: Row[][] = []) =>
        error ? reject(statementError(error)) : resolve(results)
      client.query(pipelineQuery(statements.map(encode), settle))
    })
}
