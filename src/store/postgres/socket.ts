import { Socket } from 'node:net'
import { nextTick } from 'node:process'

/**
 * A socket that sends in one packet what one turn of the event loop writes. The driver corks and uncorks it for each
 * statement; here it stays corked until the end of the turn, for all statements of a transaction.
 */
export function createSocket(): Socket {
  const socket = new Socket()
  const cork = socket.cork.bind(socket)
  let isHeld = false
  function release(): void {
    isHeld = false
    socket.uncork()
  }
  socket.cork = () => {
    cork()
    if (isHeld) return
    isHeld = true
    cork()
    nextTick(release)
  }
  return socket
}
