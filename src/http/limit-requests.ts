import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { schedule } from '../concurrency/schedule.ts'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { RequestLimits } from './request-shares.ts'
import { createRequestShares } from './request-shares.ts'
import { JsonStream, TextStream } from './responses.ts'
import { createStreamTurns } from './stream-turns.ts'
import { busyError, waitingRequest } from './waiting-request.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request takes until its response is known; undefined before and after. */
    share: { readonly key: string; readonly length: number } | undefined
  }
}

const limits: RequestLimits = {
  perKey: 4_194_304,
  waiting: 128,
  waitAbove: 8_388_608,
  closeOldAbove: 16_777_216,
  graceMs: 5_000,
  closeAnyAbove: 33_554_432,
}

/** The expected length of the response to most requests: a key may have 64 of them at a time. */
const ordinaryLength = 65_536
/** The expected length of each resource in a list. */
const listedLength = 2_048
/** The expected length of a group, and of a list whose size is not known. */
const longLength = 524_288
/** What a streamed response holds at least: the rows that are read together, and a chunk. */
const streamedLength = 131_072
/** Responses up to this length are not counted: the operating system holds them until the client reads. */
const smallResponse = 16_384
/** How long a request waits before it is rejected. */
const defaultWaitMs = 10_000
/** A long response of which the client has read nothing for this long is closed. */
const stalledAfterMs = 60_000

export interface RequestLimitOptions {
  /** Whose share of the process a request takes; undefined: it takes none. */
  readonly keyOf: (request: FastifyRequest) => string | undefined
  /** Those of the process: each chunk of a stream takes one. */
  readonly slices: TimeSlices
  readonly limits?: RequestLimits
  readonly waitMs?: number
}

/**
 * Limits what a tenant, or the holder of an API key, does at a time: how many requests are processed, and how much of the
 * responses its clients have not read. Otherwise one of them could open thousands of connections, request long lists and read
 * none, and the process would have to hold all of them. Requests beyond that wait before their body is read, and are answered
 * with 503 when they wait too long or when too many wait. Streams of JSON take turns. How many streams of events are open has
 * limits of its own; what they have not sent counts here.
 */
export function limitRequests(app: FastifyInstance, options: RequestLimitOptions): void {
  const { keyOf, slices, waitMs = defaultWaitMs } = options
  const shares = createRequestShares(options.limits ?? limits, () => performance.now(), schedule)
  const turns = createStreamTurns(slices)
  app.decorateRequest('share', undefined)
  app.addHook('preParsing', (request, reply, payload, done) => {
    const key = keyOf(request)
    if (key === undefined) return done(null, payload)
    const length = expectedLength(request)
    const begin = () => {
      request.share = { key, length }
      done(null, payload)
    }
    if (shares.tryEnter(key, length)) return begin()
    if (shares.isFull(key)) return done(busyError(tooMuchAtATime))
    const waiting = waitingRequest(reply.raw, waitMs, tooMuchAtATime)
    shares
      .enter(key, length, waiting.signal)
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
    const length = lengthOf(payload, share?.length)
    const response = reply.raw
    const close = () => response.destroy()
    const key = share?.key ?? 'none'
    if (isEventStream(reply)) {
      // Under another key, so that a stream that is not read does not hold up other requests.
      if (payload instanceof TextStream) payload.heldBy((chunk) => shares.hold(`stream ${key}`, chunk, close))
    } else if (length > smallResponse && !response.closed) {
      response.once('close', shares.hold(key, length, close))
      response.setTimeout(stalledAfterMs)
    }
    if (share !== undefined) shares.leave(share.key, share.length)
    if (payload instanceof JsonStream) payload.inTurns(turns(key))
    done()
  })
}

/** The address of one resource ends with its id; what is found by a condition is mostly one as well. */
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

function lengthOf(payload: unknown, expected = 0): number {
  if (typeof payload === 'string') return payload.length
  // Only short files are sent as bytes, which all responses with a file have in common.
  return payload === null || payload === undefined || Buffer.isBuffer(payload) ? 0 : Math.max(expected, streamedLength)
}

function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream')
}

const tooMuchAtATime =
  'Too many requests are being processed, or their responses have not been read: read them, then send the request again.'
