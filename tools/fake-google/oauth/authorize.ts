import { randomUUID } from 'node:crypto'
import type { Reply } from '../reply.ts'
import { htmlReply, redirectReply } from '../reply.ts'
import type { FakeRequest } from '../request.ts'
import type { OAuthContext } from './context.ts'
import { readScopes, scopeText } from './scopes.ts'

/**
 * The authorization endpoint, where the administrator consents immediately. As at Google, an invalid request shows an
 * error page, and nothing is sent back to the client.
 */
export function authorize(context: OAuthContext, { query }: FakeRequest): Reply {
  const problem = problemOf(context, query)
  const scopes = readScopes(query.get('scope'))
  if (problem !== undefined) return htmlReply(problem.status, `Error ${problem.status}: ${problem.error}`)
  if (scopes === undefined) return htmlReply(400, 'Error 400: invalid_scope')
  const code = `4/0A-fake/${randomUUID()}`
  context.codes.set(code, {
    grant: { scopes, isRevoked: false },
    redirectUri: query.get('redirect_uri') ?? '',
    challenge: query.get('code_challenge') ?? '',
    // Google returns one at the first consent of an account without "consent" as well: no client may rely on it.
    includesRefresh: query.get('prompt') === 'consent' && query.get('access_type') === 'offline',
  })
  const location = new URL(query.get('redirect_uri') ?? '')
  const answer = { state: query.get('state') ?? '', code, scope: scopeText(scopes) }
  for (const [name, value] of Object.entries(answer)) location.searchParams.set(name, value)
  return redirectReply(location.href)
}

interface Problem {
  readonly status: number
  readonly error: string
}

function problemOf({ client, domains }: OAuthContext, query: URLSearchParams): Problem | undefined {
  const isChallenge = /^[\w-]{43}$/.test(query.get('code_challenge') ?? '')
  const isUsable = query.get('response_type') === 'code' && query.get('code_challenge_method') === 'S256'
  if (!isUsable || !isChallenge) return { status: 400, error: 'invalid_request' }
  if (query.get('client_id') !== client.clientId) return { status: 401, error: 'invalid_client' }
  const redirectUri = query.get('redirect_uri') ?? ''
  const isRegistered = client.redirectUris?.includes(redirectUri) ?? /^https?:/.test(redirectUri)
  if (!isRegistered) return { status: 400, error: 'redirect_uri_mismatch' }
  const domain = query.get('hd')
  return domain === null || domains.has(domain.toLowerCase()) ? undefined : { status: 403, error: 'org_internal' }
}
