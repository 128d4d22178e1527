import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import type { Answer } from './answer.ts'
import { readAnswer } from './answer.ts'

/** One kept-alive connection. The next request may be sent once the one before is answered. */
export interface Connection {
  /** Sends a request that is bytes already; tells the answer, or why there is none. */
  send(request: Buffer, onAnswer: (answer: Answer | Error) => void): void
  close(): void
}

const bufferBytes = 65_536
const nothing = Buffer.alloc(0)

/**
 * Connects. A bare socket rather than undici or autocannon: client and server share two cores, so what the client spends
 * the server does not get. Ready-made bytes out and a search for the end of the head back took 8 µs of CPU per request
 * where undici's `dispatch` took 15 and its `request`, with the body read, 26 (Node.js 24, 64 connections).
 */
export async function openConnection(port: number): Promise<Connection> {
  let pending: Buffer = nothing
  let waiting: ((answer: Answer | Error) => void) | undefined

  function tell(answer: Answer | Error): void {
    const onAnswer = waiting
    waiting = undefined
    pending = nothing
    onAnswer?.(answer)
  }

  function take(length: number, chunk: Uint8Array): boolean {
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, length)
    const bytes = pending.length === 0 ? fresh : Buffer.concat([pending, fresh])
    const answer = readAnswer(bytes)
    if (answer === undefined) pending = pending.length === 0 ? Buffer.from(fresh) : bytes
    else tell(answer)
    return true
  }

  const socket: Socket = connect({
    ...{ host: '127.0.0.1', port, noDelay: true },
    onread: { buffer: Buffer.alloc(bufferBytes), callback: take },
  })
  await once(socket, 'connect')
  socket.on('error', tell)
  socket.on('close', () => tell(new Error('the server closed the connection before it answered')))
  return {
    send(request, onAnswer) {
      waiting = onAnswer
      socket.write(request)
    },
    close: () => socket.destroy(),
  }
}

/** Opens so many connections, lends them, and closes them again. */
export async function withConnections<T>(
  port: number,
  count: number,
  work: (connections: readonly Connection[]) => Promise<T>,
): Promise<T> {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(port)))
  try {
    return await work(connections)
  } finally {
    for (const connection of connections) connection.close()
  }
}
