import type { Dispatcher } from 'undici'

/** What of an answer matters. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  /** The first 2 KB of the body as text, whatever it is; what is cut within a character ends before it. */
  readonly body: string
}

const maxKeptBytes = 2_048

/** One request to an endpoint, from the side that hears of it. */
export interface AttemptHandler {
  readonly handler: Dispatcher.DispatchHandler
  /** Gives up, wherever the request is; an answer that has begun still counts. */
  abort(reason: Error): void
}

/**
 * Hears what becomes of one request and calls `onEnd` once: with the answer when its head came, else with the error.
 * The answer's body is read, so that the connection can be used again, up to `maxBodyBytes`; past that it is cut off. Its
 * beginning is kept.
 */
export function attemptHandler(maxBodyBytes: number, onEnd: (result: Answer | Error) => void): AttemptHandler {
  let controller: Dispatcher.DispatchController | undefined
  let head: Omit<Answer, 'body'> | undefined
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
      // 1xx announces an answer that is still to come
      if (status >= 200) head = { status, retryAfter: firstOf(headers['retry-after']) }
    },
    onResponseData(_controller, chunk) {
      const left = maxKeptBytes - bodyBytes
      if (left > 0) body += decoder.decode(chunk.subarray(0, left), { stream: true })
      bodyBytes += chunk.length
      if (bodyBytes > maxBodyBytes) abort(new Error('the answer is too large'))
    },
    onResponseEnd: () => whenConnectionIsFree(() => end(new Error('the answer has no head'))),
    onResponseError: (_controller, error) => end(error),
  }
  return { handler, abort }
}

/**
 * undici frees a connection one turn of the event loop after the answer's end; a request that is made before that opens
 * another connection.
 */
function whenConnectionIsFree(run: () => void): void {
  queueMicrotask(() => setImmediate(run))
}

function firstOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null
}
