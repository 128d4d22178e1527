import type { FastifyRequest } from 'fastify'
import type { CallerOrigin } from '../directory/audit.ts'

/** Where a request came from, as far as the proxies can be trusted. */
export function originOf({ id, ip }: FastifyRequest): CallerOrigin {
  return { requestId: id, address: ip }
}
