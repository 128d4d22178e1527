import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../load/monotonic.ts'
import { answerParent } from './answer-parent.ts'
import type { Accepted } from './messages.ts'

/**
 * A product's endpoint that counts events. POST /gated returns 503 until PUT /open, and again after PUT /close; POST
 * /batch is the same for arrays of events; POST /slow takes two seconds, until PUT /fast; POST /hang gets no response.
 * GET /received?by=<path>&events=<n> waits until that path has accepted that many events.
 */
let slowMs = 2_000
let isOpen = false
const accepted = new Map<string, Accepted>()
const waiting = new Set<() => void>()

const acceptedBy = (path: string): Accepted => accepted.get(path) ?? { events: 0, lastAtMs: 0 }

function accept(response: ServerResponse, path: string, lastAtMs: number, events = 1): void {
  accepted.set(path, { events: acceptedBy(path).events + events, lastAtMs })
  response.writeHead(204).end()
  for (const notify of waiting) notify()
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'retry-after': '3600' }).end()
}

function respondWhenAccepted(response: ServerResponse, path: string, events: number): void {
  const respond = () => {
    if (acceptedBy(path).events < events) return
    waiting.delete(respond)
    response.end(JSON.stringify(acceptedBy(path)))
  }
  waiting.add(respond)
  respond()
}

function set(response: ServerResponse, change: string): void {
  if (change === '/fast') slowMs = 0
  else isOpen = change === '/open'
  response.writeHead(204).end()
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAtMs = monotonicMs()
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://receiver')
  if (pathname === '/batch') {
    const { length } = (await json(request)) as unknown[]
    return isOpen ? accept(response, pathname, arrivedAtMs, length) : refuse(response)
  }
  await once(request.resume(), 'end')
  switch (pathname) {
    case '/gated':
      return isOpen ? accept(response, pathname, arrivedAtMs) : refuse(response)
    case '/slow':
      if (slowMs > 0) await pause(slowMs)
      return accept(response, pathname, arrivedAtMs)
    case '/hang':
      return
    case '/received':
      return respondWhenAccepted(response, searchParams.get('by') ?? '', Number(searchParams.get('events')))
    default:
      return set(response, pathname)
  }
}

const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
answerParent(port, async () => server.closeAllConnections())
