import type { components } from './schema.ts'

/** An invalid field of an input, and the rule that it breaks. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** The directories whose events are not those that a cursor has passed: request a resync of each. */
export interface Divergence {
  readonly directoryIds: readonly string[]
  /** The cursor that continues with their resyncs. */
  readonly next: string
}

/**
 * The reason of a failure, for programs: one of the API's reasons; `unexpected-response` when something else has
 * responded, such as a proxy; `webhook-verification-failed` and `sequence-gap` of rollcall/webhooks; `call-failed` of
 * rollcall/testing.
 */
export type RollcallErrorCode =
  | components['schemas']['Error']['error']['reason']
  | 'unexpected-response'
  | 'webhook-verification-failed'
  | 'sequence-gap'
  | 'call-failed'

/** The fields of a `RollcallError` beside its message. */
export interface RollcallErrorFields {
  readonly code: RollcallErrorCode
  readonly status: number
  readonly requestId?: string | undefined
  readonly problems?: readonly FieldProblem[] | undefined
  readonly diverged?: Divergence | undefined
  readonly retryAfterSeconds?: number | undefined
}

/**
 * A call was refused, or could not be answered. All entries of the package use the same class. A failed connection
 * throws the error of `fetch` instead.
 */
export class RollcallError extends Error {
  override readonly name: string = 'RollcallError'
  /** The reason of the failure, for programs. */
  readonly code: RollcallErrorCode
  /** The HTTP status of the response; in the library, the status of the same error in the API. */
  readonly status: number
  /**
   * The id of the request in the service's log; undefined in the library, and when something in between has responded.
   */
  readonly requestId: string | undefined
  /** Every invalid field of an input. */
  readonly problems: readonly FieldProblem[]
  /** How to go on after `cursor-diverged`. */
  readonly diverged: Divergence | undefined
  /** Seconds to wait before the next attempt, if the service says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, fields: RollcallErrorFields, options?: ErrorOptions) {
    super(message, options)
    this.code = fields.code
    this.status = fields.status
    this.requestId = fields.requestId
    this.problems = fields.problems ?? []
    this.diverged = fields.diverged
    this.retryAfterSeconds = fields.retryAfterSeconds
  }

  /** The error in the form of the API, because an `Error` becomes JSON without its message. */
  toJSON(): object {
    const { message, status, code: reason, requestId, problems, diverged } = this
    const request = requestId === undefined ? {} : { request_id: requestId }
    const details = {
      ...(problems.length > 0 ? { problems } : {}),
      ...(diverged === undefined ? {} : { diverged: { directory_ids: diverged.directoryIds, next: diverged.next } }),
    }
    return { message, code: status, reason, ...request, ...details }
  }
}

/** The error in a response. If the response is not from the service, the error says what has responded instead. */
export async function errorOf(response: Response): Promise<RollcallError> {
  return errorIn(response, await response.text())
}

function errorIn(response: Response, text: string): RollcallError {
  const { message, reason, problems, diverged, request_id } = apiError(text)
  const retryAfter = response.headers.get('retry-after') ?? ''
  return new RollcallError(message ?? unexpectedResponse(response, text), {
    code: reason ?? 'unexpected-response',
    status: response.status,
    requestId: request_id ?? response.headers.get('x-request-id') ?? undefined,
    problems,
    diverged: diverged && { directoryIds: diverged.directory_ids, next: diverged.next },
    retryAfterSeconds: /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined,
  })
}

/**
 * The JSON object in a successful response of the service.
 *
 * @param isExpected whether it has the form that is needed
 * @throws RollcallError `unexpected-response` when something else has responded, such as the login page of a proxy
 */
export function bodyIn<Body extends object>(
  response: Response,
  text: string,
  isExpected: (body: Readonly<Record<string, unknown>>) => boolean,
): Body {
  const body = objectIn(text)
  if (body !== undefined && isExpected(body)) return body as Body
  throw errorIn(response, text)
}

const shownLength = 100

/** Says what has responded in place of the service: status, content type and first characters. */
export function unexpectedResponse({ status, headers, url, redirected }: Response, text: string): string {
  const type = headers.get('content-type') ?? 'no content type'
  const from = redirected ? `, after a redirect to ${new URL(url).origin}` : ''
  const beginning = text
    .slice(0, shownLength)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const shown = beginning === '' ? 'an empty body' : `“${beginning}${text.length > shownLength ? '…' : ''}”`
  return `Something else than the service has responded, such as a proxy or a login page: ${status}, ${type}${from}: ${shown}`
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a value from outside is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface ApiError {
  readonly message?: string
  readonly reason?: RollcallErrorCode
  readonly request_id?: string
  readonly problems?: readonly FieldProblem[]
  readonly diverged?: { readonly directory_ids: readonly string[]; readonly next: string }
}

function apiError(text: string): ApiError {
  const error = objectIn(text)?.['error']
  return isObject(error) ? error : {}
}
