import type { FastifyError, FastifyRequest } from 'fastify'
import type { ErrorResponse } from '../error-response.ts'
import { errorResponseOf, internalError } from '../error-response.ts'
import { BodyError } from './body-encoding.ts'

/**
 * The response to an error of a request. An unexpected error is logged in full; the response only has the request id.
 */
export function requestErrorResponse(error: unknown, request: FastifyRequest): ErrorResponse {
  const response = expectedErrorResponse(error, request.routeOptions.bodyLimit)
  if (response !== undefined) return response
  request.log.error({ requestId: request.id, err: error }, 'a request failed')
  return internalError(request.id)
}

/** The response to an error that the caller caused; undefined for any other error. */
function expectedErrorResponse(error: unknown, bodyLimit: number | undefined): ErrorResponse | undefined {
  if (error instanceof BodyError) return error
  const response = errorResponseOf(error)
  return response === undefined && isFastifyError(error) ? fastifyErrorResponse(error, bodyLimit) : response
}

function fastifyErrorResponse(
  { code, statusCode = 500, message }: FastifyError,
  bodyLimit: number | undefined,
): ErrorResponse | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return { status: 413, message: `The body is too large: send at most ${bodyLimit} bytes in one request.` }
  }
  const known = fastifyResponses[code]
  if (known !== undefined) return known
  return statusCode >= 400 && statusCode < 500 ? { status: statusCode, message } : undefined
}

/** The responses to errors of the framework, with a message that says what to do. */
const fastifyResponses: Readonly<Record<string, ErrorResponse>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    message: 'Send the body as JSON, with the header "Content-Type: application/json".',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, message: 'The length of the body differs from Content-Length.' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, message: 'Not found: the URL contains an id that is too long.' },
  FST_ERR_BAD_URL: {
    status: 400,
    scimType: 'invalidSyntax',
    message: 'The URL is malformed: check that its text is percent-encoded UTF-8.',
  },
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}
