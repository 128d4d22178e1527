import { connect } from 'node:net'

const timeoutMs = 5_000

/** Sends the raw head of a request; resolves with the status of the response, or 0 when there is none. */
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

/** Sends the beginning of a request and disconnects as soon as a response begins or the server disconnects. */
export async function tornRequest(origin: string, beginning: string): Promise<void> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.setTimeout(timeoutMs, () => socket.destroy())
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.once('data', () => socket.resetAndDestroy())
  socket.write(beginning, 'latin1')
  if (!beginning.endsWith('\r\n\r\n')) socket.end()
  await closed
}
