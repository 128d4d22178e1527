import { Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { Pool } from 'pg'
import type { PoolCounts } from '../store.ts'
import { isConnectionGood, rejectConnection } from './errors.ts'
import { connectionMs, keepAliveMs, responseMs } from './limits.ts'

/** A bounded number of connections to the database. */
export interface Connections {
  /**
   * Runs work with a connection of its own.
   *
   * @throws StoreUnavailable when there is none in time
   */
  use<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  counts(): Omit<PoolCounts, 'pool'>
  /** Waits for running work and closes every connection. */
  close(): Promise<void>
}

/** Opens a pool of the driver. */
export function openConnections(url: string, connections: number): Connections {
  const pool = createPool(url, connections)
  return {
    async use(work) {
      const client = await pool.connect().catch(rejectConnection)
      let isGood = true
      try {
        return await work(client)
      } catch (error) {
        isGood = isConnectionGood(error)
        throw error
      } finally {
        client.release(!isGood)
      }
    },
    counts: () => ({ inUse: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

function createPool(url: string, connections: number): Pool {
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
  // A connection that is lost is replaced at the next use, which reports any error.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * A socket that is closed after `responseMs` without traffic: the server or the network is gone, unless the connection is
 * unused, and then it may be closed as well. The driver's own limit is a timer for each statement, which takes more CPU time.
 */
function createWatchedSocket(): Socket {
  const socket = new Socket()
  const close = () => socket.destroy(new Error(`no response within ${responseMs / 1000} s`))
  return socket.setTimeout(responseMs, close)
}
