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
    /** The bytes that count for the request until its response is known; undefined before and after. */
    share: { readonly key: string; readonly cost: number } | undefined
  }
}

/** The expected length of most responses. Requests that cost more, for their body or their response, are large. */
const ordinaryLength = 65_536
/** The requests of a key at a time that are not large. */
const ordinaryRequests = 64
/** The expected length of each resource in a list. */
const listedLength = 2_048
/** The expected length of a group, and of a list whose size is not known. */
const longLength = 524_288
/** The length that a streamed response holds at least: the rows that are read together, and a chunk. */
const streamedLength = 131_072
/** Responses up to this length are not counted: the operating system holds them until the client reads. */
const smallResponse = 16_384
/** The bytes of the large requests of all keys at a time; a key can always have one of the largest. */
const largeRequests = 33_554_432
/** The small and the large requests of a key that wait. */
const maxWaiting = 128
/** How long a request waits before it is rejected. */
const defaultWaitMs = 10_000
/** A long response of which the client has read nothing for this long is closed. */
const stalledAfterMs = 30_000

export interface AdmissionOptions {
  /** Returns the tenant or caller whose share a request takes; undefined: it takes none. */
  readonly keyOf: (request: FastifyRequest) => string | undefined
  /** The size of the largest body, in bytes. */
  readonly largestBody: number
  /** Those of the process: each chunk of a stream takes one. */
  readonly slices: TimeSlices
  readonly waitMs?: number
}

/**
 * Decides when a request is processed, by the bytes that it makes the process hold: its body, its expected response, and the
 * responses that the tenant, or the holder of the API key, has not read. Otherwise a few thousand connections could take all
 * memory. A request beyond the share waits before its body is read, and is answered with 503 when it waits too long or when
 * too many wait.
 */
export function admitRequests(app: FastifyInstance, options: AdmissionOptions): void {
  const { keyOf, largestBody, slices, waitMs = defaultWaitMs } = options
  const smallPerKey = ordinaryRequests * ordinaryLength
  // The largest request has the largest body and a long response.
  const perKey = smallPerKey + longLength + largestBody
  const largeTotal = Math.max(largeRequests, perKey)
  const ledger = createLedger({ smallCost: ordinaryLength, smallPerKey, perKey, largeTotal, waiting: maxWaiting })
  app.decorateRequest('share', undefined)
  app.addHook('preParsing', (request, reply, payload, done) => {
    const key = keyOf(request)
    if (key === undefined) return done(null, payload)
    const cost = expectedLength(request) + bodyCost(request)
    const begin = () => {
      request.share = { key, cost }
      done(null, payload)
    }
    if (ledger.tryBegin(key, cost)) return begin()
    if (ledger.isFull(key, cost)) return done(busyError())
    const waiting = waitingRequest(reply.raw, waitMs)
    ledger
      .begin(key, cost, waiting.signal)
      .then(async () => {
        // When many clients go at once, those that have gone are known before the next request begins.
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
      // Under another key, so that a stream that is not read does not hold up other requests; its reader can reconnect.
      if (payload instanceof TextStream) payload.heldBy((chunk) => holdChunk(`stream ${key}`, chunk, response))
    } else {
      const length = lengthOf(payload, request)
      if (length > smallResponse && !response.closed) {
        response.once('close', ledger.hold(key, length))
        response.setTimeout(stalledAfterMs)
        // The pieces of a stream count by their real length, as far as that is more.
        if (payload instanceof JsonStream) payload.heldBy((piece) => ledger.hold(key, Math.max(0, piece - length)))
      }
    }
    if (share !== undefined) ledger.end(share.key, share.cost)
    if (payload instanceof JsonStream) payload.inTurns(() => slices.next(key))
    done()
  })

  /** Counts a chunk of a stream of events until it was read. Ends the stream when the streams of the key hold too much. */
  function holdChunk(key: string, bytes: number, response: ServerResponse): () => void {
    if (ledger.of(key) + bytes > perKey) response.destroy()
    return ledger.hold(key, bytes)
  }
}

/** The address of one resource ends with its id; a lookup by a condition mostly finds one as well. */
function expectedLength({ method, routeOptions: { url = '' }, query }: FastifyRequest): number {
  const isSearch = url.endsWith('/.search')
  if (!isSearch && method !== 'GET') return ordinaryLength
  if (/\/:\w+$/.test(url)) return /groups/i.test(url) ? longLength : ordinaryLength
  const { count, pageLimit, limit, ...others } = query as Record<string, unknown>
  const size = Number(count ?? pageLimit ?? limit)
  if (size >= 0) return Math.min(Math.max(size * listedLength, ordinaryLength), longLength)
  return conditions.some((name) => others[name] !== undefined) ? ordinaryLength : longLength
}

/** The parameters that look a user or group up. */
const conditions = ['filter', 'email', 'user_name', 'name'] as const

/** The bytes of a large body. One that is too large is not read at all. */
function bodyCost(request: FastifyRequest): number {
  const bytes = bodySize(request)
  return bytes > smallBody && bytes <= request.routeOptions.bodyLimit ? bytes : 0
}

/** The size of a body in bytes; the largest that the route accepts for one that is sent in chunks. */
export function bodySize({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  if (length === undefined) return encoding === undefined ? 0 : bodyLimit
  return Number(length)
}

function lengthOf(payload: unknown, request: FastifyRequest): number {
  if (typeof payload === 'string') return payload.length
  // Only short files are sent as bytes, which all responses with a file have in common.
  if (payload === null || payload === undefined || Buffer.isBuffer(payload)) return 0
  return Math.max(expectedLength(request), streamedLength)
}

function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream')
}

/** A request that waits. */
interface WaitingRequest {
  /** Aborts when the request has waited too long, or when its client has gone. */
  readonly signal: AbortSignal
  /** Must be called when it no longer waits. */
  end(): void
}

function waitingRequest(response: ServerResponse, waitMs: number): WaitingRequest {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(busyError()), waitMs)
  const onClose = () => waiting.abort(new DirectoryError('busy', 'The client has closed the connection.'))
  response.once('close', onClose)
  return {
    signal: waiting.signal,
    end(): void {
      clearTimeout(timer)
      response.off('close', onClose)
    },
  }
}

/** The error of a request that can be sent again in a few seconds. */
function busyError(): DirectoryError {
  const message =
    'Too many requests are being processed, or their responses have not been read: read them, then send the request again.'
  return new DirectoryError('busy', message, [], 5)
}
