import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The limits for the connections of a server, with or without a key. */
export interface ConnectionLimits {
  /** The maximum number of connections. With more, the one that has begun no request for the longest is closed. */
  readonly connections: number
  /** The maximum number of connections with further requests that wait, with up to 128 KB each. */
  readonly waiting: number
}

/** The maximum number of unanswered requests of a connection: the one that is processed, and the next. */
const maxUnanswered = 2
/** The requests that are parsed for a connection in one turn of the event loop, even if they are answered immediately. */
const maxPerTurn = 16
const defaultLimits: ConnectionLimits = { connections: 2_048, waiting: 32 }

/**
 * Bounds the connections of a server, and the requests of each connection that are unanswered. Node.js parses all
 * requests that arrive together, thousands in 64 KB, and processes them concurrently.
 */
export function limitConnections(server: Server, limits: Partial<ConnectionLimits> = {}): void {
  const most = { ...defaultLimits, ...limits }
  const connections = new Map<Socket, Connection>()
  // A set is in the order in which its elements were added: the first one has been in it for the longest.
  const [quiet, waiting] = [new Set<Socket>(), new Set<Socket>()]

  server.on('connection', (socket: Socket) => {
    if (connections.size >= most.connections) close(longestQuiet() ?? socket)
    if (socket.destroyed) return
    const onWait = (isWaiting: boolean) => {
      waiting.delete(socket)
      if (isWaiting) waiting.add(socket)
      const [first] = waiting
      if (first !== undefined && waiting.size > most.waiting) close(first)
    }
    connections.set(socket, readInSteps(socket, onWait))
    quiet.add(socket)
    socket.once('close', () => forget(socket))
  })
  // Before the request is processed, as it may be answered at once.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request
    const connection = connections.get(socket)
    if (connection === undefined) return
    connection.begin(request)
    quiet.delete(socket)
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) quiet.add(socket)
    response.once('close', () => {
      if (connection.end() > 0 || !connections.has(socket)) return
      quiet.delete(socket)
      quiet.add(socket)
    })
  })

  /** The connection that has begun no request for the longest, and is not waiting for a response. */
  function longestQuiet(): Socket | undefined {
    for (const socket of quiet) if (connections.get(socket)?.isExpecting() === true) return socket
    return undefined
  }

  function close(socket: Socket): void {
    forget(socket)
    socket.destroy()
  }

  function forget(socket: Socket): void {
    for (const each of [connections, quiet, waiting]) each.delete(socket)
  }
}

/** The requests of a connection. */
interface Connection {
  begin(request: IncomingMessage): void
  /** Returns how many requests are left. */
  end(): number
  /** Returns whether the client may begin a request, or has not sent all of the last one. */
  isExpecting(): boolean
}

/**
 * Passes what arrives to the parser of Node.js request by request, and leaves the rest in the socket while the
 * connection has enough unanswered requests, so that its client waits.
 */
function readInSteps(socket: Socket, onWait: (isWaiting: boolean) => void): Connection {
  const [parse] = socket.listeners('data') as [(bytes: Buffer) => void]
  let unanswered = 0
  let last: IncomingMessage | undefined
  let isWaiting = false
  let isScheduled = false
  socket.off('data', parse)
  socket.on('data', receive)

  function receive(bytes: Buffer): void {
    let rest = bytes
    let parsed = 0
    // Node.js pauses a socket, too: when the client does not read, or the body is not read.
    while (rest.length > 0 && !socket.destroyed && !socket.isPaused()) {
      // The end of a request resumes a socket that waits.
      if (isWaiting || unanswered >= maxUnanswered || parsed === maxPerTurn) {
        wait()
        break
      }
      const end = endOfHead(rest)
      parse(end === rest.length ? rest : rest.subarray(0, end))
      parsed += 1
      rest = rest.subarray(end)
    }
    if (rest.length > 0 && !socket.destroyed) socket.unshift(rest)
  }

  function wait(): void {
    socket.pause()
    if (isWaiting) return
    isWaiting = true
    onWait(true)
    proceedNextTurn()
  }

  /** Serves other connections in between. */
  function proceedNextTurn(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      if (unanswered >= maxUnanswered) return
      isWaiting = false
      onWait(false)
      socket.resume()
    })
  }

  return {
    begin(request) {
      unanswered += 1
      last = request
    },
    end() {
      unanswered -= 1
      if (isWaiting) proceedNextTurn()
      return unanswered
    },
    isExpecting: () => last?.complete !== true,
  }
}

const emptyLine = Buffer.from('\r\n\r\n')
/** No request is shorter: `GET /` and an empty line. */
const shortestHead = 9

/**
 * Returns the end of bytes in which at most one request begins to be processed: behind the first empty line, or the end
 * of all bytes if there is no second one.
 */
function endOfHead(bytes: Buffer): number {
  const first = bytes.indexOf(emptyLine, shortestHead - emptyLine.length)
  const end = first + emptyLine.length
  if (first === -1 || end === bytes.length) return bytes.length
  return bytes.includes(emptyLine, end) ? end : bytes.length
}
