import type { Socket } from 'node:dgram'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A name server on a free port; it knows IPv4 addresses only. */
export interface NameServer extends AsyncDisposable {
  /** The address in the form of `dns.setServers`. */
  readonly address: string
  /** The names of the questions for IPv4 addresses, in the order in which they arrived. */
  readonly questions: readonly string[]
}

const noError = 0
const noSuchName = 3
const typeA = 1

/**
 * @param addressOf the IPv4 address of a name, undefined when the name does not exist, or `silence` to send no response;
 *   or a promise of it
 */
export async function startNameServer(addressOf: (name: string) => Answer | Promise<Answer>): Promise<NameServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', async (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    if (type === typeA) questions.push(name)
    const found = await addressOf(name)
    if (found === silence) return
    const records = found !== undefined && type === typeA ? [recordOf(found)] : []
    socket.send(responseTo(query.subarray(0, end), found === undefined ? noSuchName : noError, records), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: () => close(socket),
  }
}

export const silence = Symbol('silence')

type Answer = string | undefined | typeof silence

const headerLength = 12

/** RFC 1035 §4.1.2. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let position = headerLength
  for (let length = query.readUInt8(position); length > 0; length = query.readUInt8(position)) {
    labels.push(query.toString('latin1', position + 1, position + 1 + length))
    position += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(position + 1), end: position + 5 }
}

/** RFC 1035 §4.1.3; the name is that of the question. */
function recordOf(address: string): Buffer {
  const nameTypeClassTtlLength = [0xc0, headerLength, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4]
  return Buffer.from([...nameTypeClassTtlLength, ...address.split('.').map(Number)])
}

function responseTo(question: Buffer, code: number, records: readonly Buffer[]): Buffer {
  const response = Buffer.concat([question, ...records])
  response.writeUInt16BE(0x8180 | code, 2)
  response.writeUInt16BE(records.length, 6)
  response.writeUInt32BE(0, 8)
  return response
}

async function close(socket: Socket): Promise<void> {
  const closed = once(socket, 'close')
  socket.close()
  await closed
}
