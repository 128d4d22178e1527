import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { CallerOrigin } from '../directory/audit.ts'

/**
 * The `Authorization` header of a request; undefined when it is missing or repeated, as a proxy may have checked another
 * one of them.
 */
export function authorizationOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (isAuthorization(rawHeaders[index])) count += 1
  return count === 1 ? headers.authorization : undefined
}

/** Compares the length first: this runs for every header of every request. */
function isAuthorization(name = ''): boolean {
  return name.length === 13 && name.toLowerCase() === 'authorization'
}

/**
 * The credential of an `Authorization` header; undefined for another scheme. The scheme is case-insensitive and only
 * spaces follow it (RFC 9110 §11.4): any other white space is part of the credential.
 */
export function credential(header: string | undefined, scheme: 'Bearer' | 'Api-Key'): string | undefined {
  if (header === undefined) return undefined
  const start = header.slice(0, scheme.length + 1)
  if (start.toLowerCase() !== `${scheme.toLowerCase()} `) return undefined
  return header.slice(scheme.length + 1).replace(/^ +/, '')
}

/** Where a request came from; the address is the client's only behind trusted proxies. */
export function originOf({ id, ip }: FastifyRequest): CallerOrigin {
  return { requestId: id, address: ip }
}
