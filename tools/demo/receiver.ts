import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { EventRecord, EventRecorder } from './event-record.ts'
import { createEventRecorder, parseEvents } from './event-record.ts'

/** A URL that receives events and the secret that signs them. */
export interface ReceiverEndpoint {
  readonly url: string
  readonly secret: string
}

/** The product's side of the webhooks: receives events, verifies every signature and keeps a record. */
export interface Receiver extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** The endpoint of a tenant; created with a new `whsec_` secret by the first call. */
  openEndpoint(name: string): ReceiverEndpoint
  /** The events received for a directory so far. */
  record(directoryId: string): EventRecord
  /** Requests with a valid and with an invalid signature. */
  readonly signatures: { readonly verified: number; readonly invalid: number }
  /** Waits until the condition holds, which is checked after every request. False on timeout or abort. */
  waitUntil(condition: () => boolean, timeoutMs: number, signal?: AbortSignal): Promise<boolean>
  close(): Promise<void>
}

export interface ReceiverOptions {
  /** The maximum number of events that are kept per directory. Default: 100. */
  readonly keepEvents?: number
}

/** Starts a receiver on a free port of the loopback interface. */
export async function startReceiver({ keepEvents = 100 }: ReceiverOptions = {}): Promise<Receiver> {
  const endpoints = new Map<string, ReceiverEndpoint>()
  const signatures = { verified: 0, invalid: 0 }
  const recorders = createRecorders(keepEvents)
  const arrivals = new EventTarget()

  const server = createServer(async (request, response) => {
    const endpoint = request.method === 'POST' ? endpoints.get(request.url ?? '') : undefined
    const status = endpoint === undefined ? 404 : await receive(request, endpoint, signatures, recorders)
    response.writeHead(status).end()
    arrivals.dispatchEvent(new Event('request'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return {
    url,
    signatures,
    openEndpoint: (name) => openEndpoint(endpoints, url, name),
    record: (directoryId) => recorders(directoryId).record,
    waitUntil: (condition, timeoutMs, signal) => waitUntil(arrivals, condition, timeoutMs, signal),
    close,
    [Symbol.asyncDispose]: close,
  }
}

type Recorders = (directoryId: string) => EventRecorder

function createRecorders(keepEvents: number): Recorders {
  const recorders = new Map<string, EventRecorder>()
  return (directoryId) => {
    const recorder = recorders.get(directoryId) ?? createEventRecorder(keepEvents)
    recorders.set(directoryId, recorder)
    return recorder
  }
}

function openEndpoint(endpoints: Map<string, ReceiverEndpoint>, url: string, name: string): ReceiverEndpoint {
  const path = `/${encodeURIComponent(name)}`
  const known = endpoints.get(path)
  if (known !== undefined) return known
  const endpoint = { url: url + path, secret: `whsec_${randomBytes(32).toString('base64')}` }
  endpoints.set(path, endpoint)
  return endpoint
}

/** Verifies one request, records its events and returns the HTTP status. */
async function receive(
  request: IncomingMessage,
  { secret }: ReceiverEndpoint,
  signatures: { verified: number; invalid: number },
  recorders: Recorders,
): Promise<number> {
  const body = await text(request).catch(() => undefined)
  if (body === undefined) return 400
  const payload = verifiedPayload(body, request, secret)
  if (payload === undefined) {
    signatures.invalid += 1
    return 401
  }
  signatures.verified += 1
  const receivedAt = Date.now()
  const events = parseEvents(payload, receivedAt)
  for (const event of events ?? []) recorders(event.directoryId).add(event, receivedAt)
  return events === undefined ? 400 : 204
}

/** The payload, or undefined when the signature is invalid or its time is more than five minutes off. */
export function verifiedPayload(body: string, request: IncomingMessage, secret: string): unknown {
  try {
    const key = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' })
    return key.verify(body, singleHeaders(request))
  } catch {
    return undefined
  }
}

function singleHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

function waitUntil(
  arrivals: EventTarget,
  condition: () => boolean,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (condition()) return Promise.resolve(true)
  return new Promise((resolve) => {
    const ending = new AbortController()
    const finish = (result: boolean) => {
      clearTimeout(timer)
      ending.abort()
      resolve(result)
    }
    const timer = setTimeout(() => finish(condition()), timeoutMs)
    const options = { signal: ending.signal }
    arrivals.addEventListener('request', () => condition() && finish(true), options)
    signal?.addEventListener('abort', () => finish(condition()), options)
    if (signal?.aborted) finish(condition())
  })
}
