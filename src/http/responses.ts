import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CursorDiverged } from '../delivery/feed/divergence.ts'
import { DirectoryError } from '../directory/errors.ts'
import { errorCodeOf } from '../error-response.ts'
import type { Listing, Page } from '../reads/page.ts'
import { jsonList } from '../scim/json-list.ts'
import { requestErrorResponse } from './request-errors.ts'

const json = 'application/json; charset=utf-8'

/** Sends JSON text in the success envelope, or streams it in pieces. */
export function sendJson(reply: FastifyReply, data: string | AsyncIterable<string>): FastifyReply {
  if (typeof data === 'string') return reply.header('content-type', json).send(`{"data":${data},"error":null}`)
  return reply.header('content-type', json).send(new JsonStream(around('{"data":', data, ',"error":null}')))
}

/** Sends a list with the token of the next page, as a stream if more has to be read for it. */
export async function sendList(
  reply: FastifyReply,
  { rows, count, pageToken, total }: Listing,
  end = ',"error":null}',
): Promise<FastifyReply> {
  const next = pageToken === undefined ? '' : `,"pageToken":${JSON.stringify(pageToken)}`
  const counted = total === undefined ? '' : `,"total":${total}`
  const body = await jsonList('{"data":[', rows, `]${next}${counted}${end}`, count)
  return reply.header('content-type', json).send(typeof body === 'string' ? body : new JsonStream(body))
}

async function* around(before: string, pieces: AsyncIterable<string>, after: string) {
  yield before
  yield* pieces
  yield after
}

/**
 * Sends an error in the API's envelope.
 *
 * @param challenge the `WWW-Authenticate` header of a 401 (RFC 9110 §11.6.1)
 */
export async function sendApiError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  challenge = 'Api-Key',
): Promise<void> {
  const { status, message, headers = {} } = requestErrorResponse(error, request)
  const reason = errorCodeOf(error, status)
  const body = { data: null, error: { message, code: status, reason, request_id: request.id, ...detailsOf(error) } }
  if (status === 401) reply.header('www-authenticate', challenge)
  if (status === 413) keepReading(reply)
  reply.code(status).headers(headers).header('content-type', json)
  await reply.send(JSON.stringify(body))
}

function detailsOf(error: unknown) {
  if (error instanceof CursorDiverged) return { diverged: { directory_ids: error.directoryIds, next: error.next } }
  return error instanceof DirectoryError && error.problems.length > 0 ? { problems: error.problems } : {}
}

/**
 * Keeps the connection of a request whose body was not read. Closing it while the client still sends would reset it,
 * and the client could lose the response; instead the rest is read and dropped, up to the time limit of a request.
 */
export function keepReading(reply: FastifyReply): void {
  reply.removeHeader('connection')
}

/** Counts a chunk until the returned function is called. */
type HoldChunk = (length: number) => () => void

/** Text in chunks. Each chunk is made when the client has read the previous ones. */
export class TextStream extends Readable {
  readonly #chunks: AsyncGenerator<string, void, undefined>
  #nextTurn: (() => Promise<void>) | undefined
  #hold: HoldChunk | undefined
  #release: (() => void) | undefined

  constructor(chunks: AsyncGenerator<string, void, undefined>) {
    // In object mode, because a stream of bytes would first copy each chunk into a buffer. No chunk is made in advance.
    super({ objectMode: true, highWaterMark: 0 })
    this.#chunks = chunks
  }

  /** Makes each chunk when `nextTurn` has resolved. */
  inTurns(nextTurn: () => Promise<void>): void {
    this.#nextTurn = nextTurn
  }

  /** Counts each chunk until the client has read it. */
  heldBy(hold: HoldChunk): void {
    this.#hold = hold
  }

  override _read(): void {
    this.#release?.()
    this.#next().then(
      (chunk) => {
        this.#release = chunk === null ? undefined : this.#hold?.(chunk.length)
        this.push(chunk)
      },
      (error: Error) => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#release?.()
    this.#chunks.return().then(
      () => callback(error),
      (cause: Error) => callback(error ?? cause),
    )
  }

  async #next(): Promise<string | null> {
    await this.#nextTurn?.()
    const { value } = await this.#chunks.next()
    return value ?? null
  }
}

const chunkLength = 65_536

/** JSON text. Small pieces are joined to chunks; long ones stay as they are, because joining copies them. */
export class JsonStream extends TextStream {
  constructor(pieces: AsyncIterable<string>) {
    super(joinPieces(pieces))
  }
}

async function* joinPieces(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let chunk = ''
  for await (const piece of pieces) {
    if (piece.length >= chunkLength) {
      if (chunk !== '') yield chunk
      yield piece
      chunk = ''
      continue
    }
    chunk += piece
    if (chunk.length >= chunkLength) {
      yield chunk
      chunk = ''
    }
  }
  if (chunk !== '') yield chunk
}

/** Data in the success envelope. */
export function dataResponse<T>(data: T) {
  return { data, error: null }
}

/** A page in the success envelope, with the token of the next one. */
export function pageResponse<T>({ rows: data, pageToken }: Page<T>) {
  return pageToken === undefined ? { data, error: null } : { data, pageToken, error: null }
}
