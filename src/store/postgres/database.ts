import type { PoolClient } from 'pg'
import { Pool, types } from 'pg'
import type { Row } from '../row.ts'
import { isConnectionGood, rejectConnection, rejectStatement } from './errors.ts'
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

/** A pool of connections. It uses no session state, so a pooler in transaction mode may be in between. */
export interface Database {
  /** Runs one statement in a transaction of its own. */
  query(statement: Statement): Promise<Row[]>
  /** Runs statements in one transaction and one round trip; returns the rows of each. */
  atomically(statements: readonly Statement[]): Promise<Row[][]>
  /** Runs statements, then those that `conclude` derives from their rows, in one transaction and two round trips. */
  transaction<T>(first: readonly Statement[], conclude: (rows: Row[][]) => Conclusion<T>): Promise<T>
  /** Waits for running work and closes every connection. */
  close(): Promise<void>
}

type Run = (statement: Statement) => Promise<Row[]>

const begin: Statement = { text: 'begin isolation level read committed', values: [] }
const commit: Statement = { text: 'commit', values: [] }
const rollback: Statement = { text: 'rollback', values: [] }

const int8Oid = 20

/**
 * Opens a pool. Every operation rejects with `StoreUnavailable` when the database cannot be reached, and with pg's
 * `DatabaseError` when it rejects a statement.
 */
export function openDatabase(url: string, poolSize: number): Database {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    pipeline: true,
    stream: createSocket,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    fallback_application_name: 'rollcall',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8Oid ? Number : types.getTypeParser(oid, format),
    },
  })
  // A connection that is lost while idle is replaced at the next use, which reports any error.
  pool.on('error', () => {})
  const nameOf = createStatementNames()

  function runOn(client: PoolClient): Run {
    return async ({ text, values, isRare = values.length === 0 }) => {
      const name = isRare ? undefined : nameOf(text)
      return client.query({ text, values: [...values], name }).then(({ rows }) => rows, rejectStatement)
    }
  }

  async function withConnection<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch(rejectConnection)
    client.on('error', ignore)
    try {
      const answer = await work(runOn(client))
      release(client, false)
      return answer
    } catch (error) {
      release(client, !isConnectionGood(error))
      throw error
    }
  }

  return {
    query: (statement) => withConnection((run) => run(statement)),
    atomically: (statements) =>
      withConnection(async (run) => {
        const rows = await everyAnswer([begin, ...statements, commit].map(run))
        return rows.slice(1, -1)
      }),
    transaction: (first, conclude) =>
      withConnection(async (run) => {
        const { statements, answer } = await conclusionOf(run, first, conclude)
        await everyAnswer([...statements, commit].map(run))
        return answer
      }),
    close: () => pool.end(),
  }
}

async function conclusionOf<T>(
  run: Run,
  first: readonly Statement[],
  conclude: (rows: Row[][]) => Conclusion<T>,
): Promise<Conclusion<T>> {
  try {
    const rows = await everyAnswer([begin, ...first].map(run))
    return conclude(rows.slice(1))
  } catch (error) {
    if (isConnectionGood(error)) await run(rollback)
    throw error
  }
}

/** Waits for statements that were sent together; after a failed one, the server skips the others and the commit. */
async function everyAnswer(answers: readonly Promise<Row[]>[]): Promise<Row[][]> {
  await Promise.allSettled(answers)
  return Promise.all(answers)
}

/** The running query rejects with the same error. */
function ignore(): void {}

function release(client: PoolClient, isBroken: boolean): void {
  client.off('error', ignore)
  client.release(isBroken)
}

/** Names the prepared statements of this process by their text. */
function createStatementNames(): (text: string) => string {
  const names = new Map<string, string>()
  return (text) => {
    const name = names.get(text) ?? `rollcall_${names.size + 1}`
    names.set(text, name)
    return name
  }
}
