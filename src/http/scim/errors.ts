import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '../../scim/errors.ts'
import { requestErrorResponse } from '../request-errors.ts'

/** Sends an error of a SCIM request (RFC 7644 §3.12). */
export async function sendScimError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { status, scimType, message, headers = {} } = requestErrorResponse(error, request)
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="SCIM"')
  reply.code(status).headers(headers).header('content-type', 'application/scim+json; charset=utf-8')
  await reply.send(JSON.stringify(errorBody({ status, scimType, message })))
}
