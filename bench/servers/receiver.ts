import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../load/monotonic.ts'
import { answerParent } from './answer-parent.ts'
import type { Taken } from './messages.ts'

/**
 * A product's endpoint that counts events. POST /gated returns 503 until PUT /open, and again after PUT /close; POST /batch is the
 * same for arrays of events; POST /slow takes two seconds, until PUT /hurry. GET /taken?by=<path>&events=<n> waits until that path
 * has accepted that many events.
 */
let slowMs = 2_000
let isOpen = false
const taken = new Map<string, Taken>()
const waiting = new Set<() => void>()

const takenBy = (path: string): Taken => taken.get(path) ?? { events: 0, lastAtMs: 0 }

function take(response: ServerResponse, path: string, lastAtMs: number, events = 1): void {
  taken.set(path, { events: takenBy(path).events + events, lastAtMs })
  response.writeHead(204).end()
  for (const tell of waiting) tell()
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'retry-after': '3600' }).end()
}

function answerWhenTaken(response: ServerResponse, path: string, events: number): void {
  const tell = () => {
    if (takenBy(path).events < events) return
    waiting.delete(tell)
    response.end(JSON.stringify(takenBy(path)))
  }
  waiting.add(tell)
  tell()
}

function set(response: ServerResponse, change: string): void {
  if (change === '/hurry') slowMs = 0
  else isOpen = change === '/open'
  response.writeHead(204).end()
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAtMs = monotonicMs()
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://receiver')
  if (pathname === '/batch') {
    const { length } = (await json(request)) as unknown[]
    return isOpen ? take(response, pathname, arrivedAtMs, length) : refuse(response)
  }
  await once(request.resume(), 'end')
  switch (pathname) {
    case '/gated':
      return isOpen ? take(response, pathname, arrivedAtMs) : refuse(response)
    case '/slow':
      if (slowMs > 0) await pause(slowMs)
      return take(response, pathname, arrivedAtMs)
    case '/taken':
      return answerWhenTaken(response, searchParams.get('by') ?? '', Number(searchParams.get('events')))
    default:
      return set(response, pathname)
  }
}

const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
answerParent(port, async () => server.closeAllConnections())
