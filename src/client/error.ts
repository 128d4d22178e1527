import type { components } from './schema.ts'

/** An invalid field of an input, and what it must be. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/**
 * Why a call failed, for programs: one of the API's reasons; `unexpected-response` when something else has responded, such as a
 * proxy; `webhook-verification-failed` and `sequence-gap` of rollcall/webhooks; `call-failed` of rollcall/testing.
 */
export type RollcallErrorCode =
  | components['schemas']['Error']['error']['reason']
  | 'unexpected-response'
  | 'webhook-verification-failed'
  | 'sequence-gap'
  | 'call-failed'

/** The facts of a `RollcallError` beside its message. */
export interface RollcallErrorFields {
  readonly code: RollcallErrorCode
  readonly status: number
  readonly requestId?: string | undefined
  readonly problems?: readonly FieldProblem[] | undefined
  readonly retryAfterSeconds?: number | undefined
}

/**
 * A call was refused, or could not be answered; the same class in every entry of the package. A connection that fails throws the
 * error of `fetch` instead.
 */
export class RollcallError extends Error {
  override readonly name: string = 'RollcallError'
  /** Why the call failed, for programs. */
  readonly code: RollcallErrorCode
  /** The HTTP status of the response; of the library, that of the same error in the API. */
  readonly status: number
  /** The id of the request in the service's log; undefined of the library, and when something in between has answered. */
  readonly requestId: string | undefined
  /** Every invalid field of an input. */
  readonly problems: readonly FieldProblem[]
  /** How many seconds to wait before the next attempt, where the service says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, fields: RollcallErrorFields, options?: ErrorOptions) {
    super(message, options)
    this.code = fields.code
    this.status = fields.status
    this.requestId = fields.requestId
    this.problems = fields.problems ?? []
    this.retryAfterSeconds = fields.retryAfterSeconds
  }

  /** The error as the API returns it: an `Error` alone becomes JSON without its message. */
  toJSON(): object {
    const { message, status, code: reason, requestId, problems } = this
    const request = requestId === undefined ? {} : { request_id: requestId }
    return { message, code: status, reason, ...request, ...(problems.length > 0 ? { problems } : {}) }
  }
}

/** The error that a response reports; of a response that is not the service's own, it has the status only. */
export async function errorOf(response: Response): Promise<RollcallError> {
  const text = await response.text()
  const { message, reason, problems, request_id } = apiError(text)
  const retryAfter = response.headers.get('retry-after') ?? ''
  return new RollcallError(message ?? `The service responded with ${response.status} ${response.statusText}`.trim(), {
    code: reason ?? 'unexpected-response',
    status: response.status,
    requestId: request_id ?? response.headers.get('x-request-id') ?? undefined,
    problems,
    retryAfterSeconds: /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined,
  })
}

interface ApiError {
  readonly message?: string
  readonly reason?: RollcallErrorCode
  readonly request_id?: string
  readonly problems?: readonly FieldProblem[]
}

function apiError(text: string): ApiError {
  try {
    const body: { readonly error?: ApiError | null } | null = JSON.parse(text)
    return body?.error ?? {}
  } catch {
    return {}
  }
}
