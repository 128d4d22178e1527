import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import { DirectoryError } from '../directory/errors.ts'
import { smallBody } from './json-body.ts'
import { createLedger } from './ledger.ts'
import { JsonStream, TextStream } from './responses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes that count for the request until its response is known; undefined before and after that. */
    share: { readonly key: string; readonly cost: number } | undefined
  }
}

/** The expected length of most responses. Requests with a higher cost, for their body or response, are large. */
const ordinaryLength = 65_536
/** The maximum number of concurrent requests of a key that are not large. */
const ordinaryRequests = 64
/** The length that each resource of a list holds until it is sent: as a row, an object and JSON. */
const listedLength = 8_192
/** The expected length of a group, and of a list of unknown size. */
const longLength = 524_288
/** The minimum length that a streamed response holds: the rows that are read together, and a chunk. */
const streamedLength = 131_072
/** The length that a response with a long file holds: a chunk. */
const fileLength = 65_536
/** Responses up to this length are not counted: the operating system buffers them until the client reads. */
const smallResponse = 16_384
/** The maximum number of bytes of unread responses to requests without a key: files, pages and metrics. */
const largestUnkeyed = 8_388_608
/** The bytes of the concurrent large requests of all keys; each key can always have one of the largest. */
const largeRequests = 33_554_432
/** The maximum number of waiting requests of a key, counted separately for small and large ones. */
const maxWaiting = 128
/** Time after which a waiting request is rejected, in milliseconds. */
const defaultWaitMs = 10_000
/** Time after which a long response is closed if the client has read nothing of it, in milliseconds. */
const stalledAfterMs = 30_000

export interface AdmissionOptions {
  /** Returns the tenant or caller that a request counts for; undefined: only its unread response counts. */
  readonly keyOf: (request: FastifyRequest) => string | undefined
  /** The size of the largest body, in bytes. */
  readonly largestBody: number
  /** The time slices of the process: each chunk of a stream uses one. */
  readonly slices: TimeSlices
  readonly waitMs?: number
}

/**
 * Decides when a request is processed, by the bytes that the process holds for it: its body, its expected response, and
 * the unread responses of the tenant or of the holder of the API key. Without this, a few thousand connections could
 * exhaust the memory. A request beyond the share waits before its body is read, and gets a 503 when it waits too long
 * or too many wait.
 */
export function admitRequests(app: FastifyInstance, options: AdmissionOptions): void {
  const { keyOf, largestBody, slices, waitMs = defaultWaitMs } = options
  const smallPerKey = ordinaryRequests * ordinaryLength
  // The largest request has the largest body and a long response.
  const perKey = smallPerKey + longLength + largestBody
  const largeTotal = Math.max(largeRequests, perKey)
  const ledger = createLedger({ smallCost: ordinaryLength, smallPerKey, perKey, largeTotal, waiting: maxWaiting })
  const holdUnkeyed = createUnkeyed(largestUnkeyed)
  app.decorateRequest('share', undefined)
  app.addHook('preParsing', (request, reply, payload, done) => {
    const key = keyOf(request)
    if (isBodyIgnored(request)) request.raw.resume()
    if (key === undefined) return done(null, payload)
    const cost = expectedLength(request) + bodyCost(request)
    const begin = () => {
      // The body of a request whose client has disconnected never ends.
      if (reply.raw.closed) {
        ledger.end(key, cost)
        return done(disconnected())
      }
      request.share = { key, cost }
      done(null, payload)
    }
    if (ledger.tryBegin(key, cost)) return begin()
    if (ledger.isFull(key, cost)) return done(busyError())
    const waiting = waitingRequest(reply.raw, waitMs)
    ledger
      .begin(key, cost, waiting.signal)
      .then(async () => {
        // When many clients disconnect at once, the process learns of them before the next request begins.
        await nextTurn()
        begin()
      })
      .catch(done)
      .finally(waiting.end)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const { share } = request
    request.share = undefined
    const key = share?.key ?? 'none'
    const response = reply.raw
    if (isEventStream(reply)) {
      // Streams count under a key of their own, so that an unread one does not block other requests; its reader can
      // reconnect.
      if (payload instanceof TextStream) payload.heldBy((chunk) => holdChunk(`stream ${key}`, chunk, response))
    } else {
      const length = lengthOf(payload, request)
      if ((length > smallResponse || isBehindUnread(request)) && !response.closed) {
        response.once('close', share === undefined ? holdUnkeyed(response, length) : ledger.hold(key, length))
        response.setTimeout(stalledAfterMs)
        // The pieces of a stream count by their actual length, as far as it exceeds the expected one.
        if (payload instanceof JsonStream) payload.heldBy((piece) => ledger.hold(key, Math.max(0, piece - length)))
      }
    }
    if (share !== undefined) ledger.end(share.key, share.cost)
    if (payload instanceof JsonStream) payload.inTurns(() => slices.next(key))
    done()
  })

  /**
   * Counts a chunk of a stream of events until it is read. Ends the stream when the streams of the key hold too much.
   */
  function holdChunk(key: string, bytes: number, response: ServerResponse): () => void {
    if (ledger.of(key) + bytes > perKey) response.destroy()
    return ledger.hold(key, bytes)
  }
}

