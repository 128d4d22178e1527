import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { CallerOrigin } from '../directory/audit.ts'

/**
 * The `Authorization` header of a request; undefined when it is missing, or repeated, because a proxy may have checked
 * the other one.
 */
export function authorizationOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (isAuthorization(rawHeaders[index])) count += 1
  return count === 1 ? headers.authorization : undefined
}

/** Compares the length first, because this runs for every header of every request. */
function isAuthorization(name = ''): boolean {
  return name.length === 13 && name.toLowerCase() === 'authorization'
}

/**
 * The credential of an `Authorization` header; undefined for another scheme. The scheme is case-insensitive and is
 * followed by spaces only (RFC 9110 §11.4): other white space is part of the credential.
 */
export function credential(header: string | undefined, scheme: 'Bearer' | 'Api-Key' | 'Setup'): string | undefined {
  if (header === undefined) return undefined
  const start = header.slice(0, scheme.length + 1)
  if (start.toLowerCase() !== `${scheme.toLowerCase()} `) return undefined
  return header.slice(scheme.length + 1).replace(/^ +/, '')
}

/** The origin of a request; the address is the client's only behind trusted proxies. */
export function originOf({ id, ip, socket }: Pick<FastifyRequest, 'id' | 'ip' | 'socket'>): CallerOrigin {
  const { remoteAddress } = socket
  return { requestId: id, address: ip === remoteAddress ? ip : (addressIn(ip) ?? remoteAddress) }
}

/** The address in an item of `X-Forwarded-For`, to which some proxies add a port; undefined if it is not an address. */
function addressIn(forwarded: string): string | undefined {
  const [, v6, v4] = /^\[([\da-f:.]+)\](?::\d+)?$|^([\d.]+):\d+$/i.exec(forwarded) ?? []
  const address = v6 ?? v4 ?? forwarded
  return isIP(address) === 0 ? undefined : address
}
