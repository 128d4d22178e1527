import type { FastifyError } from 'fastify'
import type { ErrorResponse } from '../error-response.ts'
import { errorResponseOf } from '../error-response.ts'
import { JsonBodyError } from './json-body.ts'

/** The refusals of the HTTP layer itself, in words that help. */
const ofHttp: Readonly<Record<string, ErrorResponse>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    message: 'Send the body as application/json or application/scim+json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, message: 'The body is not as long as its Content-Length says.' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, message: 'There is nothing at this address: no id is that long.' },
  FST_ERR_BAD_URL: { status: 400, message: 'The address is not well-formed: check its percent-encoding.' },
}

/**
 * How an error of a request is answered; undefined when it is nobody's but ours.
 *
 * @param bodyLimit of the request's route, in bytes
 */
export function requestErrorResponse(error: unknown, bodyLimit: number | undefined): ErrorResponse | undefined {
  if (error instanceof JsonBodyError) return { status: 400, scimType: 'invalidSyntax', message: error.message }
  const refusal = errorResponseOf(error)
  if (refusal !== undefined || !isFastifyError(error)) return refusal
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return { status: 413, message: `The body is too large: send at most ${bodyLimit} bytes in one request.` }
  }
  const known = ofHttp[error.code]
  if (known !== undefined) return known
  const { statusCode = 500 } = error
  return statusCode >= 400 && statusCode < 500 ? { status: statusCode, message: error.message } : undefined
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}
