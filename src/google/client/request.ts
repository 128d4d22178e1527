import type { JsonObject } from '../../scim/json.ts'
import type { FailedVerdict, RequestTarget, Verdict } from './classify.ts'
import { classify, malformed } from './classify.ts'
import { GoogleFailure } from './failure.ts'
import { createHttpClient } from './http.ts'
import type { TokenSource } from './oauth.ts'
import type { Attempt, FailedAttempt, Pace } from './pace.ts'
import type { GoogleResponse, NoResponse } from './response.ts'

/** The maximum size of a response, in bytes: a page of 500 users has a few megabytes at most. */
const maxResponseBytes = 32 * 1024 * 1024

export interface RequestOptions {
  /** The root before `/admin/directory/v1`, without a trailing slash. */
  readonly apiUrl: string
  readonly tokens: TokenSource
  readonly pace: Pace
  /** Aborts all requests. */
  readonly signal: AbortSignal
  /** Called before each HTTP request, including retries. */
  onRequest(): void
  /** Default: 30 s. */
  readonly requestTimeoutMs?: number
}

/** A GET request to the Directory API. */
export interface ApiRequest<T> extends RequestTarget {
  /** The path below `/admin/directory/v1`, in segments. */
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string | number>>
  /** Undefined if the body does not have the expected form. */
  parse(body: JsonObject): T | undefined
}

/** Sends a request until it succeeds or fails for good, renewing the token once. Throws `GoogleFailure`. */
export type SendRequest = <T>(request: ApiRequest<T>) => Promise<T>

/** Creates the sender of one sync run. */
export function createSendRequest(options: RequestOptions): SendRequest {
  const { tokens, pace, signal, apiUrl, requestTimeoutMs: timeoutMs = 30_000 } = options
  const sendHttp = createHttpClient({ timeoutMs, maxBytes: maxResponseBytes, signal })

  async function send<T>(request: ApiRequest<T>, token: string): Promise<GoogleResponse | NoResponse> {
    const url = urlOf(apiUrl, request)
    options.onRequest()
    const response = await sendHttp({ url, method: 'GET', headers: { authorization: `Bearer ${token}` } })
    if (response.status === undefined && response.reason === 'unsendable') throwInvalidRequest()
    return response
  }

  return (request) => {
    let isRenewed = false

    async function sendAndClassify(token: string): Promise<[GoogleResponse | NoResponse, Verdict]> {
      const response = await send(request, token)
      return [response, classify(response, request)]
    }

    return pace.run(async () => {
      const token = await tokens.token()
      let [response, verdict] = await sendAndClassify(token)
      if (verdict.kind === 'renew' && !isRenewed) {
        isRenewed = true
        ;[response, verdict] = await sendAndClassify(await tokens.renewed(token))
      }
      return attemptOf(verdict, response, request)
    }, signal)
  }
}

function urlOf<T>(apiUrl: string, { path, query }: ApiRequest<T>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  const segments = path.map((one) => encodeURIComponent(one.toWellFormed()))
  return `${apiUrl}/admin/directory/v1/${segments.join('/')}?${parameters}`
}

function throwInvalidRequest(): never {
  throw new GoogleFailure(
    'refused',
    'The request to Google could not be made: a token or an id contains invalid characters.',
  )
}

function attemptOf<T>(verdict: Verdict, response: GoogleResponse | NoResponse, request: ApiRequest<T>): Attempt<T> {
  if (verdict.kind !== 'ok') return failedAttempt(verdict, response)
  const value = request.parse(verdict.body)
  return value === undefined ? failedAttempt(malformed(request), response) : { kind: 'done', value }
}

/** Returns a try to be repeated, or throws the failure. */
function failedAttempt(verdict: FailedVerdict, response: GoogleResponse | NoResponse): FailedAttempt {
  const { failure } = verdict
  const retryAfter = response.status === undefined ? undefined : response.retryAfter
  if (verdict.kind === 'retry') {
    return { kind: 'retry', failure, retryAfter, isLimit: verdict.isLimit || retryAfter !== undefined }
  }
  // A 401 that does not come from Google must not make an administrator authorize again.
  if (failure.kind === 'unavailable' && verdict.kind === 'renew') {
    return { kind: 'retry', failure, retryAfter, isLimit: false }
  }
  throw failure
}
