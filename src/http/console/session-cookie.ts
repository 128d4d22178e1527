import type { FastifyRequest } from 'fastify'
import type { ConsoleAccess } from '../../admin/sessions/console-access.ts'
import type { SignedIn } from '../../admin/sessions/sessions.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { originOf } from '../authorization.ts'
import type { Cookie } from '../cookies.ts'
import { cookieValue } from '../cookies.ts'

export const sessionCookie: Cookie = { name: 'rollcall-session', maxAgeSeconds: 7 * 24 * 3600, sameSite: 'Strict' }

/** The parts that look up sessions. */
export interface SessionParts {
  readonly management: { readonly console: Pick<ConsoleAccess, 'find'> }
  readonly service: { readonly externalUrl: () => string }
}

/**
 * The admin or API key that is signed in with the request's cookie; undefined if there is none. A request that may
 * change something must come from a page of this service.
 *
 * @throws DirectoryError `forbidden` when it does not
 */
export async function signedInBy(
  request: FastifyRequest,
  { management, service }: SessionParts,
): Promise<SignedIn | undefined> {
  const token = cookieValue(request, sessionCookie, service.externalUrl())
  if (token === undefined) return undefined
  requireSameOrigin(request, service.externalUrl())
  return management.console.find(token, originOf(request))
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects a request that a page of another site made the browser send. Browsers name the site in `Sec-Fetch-Site`,
 * older ones in `Origin`.
 *
 * @throws DirectoryError `forbidden`
 */
export function requireSameOrigin({ method, headers, host }: FastifyRequest, externalUrl: string): void {
  if (safeMethods.has(method)) return
  const { origin, 'sec-fetch-site': site } = headers
  const isSame = site === undefined ? isOwnOrigin(origin, externalUrl, host) : site === 'same-origin'
  if (isSame) return
  throw new DirectoryError('forbidden', 'With a console session, only the pages of the console may send this request.')
}

/** Accepts the host of the request as well: behind a proxy it may differ from that of `EXTERNAL_URL`. */
function isOwnOrigin(origin: string | undefined, externalUrl: string, host: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  return origin === new URL(externalUrl).origin || new URL(origin).host === host
}
