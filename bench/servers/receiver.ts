import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../load/monotonic.ts'
import { answerParent } from './answer-parent.ts'
import type { Accepted } from './messages.ts'

/**
 * A product's endpoint that counts events. POST /fast is accepted at once; POST /slow takes two seconds, until PUT /hurry; POST /hang
 * gets no response. GET /received?by=<path>&events=<n> waits until that path has accepted that many events.
 */
let slowMs = 2_000
const accepted = new Map<string, Accepted>()
const waiting = new Set<() => void>()

const acceptedBy = (path: string): Accepted => accepted.get(path) ?? { events: 0, lastAtMs: 0 }

function accept(response: ServerResponse, path: string, lastAtMs: number): void {
  accepted.set(path, { events: acceptedBy(path).events + 1, lastAtMs })
  response.writeHead(204).end()
  for (const notify of waiting) notify()
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

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAtMs = monotonicMs()
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://receiver')
  await once(request.resume(), 'end')
  switch (pathname) {
    case '/fast':
      return accept(response, pathname, arrivedAtMs)
    case '/slow':
      if (slowMs > 0) await pause(slowMs)
      return accept(response, pathname, arrivedAtMs)
    case '/hang':
      return
    case '/received':
      return respondWhenAccepted(response, searchParams.get('by') ?? '', Number(searchParams.get('events')))
    case '/hurry':
      slowMs = 0
  }
  response.writeHead(204).end()
}

const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
answerParent(port, async () => server.closeAllConnections())
