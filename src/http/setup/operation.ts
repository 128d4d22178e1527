import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../directory/audit.ts'
import { originOf } from '../authorization.ts'
import type { OperationParts } from '../openapi/operation.ts'
import { bodyErrors, callErrors, operationSchema } from '../openapi/operation.ts'

/** The setup link as the caller of a request. */
export function callerOf(request: FastifyRequest): Caller {
  return { kind: 'setup', id: request.setupLink.id, name: undefined, ...originOf(request) }
}

const setup = {
  tag: 'Setup portal',
  security: [{ setupToken: [] }],
  errors: [...callErrors, 409, 410, 501],
  bodyErrors,
}

/** The schema of a route of the setup portal. */
export function described(summary: string, parts: OperationParts) {
  return operationSchema(setup, summary, parts)
}
