import type { Dispatcher } from 'undici'

export interface ResponseHead {
  readonly status: number
  /** The unparsed `Retry-After` header. */
  readonly retryAfter: string | null
}

export interface ReceivedResponse extends ResponseHead {
  /** The first 2 KB of the body as text. A character that is cut off is left out. */
  readonly body: string
}

const maxKeptBytes = 2_048

export interface ResponseHandler {
  readonly handler: Dispatcher.DispatchHandler
  /** Aborts the request at any stage. A response whose head has arrived still counts. */
  abort(reason: Error): void
}

/**
 * Receives one response and calls `onEnd` once: with the response if its head arrived, else with the error. Reads the
 * body up to `maxBodyBytes`, because the connection can be reused only after a complete body.
 */
export function createResponseHandler(
  maxBodyBytes: number,
  onEnd: (result: ReceivedResponse | Error) => void,
): ResponseHandler {
  let controller: Dispatcher.DispatchController | undefined
  let head: ResponseHead | undefined
  let body = ''
  let aborted: Error | undefined
  let bodyBytes = 0
  let ended = false
  const decoder = new TextDecoder()

  function end(error: Error): void {
    if (ended) return
    ended = true
    onEnd(head === undefined ? error : { ...head, body })
  }

  function abort(reason: Error): void {
    aborted = reason
    end(reason)
    controller?.abort(reason)
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      if (aborted !== undefined) started.abort(aborted)
    },
    onResponseStart(_controller, status, headers) {
      // 1xx responses precede the final one
      if (status >= 200) head = { status, retryAfter: firstOf(headers['retry-after']) }
    },
    onResponseData(_controller, chunk) {
      const left = maxKeptBytes - bodyBytes
      if (left > 0) body += decoder.decode(chunk.subarray(0, left), { stream: true })
      bodyBytes += chunk.length
      if (bodyBytes > maxBodyBytes) abort(new Error('the response is too large'))
    },
    onResponseEnd: () => whenConnectionIsFree(() => end(new Error('the response has no status and headers'))),
    onResponseError: (_controller, error) => end(error),
  }
  return { handler, abort }
}

/**
 * undici frees a connection one turn of the event loop after the end of the response; a request made before that would
 * open another connection.
 */
function whenConnectionIsFree(run: () => void): void {
  queueMicrotask(() => setImmediate(run))
}

function firstOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null
}
