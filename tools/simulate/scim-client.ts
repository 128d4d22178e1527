import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, inflateSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { Pool } from 'undici'
import type { JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'
import type { Dialect } from './dialect.ts'
import type { ScimRequest, ScimResponse, Send } from './scim-call.ts'
import { CallFailed } from './scim-call.ts'
import type { AccessToken } from './sign-in.ts'
import type { Tally } from './tally.ts'

/** Connections to one directory's SCIM address. */
export interface ScimClient {
  readonly send: Send
  close(): Promise<void>
}

export interface ScimClientOptions {
  readonly scimUrl: string
  /** The SCIM secret, or access tokens. */
  readonly secret: string | AccessToken
  readonly headers: Dialect['headers']
  readonly connections: number
  readonly pace: Pace
  readonly tally: Tally
  readonly signal: AbortSignal | undefined
}

/** The timeout of both Okta and Entra. */
const timeoutMs = 60_000
/** The number of attempts that Okta makes. */
const maxAttempts = 10

/** A client that keeps its connections open and records every call in the tally. */
export function createScimClient(options: ScimClientOptions): ScimClient {
  const { origin, pathname } = new URL(options.scimUrl)
  const pool = new Pool(origin, {
    connections: options.connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const base = pathname.replace(/(?<!\/)\/+$/, '')
  return {
    send: (request) => sendWithRetries(options, request, () => exchange(pool, base, options, request)),
    close: () => pool.close(),
  }
}

interface Exchange {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: JsonObject
}

/** Sends at the configured rate, and again after a 429, or a 503 that says when, as long as attempts are left. */
async function sendWithRetries(
  { pace, tally, signal }: ScimClientOptions,
  request: ScimRequest,
  attempt: () => Promise<Exchange>,
): Promise<ScimResponse> {
  for (let tries = 1; ; tries += 1) {
    await pace()
    const { status, body, retryAfter } = await timed(tally, request, attempt)
    if (status >= 200 && status < 300) return { status, body }
    const isTemporary = status === 429 || (status === 503 && retryAfter !== undefined)
    if (!isTemporary || tries === maxAttempts) throw failure(tally, request, status, body)
    tally.throttled()
    await sleep(retryAfterMs(retryAfter), undefined, signal === undefined ? {} : { signal })
  }
}

async function timed(tally: Tally, request: ScimRequest, attempt: () => Promise<Exchange>): Promise<Exchange> {
  const startedAt = performance.now()
  try {
    const response = await attempt()
    tally.responded(request.kind, performance.now() - startedAt)
    return response
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
  const token = typeof secret === 'string' ? secret : await secret()
  const response = await pool.request({
    method,
    path: base + path,
    headers: { Authorization: `Bearer ${token}`, ...headers.always, ...(body === undefined ? {} : headers.withBody) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await readText(response)
  return { status: response.statusCode, retryAfter: single(response.headers['retry-after']), body: parseBody(text) }
}

async function readText({ body, headers }: Dispatcher.ResponseData): Promise<string> {
  const bytes = Buffer.from(await body.arrayBuffer())
  const encoding = single(headers['content-encoding'])
  if (encoding === 'gzip') return gunzipSync(bytes).toString()
  return (encoding === 'deflate' ? inflateSync(bytes) : bytes).toString()
}

/** The start of a body that is not a JSON object, such as a proxy's error page, becomes the error message. */
function parseBody(text: string): JsonObject {
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : { detail: text }
  } catch {
    return { detail: text.slice(0, 200) }
  }
}

function failure(tally: Tally, request: ScimRequest, status: number, body: JsonObject): CallFailed {
  const reason = own(body, 'detail')
  const detail = `${describe(request)}: ${typeof reason === 'string' && reason !== '' ? reason : 'no detail'}`
  tally.failed(status, detail)
  return new CallFailed(`${status} to ${detail}`, { status })
}

function describe({ method, path }: ScimRequest): string {
  return `${method} ${path}`
}

/** Parses whole seconds, as identity providers do; anything else counts as one second. */
function retryAfterMs(header: string | undefined): number {
  return header !== undefined && /^\d{1,5}$/.test(header) ? Number(header) * 1000 : 1000
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}

/** Node reports a refused connection to a host with several addresses as an AggregateError without a message. */
function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(messageOf).join('; ')
  return cause instanceof Error ? cause.message : String(cause)
}

/** Resolves when the next request may be sent; rejects with the signal's reason once that is aborted. */
export type Pace = () => Promise<void>

/**
 * Spaces requests evenly, whatever the number of callers. Unused time is not made up for, so there is never a burst. 0
 * means unlimited.
 */
export function createPace(ratePerSecond: number, signal: AbortSignal | undefined): Pace {
  if (ratePerSecond <= 0) return async () => signal?.throwIfAborted()
  const intervalMs = 1000 / ratePerSecond
  let nextAt = performance.now()
  return async () => {
    signal?.throwIfAborted()
    const now = performance.now()
    const sendAt = Math.max(now, nextAt)
    nextAt = sendAt + intervalMs
    if (sendAt > now) await sleep(sendAt - now, undefined, signal === undefined ? {} : { signal })
  }
}
