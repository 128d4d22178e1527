import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { ScimError } from '../scim/errors.ts'

/** The URL of a request as the routes expect it, whichever of these forms a client has sent. */
export function normalizedUrl(url: string): string {
  return withLiteralPlus(withoutDoubledSlashes(url))
}

/** Makes one slash of several in the path: base URLs are often configured with a slash at the end. */
function withoutDoubledSlashes(url: string): string {
  const { path, query } = partsOf(url)
  // Those after a scheme stay: a request to a proxy has a whole URL.
  return path.includes('//') ? path.replace(/(?<!:)\/{2,}/g, '/') + query : url
}

/**
 * Encodes each `+` in a query that has `%20`: a client that encodes spaces this way means a plus, as in the time zone of
 * a date. In other queries a `+` is a space.
 */
function withLiteralPlus(url: string): string {
  const { path, query } = partsOf(url)
  return query.includes('+') && query.includes('%20') ? path + query.replaceAll('+', '%2B') : url
}

/** Splits a URL; the query includes its question mark. */
function partsOf(url: string): { readonly path: string; readonly query: string } {
  const start = url.indexOf('?')
  return start === -1 ? { path: url, query: '' } : { path: url.slice(0, start), query: url.slice(start) }
}

/** Returns whether percent-encoded bytes of a text are not UTF-8. */
export function hasForeignEscape(text: string): boolean {
  if (!/%[89a-f]/i.test(text)) return false
  const runs = text.match(/(?:%[0-9a-f]{2})+/gi) ?? []
  return runs.some((run) => !isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')))
}

/**
 * Rejects queries whose percent-encoded bytes are not UTF-8, once the caller is authorized. The router rejects such
 * paths.
 */
export function rejectForeignQueries(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw: { url = '' }, is404 }, _reply, payload, done) => {
    if (is404 || !hasForeignEscape(partsOf(url).query)) return done(null, payload)
    done(new ScimError(400, 'invalidSyntax', 'The query is not UTF-8: percent-encode its text as UTF-8.'))
  })
}
