import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from '../../scim/errors.ts'
import { bearerChallenge } from '../../service-provider/access.ts'
import { authorizationOf, credential } from '../authorization.ts'
import { BodyError } from '../body-encoding.ts'
import { requestErrorResponse } from '../request-errors.ts'
import { keepReading } from '../responses.ts'
import { decisiveError } from './authorization.ts'
import { asScim } from './media-type.ts'

/** Sends an error of a SCIM request (RFC 7644 §3.12). */
export async function sendScimError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const response = requestErrorResponse(decisiveError(error, request), request)
  const { status, scimType, message, headers = {} } = response
  request.scimRefusal = { ...response, message, isUnparseable: error instanceof BodyError }
  if (status === 401) {
    const sent = credential(authorizationOf(request.raw), 'Bearer')
    reply.header('www-authenticate', bearerChallenge(sent, message))
  }
  if (status === 413) keepReading(reply)
  asScim(reply).code(status).headers(headers)
  await reply.send(JSON.stringify(errorBody({ status, scimType, message })))
}
