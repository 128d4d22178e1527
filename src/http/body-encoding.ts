import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasForeignEscape } from './request-target.ts'

/** A body that the service cannot read. */
export class BodyError extends Error {
  readonly status: 400 | 413 | 415
  readonly scimType: 'invalidSyntax' | 'invalidValue' | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: BodyError['status'],
    scimType: BodyError['scimType'],
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.status = status
    this.scimType = scimType
    this.headers = headers
  }
}

/** The charsets that a media type may declare; all of them are UTF-8, or a part of it. */
const charsets: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii'])

/**
 * Requires that a body is UTF-8 and not compressed. Decoding other bytes would replace them with U+FFFD.
 *
 * @throws BodyError 415 for a declared charset or encoding that is not accepted, 400 for bytes that are not UTF-8
 */
export function requireUtf8(request: Pick<FastifyRequest, 'headers'>, content: Buffer): void {
  if (content.length === 0) return
  requirePlainEncoding(request)
  if (!isUtf8(content)) throw notUtf8()
}

/**
 * Requires that the headers declare a body that is UTF-8 and not compressed.
 *
 * @throws BodyError 415
 */
export function requirePlainEncoding({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity') {
    const message = 'The body has a Content-Encoding: send it uncompressed, without this header.'
    throw new BodyError(415, undefined, message, { 'accept-encoding': 'identity' })
  }
  // Linear: neither the spaces nor the charset contain a semicolon.
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '') ?? []
  if (!charsets.has(charset.toLowerCase())) {
    throw new BodyError(415, undefined, 'The charset of the Content-Type is not supported: send the body as UTF-8.')
  }
}

function notUtf8(): BodyError {
  return new BodyError(400, 'invalidSyntax', 'The body is not UTF-8: encode its text as UTF-8.')
}

/** The media type of forms. */
export const formType = 'application/x-www-form-urlencoded'

/** Parses bodies that are forms; the request has what `read` returns. */
export function acceptForms(app: FastifyInstance, read: (form: URLSearchParams) => unknown): void {
  app.addContentTypeParser(formType, { parseAs: 'buffer' }, async (request: FastifyRequest, content: Buffer) => {
    requireUtf8(request, content)
    const text = content.toString()
    if (hasForeignEscape(text)) throw notUtf8()
    return read(new URLSearchParams(text))
  })
}

/**
 * Ignores the media type of requests without a body, which some clients send with every DELETE. Fastify would reject
 * those that the route does not accept.
 */
export function ignoreTypesWithoutBody(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': transfer } = headers
    if (headers['content-type'] !== undefined && length === '0' && transfer === undefined) {
      delete headers['content-type']
    }
    done()
  })
}
