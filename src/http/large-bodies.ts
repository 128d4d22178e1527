import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { createFairSemaphore } from '../concurrency/fair-semaphore.ts'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { DirectoryError } from '../directory/errors.ts'

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
 * counts until its response has ended. Tenants take turns. A request that waits too long is answered with 503, and so is one
 * whose body arrives too slowly. Bodies that have arrived are decoded and parsed one after the other: meanwhile a body takes
 * several times its size.
 */
export function limitLargeBodies(
  app: FastifyInstance,
  { bodyLimit, tenantOf, waitMs = defaultWaitMs, maxReceptionMs = receptionMs }: LargeBodyOptions,
): void {
  const semaphore = createFairSemaphore(largestBodies * bodyLimit)
  const parsing = createSemaphore(1)
  /** Lets the next body be parsed. */
  const ends = new WeakMap<FastifyRequest, () => void>()
  app.addHook('preValidation', (request, _reply, done) => {
    ends.get(request)?.()
    done()
  })

  async function turn(request: FastifyRequest, { raw }: FastifyReply): Promise<void> {
    const free = await parsing.acquire()
    let isOver = false
    const end = () => {
      if (!isOver) free()
      isOver = true
    }
    ends.set(request, end)
    // Unless it could not be parsed.
    if (raw.closed) end()
    else raw.once('close', end)
  }

  app.addHook('preParsing', (request, reply, payload, done) => {
    const response = reply.raw
    const size = bodySize(request, bodyLimit)
    if (size <= smallBody) return done(null, payload)
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(tooManyBodies()), waitMs)
    const end = () => waiting.abort(new Error('The client has closed the connection.'))
    response.once('close', end)
    semaphore
      .acquire(tenantOf(request), waiting.signal, size)
      .then((release) => {
        if (response.closed) release()
        else response.once('close', release)
        done(null, received(payload, reply, { size, ms: maxReceptionMs(size), turn: () => turn(request, reply) }))
      }, done)
      .finally(() => {
        clearTimeout(timer)
        response.off('close', end)
      })
  })
}

interface Reception {
  /** The size of the body at most. */
  readonly size: number
  /** How long it may take to arrive. */
  readonly ms: number
  /** Resolves when the body may be decoded. */
  readonly turn: () => Promise<void>
}

/**
 * A body in one piece, to be read when all of it has arrived and it is its turn. It fails when it has not arrived in time:
 * then the rest is not read, and the connection ends with the response. The pieces in which it arrives are garbage at once,
 * and its bytes are freed when they have been decoded; otherwise the service would hold three copies of a body until the next
 * collection of all garbage.
 */
function received(payload: RequestPayload, reply: FastifyReply, { size, ms, turn }: Reception): Readable {
  const bytes = Buffer.from(new ArrayBuffer(size))
  const body = new Readable({ read() {} })
  let length = 0
  const pushBytes = () => body.push(bytes.subarray(0, length))
  function add(piece: Buffer): void {
    if (length + piece.length > size) {
      payload.off('data', add)
      pushBytes()
      body.push(piece)
    } else {
      piece.copy(bytes, length)
      length += piece.length
    }
  }
  const timer = setTimeout(() => {
    payload.off('data', add).pause()
    void reply.header('connection', 'close')
    body.destroy(tooSlow())
  }, ms)
  body.once('close', () => {
    clearTimeout(timer)
    bytes.buffer.transfer(0)
  })
  payload
    .on('data', add)
    .once('error', (error) => body.destroy(error))
    .once('end', async () => {
      clearTimeout(timer)
      await turn()
      pushBytes()
      body.push(null)
    })
  return body
}

/** The size of a body, or what it may have when it is sent in chunks. One that is too large is not read at all. */
export function bodySize({ headers }: FastifyRequest, bodyLimit: number): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  if (length === undefined) return encoding === undefined ? 0 : bodyLimit
  return Number(length) > bodyLimit ? 0 : Number(length)
}

function tooSlow(): DirectoryError {
  return new DirectoryError(
    'busy',
    'The body arrived too slowly: send the request again, or in several smaller ones.',
    [],
    5,
  )
}

function tooManyBodies(): DirectoryError {
  const message =
    'The service is processing too many large requests: send the request again, or in several smaller ones.'
  return new DirectoryError('busy', message, [], 5)
}
