import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Call } from './call.ts'

/** How long the responses stay unread. */
const unreadMs = 3_000

/**
 * Makes a call over many connections, one after the other, and reads none of the responses. In a process of its own, so
 * that other calls do not wait while the sockets are closed.
 */
export async function makeUnread(port: number, { bytes }: Call, connections: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), [String(port), String(connections), bytes.toString()])
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the connections could not be opened')
}

async function run(port: number, connections: number, request: string): Promise<void> {
  const sockets: Socket[] = []
  for (let n = 0; n < connections; n += 1) {
    const socket = connect({ host: '127.0.0.1', port })
    sockets.push(socket.on('error', () => {}).pause())
    await once(socket, 'connect')
    socket.write(request)
  }
  await pause(unreadMs)
  process.exit()
}

if (import.meta.main) {
  const [port, connections, request = ''] = process.argv.slice(2)
  await run(Number(port), Number(connections), request)
}
