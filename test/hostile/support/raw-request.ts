import { connect } from 'node:net'

const timeoutMs = 5_000

/** Sends the head of a request byte by byte as it is given; answers the status of the answer, 0 when there is none. */
export async function rawStatus(origin: string, head: string): Promise<number> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.setTimeout(timeoutMs, () => socket.destroy())
  socket.on('error', () => {})
  socket.write(`${head}\r\nConnection: close\r\n\r\n`, 'latin1')
  let text = ''
  for await (const chunk of socket.setEncoding('latin1')) text += chunk
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0)
}
