import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ScimError } from '../scim/errors.ts'

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Responds to the methods that a URL does not support with 405 and an `Allow` header (RFC 9110 §15.5.6). */
export function rejectOtherMethods(app: FastifyInstance, url: string, allowed: readonly HTTPMethods[]): void {
  app.route({
    method: methods.filter((method) => !allowed.includes(method)),
    url,
    schema: { hide: true },
    async handler(_request, reply) {
      reply.header('allow', allowed.join(', '))
      throw new ScimError(405, undefined, `This URL only supports ${allowed.join(', ')}.`)
    },
  })
}
