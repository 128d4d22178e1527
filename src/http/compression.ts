import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import type { Gzip } from 'node:zlib'
import { createGzip, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { JsonStream } from './responses.ts'

/** Shorter responses fit one packet of the network. */
const minLength = 1_400

/** Fast, and for JSON nearly as small as the default. */
const options = { level: 4 }

/**
 * Compresses JSON and pages for browsers: the console and the setup portal, which authenticate by a cookie or a link.
 * Products and identity providers, which send credentials in a header, are often in the same data center: for them,
 * compressing would take longer than sending, and many of their responses have secrets beside the texts of others. A page
 * of another host could request such a response again and again, and learn a secret from its compressed length (BREACH).
 */
export function compressForBrowsers(app: FastifyInstance): void {
  app.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply)) return done(null, payload)
    if (payload instanceof JsonStream) return done(null, compressedStream(announce(reply), payload))
    if (typeof payload !== 'string' || payload.length < minLength) return done(null, payload)
    gzip(payload, options, (error, compressed) => {
      if (error !== null) return done(error)
      announce(reply)
      done(null, compressed)
    })
  })
}

function isCompressible({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  if (headers.authorization !== undefined || !accepts('gzip', headers['accept-encoding'])) return false
  if (/^(?:same|cross)-site$/.test(String(headers['sec-fetch-site']))) return false
  const type = String(reply.getHeader('content-type') ?? '')
  return /^(?:application\/json|text\/html)\b/.test(type) && !reply.hasHeader('content-encoding')
}

function announce(reply: FastifyReply): FastifyReply {
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ')
  return reply.headers({ vary, 'content-encoding': 'gzip' }).removeHeader('content-length')
}

function compressedStream(reply: FastifyReply, pieces: Readable): Gzip {
  const compressed = createGzip(options)
  // A failure after the first bytes closes the connection, as it does without compression.
  pipeline(pieces, compressed, (error) => {
    if (error != null) reply.raw.destroy()
  })
  return compressed
}

const refusedWeight = /^q=0(?:\.0*)?$/i

/** Returns whether a client accepts an encoding (RFC 9110 §12.5.3). */
export function accepts(encoding: 'br' | 'gzip', encodings: string | string[] = ''): boolean {
  return String(encodings)
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
    .some(([name = '', weight = 'q=1', ...others]) => {
      if (name.toLowerCase() !== encoding || others.length > 0) return false
      return /^q=/i.test(weight) && !refusedWeight.test(weight)
    })
}
