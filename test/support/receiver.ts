import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { EventType } from '../../src/directory/event.ts'
import type { Row } from './client.ts'
import { eventProblem, noticeProblem } from './described-answers.ts'
import { hangTimeoutMs } from './eventually.ts'

/** An event as an endpoint receives it. */
export interface ReceivedEvent {
  readonly id: string
  readonly sequence: number
  readonly event: EventType
  readonly tenant: string
  readonly product: string
  readonly directory_id: string
  readonly request_id: string
  readonly created_at: string
  readonly data: Row & { readonly group?: Pick<Row, 'id' | 'name' | 'raw'>; readonly sync_id?: string }
  readonly changes?: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
}

/** One delivery attempt, with the status of the response. */
export interface Attempt {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The first event of the body. */
  readonly event: ReceivedEvent
  /** All events: several if the body is an array. */
  readonly events: readonly ReceivedEvent[]
  readonly status: number
}

/** Determines the response to an attempt by its first event. */
export type AnswerAttempt = (event: ReceivedEvent) => AttemptAnswer | Promise<AttemptAnswer>
export type AttemptAnswer =
  | number
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body?: string }

/** A product's endpoint, which verifies every signature and keeps what it receives. */
export interface Receiver extends AsyncDisposable {
  /** The fields that make a directory send its events here. */
  readonly endpoint: { readonly webhook_url: string; readonly webhook_secret: string }
  /** Every attempt with a valid signature, in the order of the responses. */
  readonly attempts: readonly Attempt[]
  /** The number of requests with an invalid signature, which got a 401. */
  refusedSignatures(): number
  /** The accepted events of a directory in order of arrival, including repeated deliveries. */
  events(directoryId: string): readonly ReceivedEvent[]
  /** Determines the responses from now on. */
  answer(how: AnswerAttempt): void
  /** Responds with a status from now on; 204 accepts events again. */
  answerWith(answer: AttemptAnswer): void
  /** Delays all responses until the returned function is called, which accepts the events. */
  hold(): () => void
  /** The number of attempts without a response. */
  waiting(): number
  /** Waits for a condition, which is checked again whenever an attempt arrives or gets its response. */
  until(condition: () => boolean, what?: string): Promise<void>
  /** Waits for the first `count` events of a directory. */
  firstEvents(directoryId: string, count: number): Promise<readonly ReceivedEvent[]>
}

export const testSecret: string = `whsec_${Buffer.alloc(24, 9).toString('base64')}`

const accepted: AttemptAnswer = 204

/** Starts a receiver on a free port. The secret is `whsec_…` or plain text. */
export async function startReceiver(secret: string = testSecret): Promise<Receiver> {
  const webhook = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' })
  const attempts: Attempt[] = []
  const byDirectory = new Map<string, ReceivedEvent[]>()
  const arrivals = new EventTarget()
  let [refused, waiting] = [0, 0]
  let how: AnswerAttempt = () => accepted

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const events = verified(webhook, body, request.headers)
    const [event] = events
    if (event === undefined) {
      refused += 1
      response.writeHead(401).end()
      return
    }
    waiting += 1
    notify()
    const answer = await how(event)
    waiting -= 1
    const {
      status,
      headers,
      body: sent = '',
    } = typeof answer === 'number' ? { status: answer, headers: {}, body: '' } : answer
    attempts.push({ headers: request.headers, body, event, events, status })
    if (status >= 200 && status < 300) events.forEach(keep)
    response.writeHead(status, headers).end(sent)
  }

  /** The first event of each type, and every notice to an operator, is compared with its description. */
  const types = new Set<string>()
  let problem: string | undefined

  function keep(event: ReceivedEvent): void {
    if (!('event' in event)) {
      problem ??= noticeProblem(event)
      return
    }
    if (!types.has(event.event)) problem ??= eventProblem(event)
    types.add(event.event)
    const events = byDirectory.get(event.directory_id) ?? []
    events.push(event)
    byDirectory.set(event.directory_id, events)
  }
  const notify = () => arrivals.dispatchEvent(new Event('change'))

  const server = createServer((request, response) => {
    // The sender may be killed in the middle of a request.
    take(request, response)
      .catch(() => response.destroy())
      .finally(notify)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const events = (directoryId: string) => {
    if (problem !== undefined) throw new Error(problem)
    return byDirectory.get(directoryId) ?? []
  }
  const until = async (condition: () => boolean, what = 'what the test waits for') => {
    const details = () => `${what}; ${attempts.length} attempts until now, ${refused} badly signed`
    await waitUntil(arrivals, condition, details)
    if (problem !== undefined) throw new Error(problem)
  }

  return {
    endpoint: { webhook_url: `http://127.0.0.1:${port}/events`, webhook_secret: secret },
    attempts,
    refusedSignatures: () => refused,
    events,
    answer(next) {
      how = next
    },
    answerWith(answer) {
      how = () => answer
    },
    hold() {
      const released = Promise.withResolvers<AttemptAnswer>()
      how = () => released.promise
      return () => {
        how = () => accepted
        released.resolve(accepted)
      }
    },
    waiting: () => waiting,
    until,
    async firstEvents(directoryId, count) {
      await until(() => events(directoryId).length >= count, `${count} events of the directory ${directoryId}`)
      return events(directoryId).slice(0, count)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The events of a body, a single one or an array; none if no signature is valid. */
function verified(webhook: Webhook, body: string, headers: IncomingHttpHeaders): readonly ReceivedEvent[] {
  try {
    const payload = webhook.verify(body, headers as Record<string, string>) as ReceivedEvent | ReceivedEvent[]
    return Array.isArray(payload) ? payload : [payload]
  } catch {
    return []
  }
}

function waitUntil(arrivals: EventTarget, condition: () => boolean, what: () => string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`waited ${hangTimeoutMs} ms for ${what()}`)), hangTimeoutMs)
  const look = () => {
    if (condition()) resolve()
  }
  arrivals.addEventListener('change', look)
  look()
  return promise.finally(() => {
    clearTimeout(timer)
    arrivals.removeEventListener('change', look)
  })
}
