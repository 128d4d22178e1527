import { Socket } from 'node:net'
import { nextTick } from 'node:process'

/**
 * A socket that sends together what one turn writes. The driver corks and uncorks it for each statement; held until the
 * end of the turn, the statements of a transaction leave in one packet rather than one each.
 */
export function createSocket(): Socket {
  const socket = new Socket()
  const cork = socket.cork.bind(socket)
  let isHeld = false
  function letGo(): void {
    isHeld = false
    socket.uncork()
  }
  socket.cork = () => {
    cork()
    if (isHeld) return
    isHeld = true
    cork()
    nextTick(letGo)
  }
  return socket
}
