import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePathOf } from './base-path.ts'

/** A cookie of this service. */
export interface Cookie {
  readonly name: string
  readonly maxAgeSeconds: number
  /** `Lax` also sends the cookie when a link or redirect of another site leads here. */
  readonly sameSite: 'Lax' | 'Strict'
}

const isSecure = (externalUrl: string) => /^https:/i.test(externalUrl)

/**
 * With the prefix, browsers reject the cookie unless it is secure, and for the whole of this host only (RFC 6265bis §4.1.3). Below a
 * path it is for that path, so that other services of the host do not receive it.
 */
function nameFor({ name }: Cookie, externalUrl: string): string {
  if (!isSecure(externalUrl)) return name
  return basePathOf(externalUrl) === '' ? `__Host-${name}` : `__Secure-${name}`
}

/** The value of a cookie; undefined without one. */
export function cookieValue({ headers }: FastifyRequest, cookie: Cookie, externalUrl: string): string | undefined {
  const name = nameFor(cookie, externalUrl)
  const pairs = headers.cookie?.split(';') ?? []
  return pairs
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

/** Sets a cookie that pages cannot read; without a value, removes it. */
export function setCookie(reply: FastifyReply, cookie: Cookie, externalUrl: string, value?: string): void {
  const secure = isSecure(externalUrl) ? '; Secure' : ''
  const age = value === undefined ? 0 : cookie.maxAgeSeconds
  const content = `${nameFor(cookie, externalUrl)}=${value ?? ''}; Path=${basePathOf(externalUrl) || '/'}; Max-Age=${age}`
  reply.header('set-cookie', `${content}; HttpOnly; SameSite=${cookie.sameSite}${secure}`)
}
