import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A network between a process and its database, which can be lost without either end noticing. */
export interface Network extends AsyncDisposable {
  /** The address of the database through this network. */
  readonly url: string
  /** Stops forwarding without closing anything; new connections get no response either. */
  lose(): void
  /**
   * Resumes forwarding, including data sent in the meantime. Connections that were opened in the meantime are reset.
   */
  restore(): void
  /** Leads new connections to the server of another URL, and ends all others. */
  leadTo(databaseUrl: string): void
  /** Forwards everything later by this time, in milliseconds; 0 for at once. */
  delayBy(delayMs: number): void
  /** The number of connections so far, and of those that are open. */
  opened(): number
  open(): number
}

/**
 * Starts a network to the server of a PostgreSQL URL.
 *
 * @param change may change the data that the server sends
 */
export async function startNetwork(databaseUrl: string, change = (data: Buffer) => data): Promise<Network> {
  let target = new URL(databaseUrl)
  const pairs = new Set<readonly [Socket, Socket]>()
  const stillborn = new Set<Socket>()
  let isLost = false
  let delayMs = 0
  let count = 0

  const server = createServer((near) => {
    near.on('error', () => {})
    if (isLost) {
      stillborn.add(near.pause())
      return
    }
    const far = connect(Number(target.port), target.hostname)
    const pair = [near, far] as const
    pairs.add(pair)
    count += 1
    join(near, far, { delay: () => delayMs })
    join(far, near, { delay: () => delayMs, change })
    far.once('close', () => pairs.delete(pair))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    lose() {
      isLost = true
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    restore() {
      isLost = false
      for (const pair of pairs) for (const socket of pair) socket.resume()
      for (const socket of stillborn) socket.destroy()
      stillborn.clear()
    },
    leadTo(otherUrl) {
      target = new URL(otherUrl)
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
    delayBy(ms) {
      delayMs = ms
    },
    opened: () => count,
    open: () => pairs.size,
    async [Symbol.asyncDispose]() {
      for (const socket of [...pairs, [...stillborn]].flat()) socket.destroy()
      server.close()
    },
  }
}

interface Direction {
  /** The present delay, in milliseconds. */
  readonly delay: () => number
  readonly change?: (data: Buffer) => Buffer
}

function join(from: Socket, to: Socket, { delay, change = (data) => data }: Direction): void {
  let forwarded = Promise.resolve()
  let waiting = 0

  /** Forwards after the delay, and after everything before it. */
  function forward(act: () => void): void {
    const dueAt = performance.now() + delay()
    if (waiting === 0 && delay() === 0) {
      act()
      return
    }
    waiting += 1
    forwarded = forwarded.then(async () => {
      await pause(Math.max(0, dueAt - performance.now()))
      waiting -= 1
      act()
    })
  }

  from.on('data', (data) => forward(() => to.write(change(data))))
  from.on('end', () => forward(() => to.end()))
  from.on('error', () => {})
  from.on('close', () => to.destroy())
}

/** Changes the process id in the message `BackendKeyData`, as a pooler does, which has process ids of its own. */
export function withOtherProcessId(data: Buffer): Buffer {
  const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
  if (at >= 0) data.writeInt32BE(1, at + 5)
  return data
}
