import type { FastifyRequest } from 'fastify'
import type { Origin } from '../admin/origin.ts'

/** Where a request came from, as far as the proxies can be trusted. */
export function originOf({ id, ip }: FastifyRequest): Origin {
  return { requestId: id, address: ip }
}
