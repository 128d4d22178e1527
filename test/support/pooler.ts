import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

const readyForQuery = 0x5a
const authentication = 0x52
const backendKeyData = 0x4b
const idle = 0x49

/** A connection pooler on a port of 127.0.0.1. */
export interface Pooler extends AsyncDisposable {
  /** The address of the database through the pooler. */
  readonly url: string
}

/** A client of the pooler, and its data that was not forwarded yet. */
interface PooledClient {
  readonly socket: Socket
  hasStarted: boolean
  unsent: Buffer[]
}

/** A query as a message of the protocol. */
function queryMessage(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(text.length + 4)
  return Buffer.concat([Buffer.from('Q'), length, text])
}

/**
 * Starts a pooler in transaction mode: all clients share one connection to the server, each for a transaction at a
 * time. Like PgBouncer before 1.21, it passes prepared statements on without keeping track of them.
 *
 * @param options `forgets`: each transaction finds no prepared statements, as if it had another connection to the server
 */
export async function startPooler(
  databaseUrl: string,
  { forgets = false }: { readonly forgets?: boolean } = {},
): Promise<Pooler> {
  const target = new URL(databaseUrl)
  const clients = new Set<PooledClient>()
  /** The connection to the server, once the first client has opened it. */
  let far: Socket | undefined
  /** The messages of the server at the beginning of a session, for the clients after the first. */
  const greeting: Buffer[] = []
  let isReady = false
  /** Whether the pooler has sent a query of its own, whose response no client gets. */
  let isCleaning = false
  /** Whether the server has still to respond to the owner. */
  let isBusy = false
  let owner: PooledClient | undefined

  function serveNext(): void {
    owner ??= [...clients].find((client) => (client.hasStarted ? isReady : !isReady) && client.unsent.length > 0)
    if (owner === undefined || far === undefined || isCleaning) return
    for (const data of owner.unsent.splice(0)) {
      isBusy = true
      far.write(data)
    }
  }

  function onMessage(message: Buffer): void {
    const type = message[0]
    if (type === backendKeyData) message.writeInt32BE(1, 5)
    if (!isReady) {
      const isAuthenticated = type !== authentication || message.readInt32BE(5) === 0
      if (isAuthenticated) greeting.push(message)
    }
    if (!isCleaning) owner?.socket.write(message)
    if (type !== readyForQuery) return
    isBusy = false
    if (message[5] !== idle) endOrphan()
    else if (forgets && isReady && !isCleaning) clean('deallocate all')
    else giveBack()
  }

  /** Gives the connection to the next client. */
  function giveBack(): void {
    isCleaning = false
    if (owner !== undefined) owner.hasStarted = true
    isReady = true
    owner = undefined
    for (const client of clients) greet(client)
    serveNext()
  }

  function clean(sql: string): void {
    isCleaning = true
    far?.write(queryMessage(sql))
  }

  /** Ends the transaction of a client that has gone. */
  function endOrphan(): void {
    if (owner !== undefined && !clients.has(owner) && !isBusy && !isCleaning) clean('rollback')
  }

  /** Begins the session of a client after the first: its startup message is not passed on. */
  function greet(client: PooledClient): void {
    if (!isReady || client.hasStarted || client.unsent.length === 0) return
    client.hasStarted = true
    client.unsent = []
    client.socket.write(Buffer.concat(greeting))
  }

  const server = createServer((socket) => {
    const client: PooledClient = { socket, hasStarted: false, unsent: [] }
    clients.add(client)
    far ??= connect(Number(target.port), target.hostname)
      .on('data', eachMessage(onMessage))
      .on('error', () => {})
    socket
      .on('error', () => {})
      .on('close', () => {
        clients.delete(client)
        endOrphan()
      })
    socket.on('data', (data: Buffer) => {
      // The end of a session is not passed on.
      if (client.hasStarted && data[0] === 0x58) return
      client.unsent.push(data)
      greet(client)
      serveNext()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      for (const { socket } of clients) socket.destroy()
      far?.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Splits the data of a server into its messages. */
function eachMessage(onMessage: (message: Buffer) => void): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (data) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1)
      onMessage(Buffer.from(rest.subarray(0, end)))
      rest = rest.subarray(end)
    }
  }
}
