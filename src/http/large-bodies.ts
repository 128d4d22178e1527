import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { createFairSemaphore } from '../concurrency/fair-semaphore.ts'
import { createSemaphore } from '../concurrency/semaphore.ts'
import type { LargeBodies } from './json-body.ts'
import { busyError, waitingRequest } from './waiting-request.ts'

/** Bodies up to this many bytes are not counted. */
export const smallBody = 65_536

/** The bodies of the largest size that a process holds at a time; a tenant has one of them while others wait. */
const largestBodies = 4

/** How long a request waits before it is rejected: shorter than the time that a client has to send it. */
const defaultWaitMs = 10_000

/** How long a body of this size may take to arrive: it counts against the limit meanwhile. At least 512 KiB per second. */
function receptionMs(bytes: number): number {
  return 3_000 + bytes / 524.288
}

export interface LargeBodyOptions {
  /** The maximum size of a body, in bytes. */
  readonly bodyLimit: number
  /** Whose share of the limit a request counts against. */
  readonly tenantOf: (request: FastifyRequest) => string
  readonly waitMs?: number
  readonly maxReceptionMs?: (bytes: number) => number
}

/**
 * Limits the bytes of the large request bodies that are held at a time: a body is not read before there is enough left, and
 * counts until the response to it is known. Tenants take turns. A request that waits too long is answered with 503, and so is one
 * whose body arrives too slowly. Bodies that have arrived are parsed one after the other: meanwhile a body takes several times
 * its size. Fastify gets an empty body; the result has the bytes.
 */
export function limitLargeBodies(
  app: FastifyInstance,
  { bodyLimit, tenantOf, waitMs = defaultWaitMs, maxReceptionMs = receptionMs }: LargeBodyOptions,
): LargeBodies {
  const semaphore = createFairSemaphore(largestBodies * bodyLimit)
  const parsing = createSemaphore(1)
  const bodies = new WeakMap<FastifyRequest, LargeBody>()
  const releases = new WeakMap<FastifyRequest, () => void>()
  app.addHook('preParsing', (request, reply, payload, done) => {
    const size = bodySize(request, bodyLimit)
    if (size <= smallBody) return done(null, payload)
    const waiting = waitingRequest(reply.raw, waitMs, tooManyBodies)
    semaphore
      .acquire(tenantOf(request), waiting.signal, size)
      .then((release) => {
        releases.set(request, release)
        const body = receive(payload, reply, { size, ms: maxReceptionMs(size), turn: () => parsing.acquire() })
        bodies.set(request, body)
        done(null, body.stream)
      }, done)
      .finally(waiting.end)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    bodies.get(request)?.free()
    done()
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    releases.get(request)?.()
    releases.delete(request)
    done()
  })
  return { of: (request) => bodies.get(request)?.bytes() }
}

interface Reception {
  /** The size of the body at most. */
  readonly size: number
  /** How long it may take to arrive. */
  readonly ms: number
  /** Resolves when the body may be parsed, with the function to call when it has been. */
  readonly turn: () => Promise<() => void>
}

/** A body in one piece. */
interface LargeBody {
  /** An empty stream that ends when the body has arrived and may be parsed, or fails when it has not arrived in time. */
  readonly stream: RequestPayload
  /** None after they were freed. */
  bytes(): Buffer
  /** Frees the bytes, and lets the next body be parsed. Also happens when the response ends. */
  free(): void
}

/**
 * Receives a body. When it has not arrived in time, the rest is not read, and the connection ends with the response. The
 * pieces in which it arrives are garbage at once, and its bytes are freed when they have been parsed; otherwise the service
 * would hold several copies of a body until the next collection of all garbage.
 */
function receive(payload: RequestPayload, reply: FastifyReply, { size, ms, turn }: Reception): LargeBody {
  const bytes = Buffer.from(new ArrayBuffer(size))
  // Fastify compares this with the limit and with the Content-Length.
  const stream = Object.assign(new Readable({ read() {} }), { receivedEncodedLength: 0 })
  let release: (() => void) | undefined
  function add(piece: Buffer<ArrayBuffer>): void {
    const before = stream.receivedEncodedLength
    stream.receivedEncodedLength += piece.length
    if (stream.receivedEncodedLength <= size) {
      piece.copy(bytes, before)
      if (piece.length === piece.buffer.byteLength) piece.buffer.transfer(0)
    } else {
      payload.off('data', add)
      stream.push(piece)
    }
  }
  function free(): void {
    if (!bytes.buffer.detached) bytes.buffer.transfer(0)
    release?.()
    release = undefined
  }
  const timer = setTimeout(() => {
    payload.off('data', add).pause()
    void reply.header('connection', 'close')
    stream.destroy(busyError(tooSlow))
  }, ms)
  stream.once('close', () => clearTimeout(timer))
  payload
    .on('data', add)
    .once('error', (error) => stream.destroy(error))
    .once('end', async () => {
      clearTimeout(timer)
      release = await turn()
      if (reply.raw.closed) free()
      stream.push(null)
    })
  reply.raw.once('close', free)
  return {
    stream,
    bytes: () => (bytes.buffer.detached ? Buffer.alloc(0) : bytes.subarray(0, stream.receivedEncodedLength)),
    free,
  }
}

/** The size of a body, or what it may have when it is sent in chunks. One that is too large is not read at all. */
export function bodySize({ headers }: FastifyRequest, bodyLimit: number): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  if (length === undefined) return encoding === undefined ? 0 : bodyLimit
  return Number(length) > bodyLimit ? 0 : Number(length)
}

const tooSlow = 'The body arrived too slowly: send the request again, or in several smaller ones.'
const tooManyBodies =
  'The service is processing too many large requests: send the request again, or in several smaller ones.'
