import type { FastifyReply, FastifyRequest } from 'fastify'
import { DirectoryError } from '../../directory/errors.ts'
import type { Listing } from '../../directory/reads.ts'
import { isPage } from '../../directory/reads.ts'
import { streamOf } from '../chunks.ts'
import { requestRefusalOf } from '../refusal.ts'

const json = 'application/json; charset=utf-8'

/** Sends data that is JSON text already, in the success envelope. */
export function sendText(reply: FastifyReply, data: string): FastifyReply {
  return reply.header('content-type', json).send(`{"data":${data},"error":null}`)
}

/** Sends one resource that comes in pieces, in the success envelope. */
export function sendPieces(reply: FastifyReply, pieces: AsyncIterable<string>): FastifyReply {
  return reply.header('content-type', json).send(streamOf(around('{"data":', pieces, ',"error":null}')))
}

/** Sends a page with the token of the next one, or a whole listing as it is read. */
export function sendList(reply: FastifyReply, listing: Listing, end = ',"error":null}'): FastifyReply {
  reply.header('content-type', json)
  if (!isPage(listing)) return reply.send(streamOf(around('{"data":[', separated(listing), `]${end}`)))
  const { rows, pageToken } = listing
  const next = pageToken === undefined ? '' : `,"pageToken":${JSON.stringify(pageToken)}`
  return reply.send(`{"data":[${rows.join(',')}]${next}${end}`)
}

async function* around(before: string, pieces: AsyncIterable<string>, after: string) {
  yield before
  yield* pieces
  yield after
}

async function* separated(rows: AsyncIterable<string>) {
  let separator = ''
  for await (const row of rows) {
    yield separator + row
    separator = ','
  }
}

/**
 * Answers an error in the API's envelope. What is not the caller's fault is logged whole and shown bare.
 *
 * @param challenge what to send to be let in (RFC 9110 §11.6.1)
 */
export async function sendApiError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  challenge = 'Api-Key',
): Promise<void> {
  const refusal = requestRefusalOf(error, request.routeOptions.bodyLimit)
  if (refusal === undefined) request.log.error({ requestId: request.id, err: error }, 'a request failed')
  const {
    status,
    message,
    headers = {},
  } = refusal ?? {
    status: 500,
    message: `Something went wrong here; it is logged with the request id ${request.id}.`,
  }
  const problems = error instanceof DirectoryError && error.problems.length > 0 ? { problems: error.problems } : {}
  const body = { data: null, error: { message, code: status, request_id: request.id, ...problems } }
  if (status === 401) reply.header('www-authenticate', challenge)
  reply.code(status).headers(headers).header('content-type', json)
  await reply.send(JSON.stringify(body))
}
