import type { admin_directory_v1 } from '@googleapis/admin'
import type { JsonObject } from '../../scim/json.ts'
import type { FailedVerdict, RequestTarget, Verdict } from './classify.ts'
import { classify, malformed } from './classify.ts'
import { GoogleFailure } from './failure.ts'
import type { TokenSource } from './oauth.ts'
import type { Attempt, FailedAttempt, Pace } from './pace.ts'
import type { GoogleResponse, NoResponse } from './response.ts'
import { readNoResponse, readResponse } from './response.ts'

/** The largest response that is read, in bytes: a page of 500 users has a few megabytes at most. */
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

/** The options of Google's library besides the parameters of a call. */
export interface CallOptions {
  readonly rootUrl: string
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
  readonly timeout: number
  readonly size: number
  readonly retry: false
  readonly redirect: 'manual'
  readonly responseType: 'json'
  validateStatus(status: number): boolean
}

/** A request to the Directory API. */
export interface ApiRequest<T> extends RequestTarget {
  call(api: admin_directory_v1.Admin, options: CallOptions): Promise<Parameters<typeof readResponse>[0]>
  /** Undefined if the body does not have the expected form. */
  parse(body: JsonObject): T | undefined
}

/** Sends a request until it succeeds or fails for good, renewing the token once. Throws `GoogleFailure`. */
export type SendRequest = <T>(request: ApiRequest<T>) => Promise<T>

/** The library takes 28 MB of memory, so it is loaded by the first request. */
async function loadApi(): Promise<admin_directory_v1.Admin> {
  const { admin_directory_v1: directory } = await import('@googleapis/admin')
  return new directory.Admin({})
}

/** Creates the sender of one sync run. Retries and tokens are ours, not the library's. */
export function createSendRequest(options: RequestOptions): SendRequest {
  const { tokens, pace, signal } = options
  let api: Promise<admin_directory_v1.Admin> | undefined

  async function send<T>({ call }: ApiRequest<T>, token: string): Promise<GoogleResponse | NoResponse> {
    api ??= loadApi()
    const loaded = await api
    options.onRequest()
    try {
      return readResponse(await call(loaded, callOptions(options, token)))
    } catch (error) {
      signal.throwIfAborted()
      return readNoResponse(error) ?? throwInvalidRequest()
    }
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

function callOptions({ apiUrl, signal, requestTimeoutMs = 30_000 }: RequestOptions, token: string): CallOptions {
  return {
    rootUrl: apiUrl,
    headers: { authorization: `Bearer ${token}` },
    signal,
    timeout: requestTimeoutMs,
    size: maxResponseBytes,
    retry: false,
    redirect: 'manual',
    responseType: 'json',
    validateStatus: () => true,
  }
}

/** The library's error is dropped because it may contain the token. */
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

/** Either a retry, or throws the failure. */
function failedAttempt(verdict: FailedVerdict, response: GoogleResponse | NoResponse): FailedAttempt {
  const { failure } = verdict
  const retryAfter = response.status === undefined ? undefined : response.retryAfter
  if (verdict.kind === 'retry') {
    return { kind: 'retry', failure, retryAfter, isLimit: verdict.isLimit || retryAfter !== undefined }
  }
  // A 401 that did not come from Google must not make an administrator authorize again.
  if (failure.kind === 'unavailable' && verdict.kind === 'renew') {
    return { kind: 'retry', failure, retryAfter, isLimit: false }
  }
  throw failure
}
