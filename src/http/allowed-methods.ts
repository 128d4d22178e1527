import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ScimError } from '../scim/errors.ts'

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers the methods that an address does not have with 405 and those that it has in `Allow` (RFC 9110 §15.5.6). */
export function rejectOtherMethods(app: FastifyInstance, url: string, allowed: readonly HTTPMethods[]): void {
  app.route({
    method: methods.filter((method) => !allowed.includes(method)),
    url,
    schema: { hide: true },
    async handler(_request, reply) {
      reply.header('allow', allowed.join(', '))
      throw new ScimError(405, undefined, `This address takes ${allowed.join(', ')} only.`)
    },
  })
}
