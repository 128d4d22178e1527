import type { admin_directory_v1 } from '@googleapis/admin'
import type { JsonObject } from '../../scim/json.ts'
import type { GoogleAnswer, NoAnswer } from './answer.ts'
import { readAnswer, readNoAnswer } from './answer.ts'
import type { Asked, FailedVerdict, Verdict } from './classify.ts'
import { classify, malformed } from './classify.ts'
import { GoogleFailure } from './failure.ts'
import type { Attempt, FailedAttempt, Pace } from './pace.ts'
import type { TokenSource } from './token-set.ts'

/** The largest answer that is read, in bytes: a page of 500 users has a few megabytes at most. */
const maxAnswerBytes = 32 * 1024 * 1024

export interface RequestOptions {
  /** The root before `/admin/directory/v1`, without a slash at its end. */
  readonly apiUrl: string
  readonly tokens: TokenSource
  readonly pace: Pace
  /** Stops all that is under way. */
  readonly signal: AbortSignal
  /** Called for each HTTP request that is sent. */
  onRequest(): void
  /** 30 s when left out. */
  readonly requestTimeoutMs?: number
}

/** How a call is sent; the library takes it beside the parameters. */
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

type Response = Parameters<typeof readAnswer>[0]

/** One question to the Directory API. */
export interface Question<T> extends Asked {
  call(api: admin_directory_v1.Admin, options: CallOptions): Promise<Response>
  /** Undefined when the body is not what it should be. */
  parse(body: JsonObject): T | undefined
}

/** Asks until there is an answer that can be read, renewing the token once. */
export type Ask = <T>(question: Question<T>) => Promise<T>

/** The library has 28 MB in memory: it is loaded by the first request. */
async function loadApi(): Promise<admin_directory_v1.Admin> {
  const { admin_directory_v1: directory } = await import('@googleapis/admin')
  return new directory.Admin({})
}

/** Sends the questions of one sync run. Neither retries nor tokens are left to the library. */
export function createAsk(options: RequestOptions): Ask {
  const { tokens, pace, signal } = options
  let api: Promise<admin_directory_v1.Admin> | undefined

  async function send<T>({ call }: Question<T>, token: string): Promise<GoogleAnswer | NoAnswer> {
    api ??= loadApi()
    const loaded = await api
    options.onRequest()
    try {
      return readAnswer(await call(loaded, callOptions(options, token)))
    } catch (error) {
      signal.throwIfAborted()
      return readNoAnswer(error) ?? unsendable()
    }
  }

  return (question) => {
    let isRenewed = false

    async function judged(token: string): Promise<[GoogleAnswer | NoAnswer, Verdict]> {
      const answer = await send(question, token)
      return [answer, classify(answer, question)]
    }

    return pace.run(async () => {
      const token = await tokens.token()
      let [answer, verdict] = await judged(token)
      if (verdict.kind === 'renew' && !isRenewed) {
        isRenewed = true
        ;[answer, verdict] = await judged(await tokens.renewed(token))
      }
      return attemptOf(verdict, answer, question)
    }, signal)
  }
}

function callOptions({ apiUrl, signal, requestTimeoutMs = 30_000 }: RequestOptions, token: string): CallOptions {
  return {
    rootUrl: apiUrl,
    headers: { authorization: `Bearer ${token}` },
    signal,
    timeout: requestTimeoutMs,
    size: maxAnswerBytes,
    retry: false,
    redirect: 'manual',
    responseType: 'json',
    validateStatus: () => true,
  }
}

/** What the library threw may hold the token, so it is not kept. */
function unsendable(): never {
  throw new GoogleFailure('refused', 'The request to Google could not be made: a token or an id cannot be sent.')
}

function attemptOf<T>(verdict: Verdict, answer: GoogleAnswer | NoAnswer, question: Question<T>): Attempt<T> {
  if (verdict.kind !== 'answered') return failedAttempt(verdict, answer)
  const value = question.parse(verdict.body)
  return value === undefined ? failedAttempt(malformed(question), answer) : { kind: 'done', value }
}

/** To be tried again, or thrown. */
function failedAttempt(verdict: FailedVerdict, answer: GoogleAnswer | NoAnswer): FailedAttempt {
  const { failure } = verdict
  const retryAfter = answer.status === undefined ? undefined : answer.retryAfter
  if (verdict.kind === 'retry') {
    return { kind: 'retry', failure, retryAfter, isLimit: verdict.isLimit || retryAfter !== undefined }
  }
  // A token that is refused by something that is not Google is no reason to ask an administrator for another.
  if (failure.kind === 'unavailable' && verdict.kind === 'renew') {
    return { kind: 'retry', failure, retryAfter, isLimit: false }
  }
  throw failure
}
