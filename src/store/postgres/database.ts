import { setTimeout as pause } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import type { Row } from '../row.ts'
import { openConnections } from './connections.ts'
import { isConflict, isConnectionGood, statementError, transactionError } from './errors.ts'
import { lockPatienceMs, lockPauseMs } from './limits.ts'
import { encodeParameters } from './parameters.ts'
import type { EncodedStatement } from './pipeline.ts'
import { createPipelines } from './pipeline.ts'
import { configureLongTransaction, configureTransaction } from './sessions.ts'

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
 * A pool of connections. Its statements use no session state, so a pooler in transaction mode may be in between. Every
 * transaction is bounded in time by the server (sessions.ts). One that cannot get a lock, or conflicts with another, is repeated.
 */
export interface Database {
  /** Runs one statement in a transaction of its own. */
  query(statement: Statement): Promise<Row[]>
  /** Runs reads in one round trip; returns the rows of each. */
  queryAll(statements: readonly Statement[]): Promise<Row[][]>
  /** Runs statements in one transaction and one round trip; returns the rows of each. */
  atomically(statements: readonly Statement[]): Promise<Row[][]>
  /**
   * Runs statements, then those that `conclude` derives from their rows, in one transaction and two round trips. `conclude`
   * is called again when the transaction is repeated.
   */
  transaction<T>(first: readonly Statement[], conclude: (rows: Row[][]) => Conclusion<T>): Promise<T>
  /**
   * Runs work of many round trips in one transaction, which may take longer than others. The work is done again when the
   * transaction is repeated.
   */
  longTransaction<T>(work: (run: RunAll) => Promise<T>): Promise<T>
  /** Waits for running work and closes every connection. */
  close(): Promise<void>
}

/** Runs statements in one round trip; returns the rows of each. */
export type RunAll = (statements: readonly Statement[]) => Promise<Row[][]>

const begin: Statement = { text: 'begin isolation level read committed', values: [] }
const settings: Statement = { text: configureTransaction, values: [] }
const longSettings: Statement = { text: configureLongTransaction, values: [] }
const commit: Statement = { text: 'commit', values: [] }
const rollback: Statement = { text: 'rollback', values: [] }

/**
 * Opens a pool of connections. Every operation rejects with `StoreUnavailable` when the database cannot be reached or is
 * overloaded, and with pg's `DatabaseError` when it rejects a statement.
 *
 * @param areConfigured whether connections begin with the settings of transactions; otherwise each transaction makes them
 */
export function openDatabase(url: string, connections: number, areConfigured = false): Database {
  const configuring = areConfigured ? [] : [settings]
  const pool = openConnections(url, connections)
  const sendOn = createSend()
  const repeat = createRepeat(connections)
  const run = <T>(work: (send: RunAll) => Promise<T>): Promise<T> =>
    repeat(() => pool.use((client) => work((statements) => sendOn(client, statements))))
  return {
    async query(statement) {
      const rows = await run((send) => send([...configuring, statement]))
      return rows.at(-1) ?? []
    },
    async queryAll(statements) {
      const rows = await run((send) => send([...configuring, ...statements]))
      return rows.slice(configuring.length)
    },
    async atomically(statements) {
      const rows = await run((send) => orRollBack(send, () => send([begin, ...configuring, ...statements, commit])))
      return rows.slice(1 + configuring.length, -1)
    },
    transaction: (first, conclude) =>
      run((send) =>
        orRollBack(send, async () => {
          const rows = await send([begin, ...configuring, ...first])
          const { statements, answer } = conclude(rows.slice(1 + configuring.length))
          await send([...statements, commit])
          return answer
        }),
      ),
    longTransaction: (work) =>
      run((send) =>
        orRollBack(send, async () => {
          await send([begin, longSettings])
          const answer = await work(send)
          await send([commit])
          return answer
        }),
      ),
    close: pool.close,
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

/** Sends statements on a connection. Rejects with the error of the first one that fails; the others are skipped. */
type Send = (client: PoolClient, statements: readonly Statement[]) => Promise<Row[][]>

function createSend(): Send {
  const pipelineQuery = createPipelines()
  const names = new Map<string, string>()
  const encode = ({ text, values, isRare = false }: Statement): EncodedStatement => {
    const name = isRare ? '' : (names.get(text) ?? `rollcall_${names.size + 1}`)
    if (name !== '') names.set(text, name)
    return { text, values: encodeParameters(values), name }
  }
  return (client, statements) =>
    new Promise((resolve, reject) => {
      const settle = (error: unknown, results: Row[][] = []) =>
        error ? reject(statementError(error)) : resolve(results)
      client.query(pipelineQuery(statements.map(encode), settle))
    })
}
