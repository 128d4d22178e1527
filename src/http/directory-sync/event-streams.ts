import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { digestKey } from '../../admin/keys/key-text.ts'
import { Type } from '../../inputs/json-schema.ts'
import { isObject } from '../../scim/json.ts'
import { authorizationOf, credential } from '../authorization.ts'
import { TextStream } from '../responses.ts'

/**
 * Time after which a stream is closed if its reader has read nothing, in milliseconds; the reader can continue where it
 * stopped.
 */
const stalledAfterMs = 120_000
/** The same time during shutdown. */
const shutdownStalledAfterMs = 500

export const EventStreamSchema = Type.String({
  description:
    'Server-sent events: `id` is the cursor after the event, `data` the event as JSON. A comment that begins with `held` says that further events of a directory are held.',
  examples: ['id: AlJ0w5uxB6Cp3xq3zAtA1AE\nevent: user.created\ndata: {}\n\n'],
})

/** Opens the text of a stream of server-sent events. */
type Open = (query: unknown, signal: AbortSignal, callerKey: string) => Promise<AsyncIterable<string>>

/** Responds with a stream of server-sent events, which ends when its caller is no longer authorized. */
export type Follow = (request: FastifyRequest, reply: FastifyReply, open: Open) => Promise<FastifyReply>

/** @param onClose ends the streams when the server closes */
export function createEventStreams(app: FastifyInstance, onClose: () => void): Follow {
  const streams = new Set<ServerResponse>()
  app.addHook('preClose', async () => {
    onClose()
    for (const stream of streams) endSoon(stream)
  })
  return async (request, reply, open) => {
    const { query, headers } = request
    const gone = new AbortController()
    streams.add(reply.raw)
    reply.raw.once('close', () => {
      streams.delete(reply.raw)
      gone.abort()
    })
    const pieces = await open(resumed(query, headers['last-event-id']), gone.signal, callerKeyOf(request))
    reply.raw.setTimeout(stalledAfterMs)
    // Prevents nginx from buffering the stream.
    reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
    return reply.send(new TextStream(whileAuthorized(request, pieces)))
  }
}

/** Returns whether a request asks for a stream. A HEAD request gets a page, because the response to a stream would never end. */
export function wantsStream({ method, headers: { accept = '' } }: FastifyRequest): boolean {
  return method === 'GET' && /\btext\/event-stream\b/i.test(accept)
}

/** Identifies the API key or the admin of a request. */
function callerKeyOf({ raw, caller }: FastifyRequest): string {
  const key = credential(authorizationOf(raw), 'Api-Key')
  return key === undefined ? `${caller.kind}:${caller.id}` : digestKey(key)
}

/** Ends a stream once its caller is no longer authorized: the key was deleted, or the admin logged out. */
async function* whileAuthorized(
  request: FastifyRequest,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  for await (const piece of pieces) {
    if (!(await request.isStillAuthorized())) return
    yield piece
  }
}

/** Lets a stream finish during shutdown, but closes it immediately if its reader does not read. */
function endSoon(stream: ServerResponse): void {
  if (stream.writableNeedDrain) stream.destroy()
  else stream.setTimeout(shutdownStalledAfterMs)
}

/** Reads the cursor in the header: a reader that reconnects repeats its first URL. */
function resumed(query: unknown, lastEventId: string | string[] | undefined): unknown {
  return isObject(query) && typeof lastEventId === 'string' && lastEventId !== ''
    ? { ...query, after: lastEventId }
    : query
}
