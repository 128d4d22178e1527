import type { Socket } from 'node:net'
import type { Client } from 'pg'
import { rejectConnection, statementError } from './errors.ts'
import type { Servers } from './servers.ts'
import { watchedSocket } from './servers.ts'

export interface SingleConnectionOptions {
  readonly servers: Servers
  /** The time to wait for the result of a statement, in milliseconds. */
  readonly responseMs: number
}

/** Ending a connection takes a round trip. After this time the network counts as lost. */
const endMs = 2_000

/**
 * Does work on a connection of its own, outside the pools. Neither connecting nor the work nor the end waits for ever.
 *
 * @throws StoreUnavailable, with the error of the server as its cause, when there is no connection, or it is lost
 */
export async function withSingleConnection<T>(
  { servers, responseMs }: SingleConnectionOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  let socket: Socket | undefined
  let isLost = false
  const createSocket = () => (socket = watchedSocket(responseMs))
  const client = await servers.connect({ createSocket }).catch(rejectConnection)
  client.on('error', () => (isLost = true))
  try {
    return await work(client)
  } catch (error) {
    throw isLost ? statementError(error) : error
  } finally {
    const timer = setTimeout(() => socket?.destroy(), endMs)
    await client.end().catch(() => {})
    clearTimeout(timer)
  }
}

/**
 * Returns whether a connection leads to the server itself: a pooler must find the server of a statement by the key for cancelling it,
 * so the process that its key names is not the one that answers.
 */
export async function isDirect(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return 'processID' in client && client.processID === rows[0]?.pid
}
