import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { StreamNotice } from '../../delivery/event-store.ts'
import type { Database } from './database.ts'
import { isServerLost } from './errors.ts'
import { responseMs } from './limits.ts'
import type { Servers } from './servers.ts'
import { isDirect } from './single-connection.ts'

const channel = 'rollcall_streams'
const reconnectMs = 5_000

/** Notices between processes, by `listen` and `notify`. A lost notice costs time only: streams are polled as well. */
export interface Notices {
  publish(notice: StreamNotice): Promise<void>
  /** Calls back with the notices of other processes, on a connection of its own, until the returned function is called. */
  listen(listener: (notice: StreamNotice) => void): () => void
  /** Replaces the connection, because it may lead to a server that is gone or accepts no writes. */
  reconnect(): void
  close(): Promise<void>
}

/** Publishes in the pool of the deliveries, and connects when the first listener is added. */
export function createNotices(servers: Servers, { query }: Pick<Database, 'query'>): Notices {
  const processId = randomUUID()
  const listeners = new Set<(notice: StreamNotice) => void>()
  const connection = createConnection(servers, { receive, isNeeded: () => listeners.size > 0 })

  function receive(payload: string): void {
    const { notice, sender } = parsePayload(payload)
    if (notice === undefined || sender === processId) return
    for (const listener of listeners) listener(notice)
  }

  return {
    async publish({ directoryId, target, isUrgent, tenant }) {
      const payload = `${isUrgent ? 'urgent' : 'wake'} ${target} ${directoryId} ${processId} ${encodeURIComponent(tenant)}`
      await query({ text: 'select pg_notify($1, $2)', values: [channel, payload] })
    },
    listen(listener) {
      listeners.add(listener)
      connection.open()
      return () => {
        listeners.delete(listener)
      }
    },
    reconnect: connection.reconnect,
    close: connection.close,
  }
}

interface ConnectionUse {
  readonly receive: (payload: string) => void
  /** Returns whether a connection that is lost must be replaced. */
  readonly isNeeded: () => boolean
}

/**
 * The connection that listens. One that is lost is opened again after a few seconds. One that leads to a pooler is closed: in
 * transaction mode the server would send notices on a connection that others use, and the pooler drops them.
 */
function createConnection(servers: Servers, { receive, isNeeded }: ConnectionUse) {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isConnecting = false
  let isClosed = false

  async function connect(): Promise<void> {
    timer = undefined
    isConnecting = true
    const generation = servers.generation()
    try {
      const connection = await servers.connect({ query_timeout: responseMs })
      client = connection
      connection.on('notification', ({ payload = '' }) => receive(payload))
      connection.on('error', () => lose(connection))
      connection.on('end', () => lose(connection))
      if (isClosed || !(await isDirect(connection))) await close()
      else await connection.query(`listen ${channel}`)
    } catch (error) {
      if (isServerLost(error)) servers.discard(generation)
      if (client === undefined) connectLater()
      else lose(client)
    } finally {
      isConnecting = false
    }
  }

  async function close(): Promise<void> {
    isClosed = true
    clearTimeout(timer)
    const open = client
    client = undefined
    await open?.end().catch(() => {})
  }

  function lose(connection: Client): void {
    if (client !== connection) return
    client = undefined
    connection.end().catch(() => {})
    connectLater()
  }

  function connectLater(): void {
    if (!isClosed && isNeeded()) timer = setTimeout(connect, reconnectMs).unref()
  }

  return {
    open(): void {
      if (client === undefined && timer === undefined && !isConnecting) void connect()
    },
    reconnect(): void {
      if (client !== undefined) lose(client)
    },
    close,
  }
}

/** Undefined when another version sent something that this one does not understand. */
function parsePayload(payload: string): { notice: StreamNotice | undefined; sender: string | undefined } {
  const [urgency, target, directoryId, sender, encodedTenant = ''] = payload.split(' ')
  const tenant = decoded(encodedTenant)
  const isTarget = target === 'endpoint' || target === 'on-event'
  if (directoryId === undefined || !isTarget || tenant === undefined) return { notice: undefined, sender }
  return { notice: { directoryId, target, isUrgent: urgency === 'urgent', tenant }, sender }
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
