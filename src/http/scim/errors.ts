import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '../../scim/errors.ts'
import { requestErrorResponse } from '../request-errors.ts'

/** Answers an error of a SCIM request (RFC 7644 §3.12). What is not the caller's fault is logged whole and shown bare. */
export async function sendScimError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const refusal = requestErrorResponse(error, request.routeOptions.bodyLimit)
  if (refusal === undefined) request.log.error({ requestId: request.id, err: error }, 'a SCIM request failed')
  const {
    status,
    scimType,
    message,
    headers = {},
  } = refusal ?? {
    status: 500,
    scimType: undefined,
    message: `Something went wrong here; it is logged with the request id ${request.id}.`,
  }
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="SCIM"')
  reply.code(status).headers(headers).header('content-type', 'application/scim+json; charset=utf-8')
  await reply.send(JSON.stringify(errorBody({ status, scimType, message })))
}
