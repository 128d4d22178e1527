import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import type { Answer } from './answer.ts'
import { readAnswer } from './answer.ts'

/** One keep-alive connection. Wait for a response before sending the next request. */
export interface Connection {
  /** Sends a prepared request; `onAnswer` gets the response, or the error if there is none. */
  send(request: Buffer, onAnswer: (answer: Answer | Error) => void): void
  close(): void
}

const bufferBytes = 65_536

/** Bytes that arrive in pieces. Its capacity doubles, so that a long response is not copied for every piece of it. */
function createGrowingBuffer() {
  let bytes = Buffer.alloc(0)
  let length = 0
  return {
    isEmpty: () => length === 0,
    /** Returns all bytes so far. */
    append(piece: Buffer): Buffer {
      if (length + piece.length > bytes.length) {
        const larger = Buffer.allocUnsafe(2 * (length + piece.length))
        bytes.copy(larger, 0, 0, length)
        bytes = larger
      }
      length += piece.copy(bytes, length)
      return bytes.subarray(0, length)
    },
    clear() {
      if (length > 0) bytes = Buffer.alloc(0)
      length = 0
    },
  }
}

/**
 * Connects with a bare socket instead of undici or autocannon, because client and server share two cores: it takes a
 * third of the CPU time of undici's `request`.
 */
export async function openConnection(port: number): Promise<Connection> {
  const pending = createGrowingBuffer()
  let waiting: ((answer: Answer | Error) => void) | undefined

  function settle(answer: Answer | Error): void {
    const onAnswer = waiting
    waiting = undefined
    pending.clear()
    onAnswer?.(answer)
  }

  function receive(length: number, chunk: Uint8Array): boolean {
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, length)
    const whole = pending.isEmpty() ? readAnswer(fresh) : undefined
    const answer = whole ?? readAnswer(pending.append(fresh))
    if (answer !== undefined) settle(answer)
    return true
  }

  const socket: Socket = connect({
    ...{ host: '127.0.0.1', port, noDelay: true },
    onread: { buffer: Buffer.alloc(bufferBytes), callback: receive },
  })
  await once(socket, 'connect')
  socket.on('error', settle)
  socket.on('close', () => settle(new Error('the server closed the connection before it responded')))
  return {
    send(request, onAnswer) {
      waiting = onAnswer
      socket.write(request)
    },
    close: () => socket.destroy(),
  }
}

/** Opens connections, runs `work` with them, and closes them. */
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
