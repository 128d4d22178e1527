import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { StreamNotice } from '../../delivery/store.ts'
import type { Database } from './database.ts'
import { createSocket } from './socket.ts'

const channel = 'rollcall_streams'
const retryMs = 5_000

/** How processes call each other: by PostgreSQL's notifications. What is lost is found by polling. */
export interface Calls {
  call(call: StreamNotice): Promise<void>
  /** Listens, on a connection of its own, until the function that it answers is called. */
  hear(heard: (call: StreamNotice) => void): () => void
  close(): Promise<void>
}

/**
 * Opens the calls. A connection that cannot listen, as behind a pooler in transaction mode, or that is lost is tried again
 * every few seconds; nothing depends on it.
 */
export function createCalls(url: string, { query }: Pick<Database, 'query'>): Calls {
  const caller = randomUUID()
  const listeners = new Set<(call: StreamNotice) => void>()
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function connect(): Promise<void> {
    timer = undefined
    const connection = new Client({ connectionString: url, stream: createSocket, keepAlive: true })
    client = connection
    connection.on('notification', ({ payload }) => tell(payload))
    connection.on('error', () => retry(connection))
    connection.on('end', () => retry(connection))
    try {
      await connection.connect()
      await connection.query(`listen ${channel}`)
    } catch {
      retry(connection)
    }
  }

  function retry(connection: Client): void {
    if (client !== connection) return
    client = undefined
    connection.end().catch(() => {})
    if (!closed && listeners.size > 0) timer = setTimeout(connect, retryMs).unref()
  }

  function tell(payload: string | undefined): void {
    const [call, from] = callIn(payload ?? '')
    if (call === undefined || from === caller) return
    for (const heard of listeners) heard(call)
  }

  return {
    async call({ directoryId, target, isUrgent }) {
      const payload = `${isUrgent ? 'hurry' : 'wake'} ${target} ${directoryId} ${caller}`
      await query({ text: 'select pg_notify($1, $2)', values: [channel, payload] })
    },
    hear(heard) {
      listeners.add(heard)
      if (client === undefined && timer === undefined) void connect()
      return () => {
        listeners.delete(heard)
      }
    },
    async close() {
      closed = true
      clearTimeout(timer)
      const open = client
      client = undefined
      await open?.end().catch(() => {})
    },
  }
}

/** A call and who made it. */
function callIn(payload: string): [StreamNotice | undefined, string | undefined] {
  const [how, target, directoryId, from] = payload.split(' ')
  if (directoryId === undefined || (target !== 'endpoint' && target !== 'on-event')) return [undefined, from]
  return [{ directoryId, target, isUrgent: how === 'hurry' }, from]
}
