import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { EnvHttpProxyAgent, request as send } from 'undici'
import type { GoogleResponse, NoResponse } from './response.ts'

/** A request to a server of Google. */
export interface HttpRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpClientOptions {
  /** Limit until the whole response has arrived. */
  readonly timeoutMs: number
  /** The maximum size of a body. */
  readonly maxBytes: number
  /** Aborts all requests. */
  readonly signal: AbortSignal
}

/**
 * Makes one request. Redirects are not followed.
 *
 * @throws the reason of the signal
 */
export type Send = (request: HttpRequest) => Promise<GoogleResponse | NoResponse>

/** Throws for bytes that are not UTF-8: names with replacement characters must not be stored. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Google requires `gzip` in the user agent as well to compress responses. */
const fixedHeaders = { 'accept-encoding': 'gzip', 'user-agent': 'rollcall (gzip)' }

/**
 * Creates an HTTP client with connections of its own, which are closed when they are idle for some seconds. It sends
 * through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, if any.
 */
export function createHttpClient({ timeoutMs, maxBytes, signal }: HttpClientOptions): Send {
  const dispatcher = new EnvHttpProxyAgent({ maxResponseSize: maxBytes, allowH2: false })
  return async ({ url, headers, ...request }) => {
    signal.throwIfAborted()
    try {
      const limits = {
        headersTimeout: 0,
        bodyTimeout: 0,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      }
      const response = await send(url, {
        ...{ ...request, ...limits, dispatcher },
        headers: { ...fixedHeaders, ...headers },
      })
      const bytes = await response.body.bytes()
      const { 'content-encoding': encoding, 'retry-after': retryAfter } = response.headers
      const text = encoding === 'gzip' ? await promisify(gunzip)(bytes, { maxOutputLength: maxBytes }) : bytes
      return {
        status: response.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        body: parsed(utf8.decode(text)),
      }
    } catch (error) {
      signal.throwIfAborted()
      return { status: undefined, reason: reasonOf(error) }
    }
  }
}

/** The parsed JSON, or the text if it is something else. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A short code, without the error itself, which may contain a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'cut'
  if (error instanceof URIError || error.name === 'InvalidArgumentError') return 'unsendable'
  if (error.name === 'TimeoutError' || error.name === 'ConnectTimeoutError') return 'timeout'
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^E\w{1,40}$/.test(code) ? code : 'cut'
}
