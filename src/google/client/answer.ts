/** What a server of Google answered; nothing about it is sure yet. */
export interface GoogleAnswer {
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | undefined
  /** Parsed when it was JSON, else text. */
  readonly body: unknown
}

/** There was no answer, or only the beginning of one. The reason is a short code such as `ECONNRESET`. */
export interface NoAnswer {
  readonly status: undefined
  readonly reason: string
}

/** The parts of a response that count, as Google's libraries give it: their headers are of several kinds. */
export function readAnswer(response: { status: number; headers: unknown; data: unknown }): GoogleAnswer {
  return { status: response.status, retryAfter: headerOf(response.headers, 'retry-after'), body: response.data }
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const value: unknown =
    'get' in headers && typeof headers.get === 'function' ? headers.get(name) : Reflect.get(headers, name)
  return typeof value === 'string' ? value : undefined
}

/**
 * Why there is no answer, from what a library threw; undefined when it is not about the connection. What was thrown is
 * not kept: it holds the request, and so tokens.
 */
export function readNoAnswer(error: unknown): NoAnswer | undefined {
  if (!(error instanceof Error) || !('config' in error)) return undefined
  const codes = [codeOf(error), codeOf(error.cause), codeOf(Reflect.get(error, 'error'))]
  return { status: undefined, reason: codes.find((code) => code !== undefined) ?? 'cut' }
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : undefined
}
