import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, inflateSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { Pool } from 'undici'
import type { JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'
import type { Dialect } from './dialect.ts'
import type { ScimAnswer, ScimRequest, Send } from './scim-call.ts'
import { CallFailed } from './scim-call.ts'
import type { Tally } from './tally.ts'

/** Connections to one directory's SCIM address. */
export interface ScimClient {
  readonly send: Send
  close(): Promise<void>
}

export interface ScimClientOptions {
  readonly scimUrl: string
  readonly secret: string
  readonly headers: Dialect['headers']
  readonly connections: number
  readonly pace: Pace
  readonly tally: Tally
  readonly signal: AbortSignal | undefined
}

/** Both Okta and Entra give up after a minute. */
const timeoutMs = 60_000
/** Okta's number of tries. */
const maxThrottledTries = 10

/** A client that keeps its connections open and writes every call into the tally. */
export function createScimClient(options: ScimClientOptions): ScimClient {
  const { origin, pathname } = new URL(options.scimUrl)
  const pool = new Pool(origin, {
    connections: options.connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const base = pathname.replace(/\/+$/, '')
  return {
    send: (request) => sendPatiently(options, request, () => exchange(pool, base, options, request)),
    close: () => pool.close(),
  }
}

interface Exchange {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: JsonObject
}

/** Waits for its turn, tries, and comes back later as often as the service asks for it. */
async function sendPatiently(
  { pace, tally, signal }: ScimClientOptions,
  request: ScimRequest,
  attempt: () => Promise<Exchange>,
): Promise<ScimAnswer> {
  for (let tries = 1; ; tries += 1) {
    await pace()
    const { status, body, retryAfter } = await timed(tally, request, attempt)
    if (status >= 200 && status < 300) return { status, body }
    if (status !== 429 || tries === maxThrottledTries) throw refusal(tally, request, status, body)
    tally.throttled()
    await sleep(retryAfterMs(retryAfter), undefined, signal === undefined ? {} : { signal })
  }
}

async function timed(tally: Tally, request: ScimRequest, attempt: () => Promise<Exchange>): Promise<Exchange> {
  const startedAt = performance.now()
  try {
    const answer = await attempt()
    tally.answered(request.kind, performance.now() - startedAt)
    return answer
  } catch (cause) {
    const detail = `${describe(request)}: ${messageOf(cause)}`
    tally.failed(undefined, detail)
    throw new CallFailed(detail, { cause })
  }
}

async function exchange(
  pool: Pool,
  base: string,
  { secret, headers }: ScimClientOptions,
  { method, path, body }: ScimRequest,
): Promise<Exchange> {
  const answer = await pool.request({
    method,
    path: base + path,
    headers: { Authorization: `Bearer ${secret}`, ...headers.always, ...(body === undefined ? {} : headers.withBody) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await readText(answer)
  return { status: answer.statusCode, retryAfter: single(answer.headers['retry-after']), body: parseBody(text) }
}

async function readText({ body, headers }: Dispatcher.ResponseData): Promise<string> {
  const bytes = Buffer.from(await body.arrayBuffer())
  const encoding = single(headers['content-encoding'])
  if (encoding === 'gzip') return gunzipSync(bytes).toString()
  return (encoding === 'deflate' ? inflateSync(bytes) : bytes).toString()
}

/** What is not a JSON object, as a proxy's error page, is kept for the message. */
function parseBody(text: string): JsonObject {
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : { detail: text }
  } catch {
    return { detail: text.slice(0, 200) }
  }
}

function refusal(tally: Tally, request: ScimRequest, status: number, body: JsonObject): CallFailed {
  const said = own(body, 'detail')
  const detail = `${describe(request)}: ${typeof said === 'string' && said !== '' ? said : 'no detail'}`
  tally.failed(status, detail)
  return new CallFailed(`${status} to ${detail}`)
}

function describe({ method, path }: ScimRequest): string {
  return `${method} ${path}`
}

/** Whole seconds, as identity providers read it; anything else counts as one second. */
function retryAfterMs(header: string | undefined): number {
  return header !== undefined && /^\d{1,5}$/.test(header) ? Number(header) * 1000 : 1000
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}

/** A refused connection to a name with several addresses is an AggregateError without a message of its own. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(messageOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}

/** Resolves when it is the next request's turn; rejects with the signal's reason once that is aborted. */
export type Pace = () => Promise<void>

/**
 * Turns at an even distance, however many callers wait for one. A turn that nobody took is not made up for, so there
 * is never a burst. Zero requests per second: every turn is now.
 */
export function createPace(ratePerSecond: number, signal: AbortSignal | undefined): Pace {
  if (ratePerSecond <= 0) return async () => signal?.throwIfAborted()
  const distanceMs = 1000 / ratePerSecond
  let nextAt = performance.now()
  return async () => {
    signal?.throwIfAborted()
    const now = performance.now()
    const turnAt = Math.max(now, nextAt)
    nextAt = turnAt + distanceMs
    if (turnAt > now) await sleep(turnAt - now, undefined, signal === undefined ? {} : { signal })
  }
}
