import { waitFor } from './waiting.ts'

/** A request that the service refused, or that did not reach it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** 0 when there was no response. */
  readonly status: number
  readonly requestId: string | undefined
  readonly problems: readonly { readonly field: string; readonly message: string }[]

  /** @param said the service's own words, which are for those who call it */
  constructor(status: number, message: string, requestId?: string, problems: ApiError['problems'] = [], said?: string) {
    super(message, { cause: said })
    this.status = status
    this.requestId = requestId
    this.problems = problems
  }
}

/** Query parameters; those that are undefined or empty are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** The path of the service's address, such as `/sync`; empty if it has none. */
export function basePath(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''
}

/** Where the service says that it is there. */
export const healthAddress = (): string => `${basePath()}/healthz`

/** The route of the session: its answer 401 means that signing in did not work. */
export const sessionPath = '/console/session'

/** Called when the service no longer knows who is signed in. */
let onSignedOut = () => {}

export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}

/** By the reason that the service gives, and by the field that is wrong. */
type ErrorTexts = Readonly<Record<'errors' | 'problems', Readonly<Record<string, string>>>>

/** The words for errors; without any, those of the service, which are for callers of its API. */
let words: ErrorTexts | undefined

export function setErrorTexts(texts: ErrorTexts): void {
  words = texts
}

/** The body of a request with its type: JSON, or a file as it is. */
function contentOf(body: unknown): RequestInit {
  if (body === undefined) return {}
  if (body instanceof Blob) return { body, headers: { 'content-type': body.type } }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/**
 * Sends a request with the session of the console.
 *
 * @throws ApiError
 */
export async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { response, body: parsed } = await answerTo(path, { method, credentials: 'same-origin', ...contentOf(body) })
  if (response.ok) return parsed as T
  if (response.status === 401 && path !== sessionPath) onSignedOut()
  // The messages about signing in are for people.
  throw errorOf(response, parsed, path === sessionPath ? undefined : words)
}

/**
 * Requests a file, which is not read as JSON.
 *
 * @throws ApiError
 */
export async function requestFile(path: string, body: unknown): Promise<Blob> {
  const init = { method: 'POST', credentials: 'same-origin', ...contentOf(body) } as const
  const response = await waitFor(fetch(basePath() + path, init)).catch((error: unknown) => {
    throw new ApiError(0, String(error))
  })
  if (response.ok) return response.blob()
  if (response.status === 401) onSignedOut()
  throw errorOf(response, await response.json().catch(() => undefined), words)
}

/**
 * The response to a request, with its body as JSON; undefined when it is none.
 *
 * @throws ApiError when there was no response
 */
export async function answerTo(path: string, init: RequestInit): Promise<{ response: Response; body: unknown }> {
  const answer = async () => {
    const response = await fetch(basePath() + path, init)
    return { response, body: (await response.json().catch(() => undefined)) as unknown }
  }
  return waitFor(answer()).catch((error: unknown) => {
    throw new ApiError(0, String(error))
  })
}

function errorOf({ status, headers, statusText }: Response, body: unknown, texts: ErrorTexts | undefined): ApiError {
  const { error } = (body ?? {}) as {
    error?: { message?: string; reason?: string; request_id?: string; problems?: ApiError['problems'] }
  }
  const requestId = error?.request_id ?? headers.get('x-request-id') ?? undefined
  if (texts === undefined) return new ApiError(status, error?.message ?? statusText, requestId, error?.problems)
  const { reason = status < 500 ? 'invalid-input' : 'unavailable', problems = [] } = error ?? {}
  // A field of a mapping has no text here: its editor says what is wrong there.
  const told = problems.map(({ field, message }) => ({ field, message: texts.problems[field] ?? message }))
  const fields = new Set(problems.flatMap(({ field }) => texts.problems[field] ?? []))
  const isAboutFields = reason === 'invalid-input' && fields.size > 0
  const message = isAboutFields ? [...fields].join(' ') : (texts.errors[reason] ?? texts.errors['internal-error'])
  return new ApiError(status, message ?? statusText, requestId, told, error?.message)
}

/** The path with a query. */
export function withQuery(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))
  return search.size === 0 ? path : `${path}?${search}`
}
