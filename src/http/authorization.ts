import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { CallerOrigin } from '../directory/audit.ts'

/**
 * The `Authorization` header of a request; undefined when there is none, and when there are several, of which a proxy may
 * have looked at another one.
 */
export function authorizationOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (isAuthorization(rawHeaders[index])) count += 1
  return count === 1 ? headers.authorization : undefined
}

/** Names are looked at closely only when they are as long: this is done for every request. */
function isAuthorization(name = ''): boolean {
  return name.length === 13 && name.toLowerCase() === 'authorization'
}

/**
 * The credential of an `Authorization` header of one scheme, in any letter case; undefined for another scheme or none.
 * Between the two are blanks and nothing else (RFC 9110 §11.4): what only looks like a blank is part of the credential.
 */
export function credential(header: string | undefined, scheme: 'Bearer' | 'Api-Key'): string | undefined {
  if (header === undefined) return undefined
  const start = header.slice(0, scheme.length + 1)
  if (start.toLowerCase() !== `${scheme.toLowerCase()} `) return undefined
  return header.slice(scheme.length + 1).replace(/^ +/, '')
}

/** Where a request came from, as far as the proxies can be trusted. */
export function originOf({ id, ip }: FastifyRequest): CallerOrigin {
  return { requestId: id, address: ip }
}