/**
 * The expected length of a response: that of one resource for an address that ends with an id, and for a lookup by a
 * condition, which mostly finds one.
 */
function expectedLength({ method, routeOptions: { url = '' }, query }: FastifyRequest): number {
  const isSearch = url.endsWith('/.search')
  if (!isSearch && method !== 'GET') return ordinaryLength
  // Linear: a name contains no slash.
  if (/\/:\w+$/.test(url)) return /groups/i.test(url) ? longLength : ordinaryLength
  const { count, pageLimit, limit, ...others } = query as Record<string, unknown>
  const size = Number(count ?? pageLimit ?? limit)
  if (size >= 0) return Math.min(Math.max(size * listedLength, ordinaryLength), longLength)
  return conditions.some((name) => others[name] !== undefined) ? ordinaryLength : longLength
}

/** The parameters that look up a single user or group. */
const conditions = ['filter', 'email', 'user_name', 'name'] as const

/** The bytes of a large body. A body that is too large is not read at all. */
function bodyCost(request: FastifyRequest): number {
  const bytes = bodySize(request)
  return bytes > smallBody && bytes <= request.routeOptions.bodyLimit ? bytes : 0
}

/** The size of a body in bytes; for a chunked body, the maximum that the route accepts. */
export function bodySize({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  if (length === undefined) return encoding === undefined ? 0 : bodyLimit
  return Number(length)
}

function lengthOf(payload: unknown, request: FastifyRequest): number {
  if (payload === null || payload === undefined) return 0
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length
  return payload instanceof JsonStream ? Math.max(expectedLength(request), streamedLength) : fileLength
}

/** Returns whether the client has not read what was sent before. */
function isBehindUnread({ raw: { socket } }: FastifyRequest): boolean {
  return socket.writableLength > 0
}

/** Returns whether a request has a body that is not read, and would stay in memory until the response has been read. */
function isBodyIgnored({ method, headers }: FastifyRequest): boolean {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasBody && (method === 'GET' || method === 'HEAD')
}

/**
 * Counts the unread responses to requests without a key. While they hold too much, those that have been unread for the
 * longest are closed: who reads is done sooner.
 */
function createUnkeyed(limit: number): (response: ServerResponse, bytes: number) => () => void {
  const unread = new Map<ServerResponse, number>()
  let total = 0

  function release(response: ServerResponse): void {
    total -= unread.get(response) ?? 0
    unread.delete(response)
  }

  return (response, bytes) => {
    unread.set(response, bytes)
    total += bytes
    for (const first of unread.keys()) {
      if (total <= limit || first === response) break
      release(first)
      first.destroy()
    }
    return () => release(response)
  }
}

function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream')
}

/** A waiting request. */
interface WaitingRequest {
  /** Aborts when the request has waited too long, or when its client has disconnected. */
  readonly signal: AbortSignal
  /** Must be called when the wait ends. */
  end(): void
}

function waitingRequest(response: ServerResponse, waitMs: number): WaitingRequest {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(busyError()), waitMs)
  const onClose = () => waiting.abort(disconnected())
  response.once('close', onClose)
  return {
    signal: waiting.signal,
    end(): void {
      clearTimeout(timer)
      response.off('close', onClose)
    },
  }
}

/** Aborts when the client has closed the connection, so that nobody waits for the response. */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const client = new AbortController()
  const onClose = () => client.abort(disconnected())
  if (raw.closed) onClose()
  else raw.once('close', onClose)
  return client.signal
}

/** The error of a request whose client does not get it. */
function disconnected(): DirectoryError {
  return new DirectoryError('busy', 'The client has closed the connection.')
}

/** The error of a request that can be sent again in a few seconds. */
function busyError(): DirectoryError {
  const message =
    'Too many requests are being processed, or their responses have not been read: read them, then send the request again.'
  return new DirectoryError('busy', message, [], 5)
}
