import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '../../scim/errors.ts'
import { requestErrorResponse } from '../request-errors.ts'
import { keepReading } from '../responses.ts'
import { asScim } from './media-type.ts'

/** Sends an error of a SCIM request (RFC 7644 §3.12). */
export async function sendScimError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { status, scimType, message, headers = {} } = requestErrorResponse(error, request)
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="SCIM"')
  if (status === 413) keepReading(reply)
  asScim(reply).code(status).headers(headers)
  await reply.send(JSON.stringify(errorBody({ status, scimType, message })))
}
