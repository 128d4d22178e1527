/** An invalid field of an input, and what it must be. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** The service refused a request, or could not answer it. A connection that fails throws the error of `fetch` instead. */
export class RollcallError extends Error {
  override readonly name = 'RollcallError'
  /** The HTTP status of the response. */
  readonly status: number
  /** The id of the request in the service's log; undefined when something in between has answered. */
  readonly requestId: string | undefined
  /** Every invalid field of an input. */
  readonly problems: readonly FieldProblem[]
  /** How many seconds to wait before the next attempt, where the service says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    fields: Pick<RollcallError, 'status' | 'requestId'> &
      Partial<Pick<RollcallError, 'problems' | 'retryAfterSeconds'>>,
  ) {
    super(message)
    this.status = fields.status
    this.requestId = fields.requestId
    this.problems = fields.problems ?? []
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

/** The error that a response reports; of a response that is not the service's own, it has the status only. */
export async function errorOf(response: Response): Promise<RollcallError> {
  const text = await response.text()
  const { message, problems, request_id } = apiError(text)
  const retryAfter = response.headers.get('retry-after') ?? ''
  return new RollcallError(message ?? `The service responded with ${response.status} ${response.statusText}`.trim(), {
    status: response.status,
    requestId: request_id ?? response.headers.get('x-request-id') ?? undefined,
    problems: problems ?? [],
    retryAfterSeconds: /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined,
  })
}

interface ApiError {
  readonly message?: string
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
