import type { Answer } from './answer.ts'

/** A prepared request and the expected response. */
export interface Call {
  readonly bytes: Buffer
  readonly status: number
  /** A text that the body must contain. */
  readonly includes?: string | undefined
}

export interface CallParts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Value of the `Authorization` header. */
  readonly authorization?: string | undefined
  readonly body?: unknown
  /** Default: that of SCIM. */
  readonly contentType?: string
  readonly status: number
  readonly includes?: string | undefined
}

/** Prepares a call before the time is measured. */
export function makeCall({
  method,
  path,
  authorization,
  body,
  contentType = 'application/scim+json',
  status,
  includes,
}: CallParts): Call {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/scim+json, application/json',
    ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
    ...(body === undefined
      ? []
      : [`content-type: ${contentType}; charset=utf-8`, `content-length: ${Buffer.byteLength(text)}`]),
  ]
  return { bytes: Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`), status, includes }
}

/** The problem with a response; undefined if it is as expected. */
export function problemWith({ bytes, status, includes }: Call, answer: Answer | Error): Error | undefined {
  const requestText = () => bytes.subarray(0, 1000).toString()
  if (answer instanceof Error) return new Error(`no answer to:\n${requestText()}`, { cause: answer })
  if (answer.status === status && (includes === undefined || answer.body.includes(includes))) return undefined
  const expected = `${status}${includes === undefined ? '' : ` with ${includes}`}`
  return new Error(
    `${answer.status} instead of ${expected}:\n${requestText()}\n\n${answer.body.subarray(0, 1000).toString()}`,
  )
}
