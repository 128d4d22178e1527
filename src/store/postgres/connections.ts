import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { Pool } from 'pg'
import { isConnectionGood, rejectConnection } from './errors.ts'
import { connectionMs, keepAliveMs, responseMs } from './limits.ts'
import { createSocket } from './socket.ts'

/** A bounded number of connections to the database. */
export interface Connections {
  /**
   * Runs work with a connection of its own.
   *
   * @throws StoreUnavailable when there is none in time
   */
  use<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  /** Waits for running work and closes every connection. */
  close(): Promise<void>
}

/** How often connections that have not been used meanwhile are returned to the pool. */
const returnMs = 1_000

/**
 * Opens a pool. Taking a connection out of the driver's pool and returning it takes as much CPU time as a small statement:
 * a connection is kept for the next work, unless some waits in the pool, and returned when it has not been used for a while.
 */
export function openConnections(url: string, connections: number): Connections {
  const lost = new WeakSet<object>()
  const pool = createPool(url, connections, lose)
  /** The last one is used first. */
  const kept: PoolClient[] = []
  /** How many of them, from the first, have not been used since connections were last returned. */
  let unused = 0
  let returning: NodeJS.Timeout | undefined
  let isClosing = false

  function lose(client: PoolClient): void {
    lost.add(client)
    const index = kept.indexOf(client)
    if (index < 0) return
    kept.splice(index, 1)
    unused = Math.min(unused, kept.length)
    client.release(true)
  }

  function take(): PoolClient | Promise<PoolClient> {
    const client = kept.pop()
    unused = Math.min(unused, kept.length)
    return client ?? pool.connect().catch(rejectConnection)
  }

  function keep(client: PoolClient): void {
    if (isClosing || pool.waitingCount > 0 || lost.has(client)) client.release(lost.has(client))
    else {
      kept.push(client)
      returning ??= setTimeout(returnUnused, returnMs)
    }
  }

  function returnUnused(): void {
    for (const client of kept.splice(0, unused)) client.release()
    unused = kept.length
    returning = unused > 0 ? setTimeout(returnUnused, returnMs) : undefined
  }

  return {
    async use(work) {
      const client = await take()
      try {
        const answer = await work(client)
        keep(client)
        return answer
      } catch (error) {
        if (isConnectionGood(error)) keep(client)
        else client.release(true)
        throw error
      }
    },
    close() {
      isClosing = true
      clearTimeout(returning)
      for (const client of kept.splice(0)) client.release()
      return pool.end()
    },
  }
}

/**
 * A socket that is closed after `responseMs` without traffic: the server or the network is gone, unless the connection is
 * unused, and then it may be closed as well. The driver's own limit is a timer for each statement, which takes more CPU time.
 */
function createWatchedSocket(): Socket {
  const socket = createSocket()
  const close = () => socket.destroy(new Error(`no response within ${responseMs / 1000} s`))
  return socket.setTimeout(responseMs, close)
}

function createPool(url: string, connections: number, onLost: (client: PoolClient) => void): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    pipeline: true,
    stream: createWatchedSocket,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    connectionTimeoutMillis: connectionMs,
    fallback_application_name: 'rollcall',
  })
  // A connection that is lost while it is unused is replaced at the next use, which reports any error.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => onLost(client as PoolClient)))
  return pool
}
