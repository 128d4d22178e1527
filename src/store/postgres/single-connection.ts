import { Client } from 'pg'
import { rejectConnection } from './errors.ts'
import { connectionMs, keepAliveMs } from './limits.ts'
import { createSocket } from './socket.ts'

export interface SingleConnectionOptions {
  readonly url: string
  /** How long to wait for the result of a statement, in milliseconds. */
  readonly responseMs: number
}

/** Ending a connection takes a round trip. After this time the network counts as lost. */
const endMs = 2_000

/**
 * Does work on a connection of its own, outside the pools. Neither connecting nor the work nor the end waits for ever.
 *
 * @throws StoreUnavailable, with the error of the server as its cause, when there is no connection
 */
export async function withSingleConnection<T>(
  { url, responseMs }: SingleConnectionOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const socket = createSocket()
  const client = new Client({
    connectionString: url,
    stream: () => socket,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    connectionTimeoutMillis: connectionMs,
    query_timeout: responseMs,
  })
  client.on('error', () => {})
  try {
    await client.connect().catch(rejectConnection)
    return await work(client)
  } finally {
    const timer = setTimeout(() => socket.destroy(), endMs)
    await client.end().catch(() => {})
    clearTimeout(timer)
  }
}
