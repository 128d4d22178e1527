import { domainOf } from '../model/items.ts'
import type { Reply } from '../reply.ts'
import { htmlReply, redirectReply } from '../reply.ts'
import type { FakeRequest } from '../request.ts'
import { accountOf } from './accounts.ts'
import type { OAuthContext } from './context.ts'
import type { Grant } from './grants.ts'
import { readScopes, scopeText } from './scopes.ts'

/**
 * The authorization endpoint, which responds immediately with the administrator's configured decision. As at Google, an
 * invalid request shows an error page, and only the decision is sent back to the client.
 */
export function authorize(context: OAuthContext, { query }: FakeRequest): Reply {
  const problem = problemOf(context, query)
  const scopes = readScopes(query.get('scope'))
  if (problem !== undefined) return htmlReply(problem.status, `Error ${problem.status}: ${problem.error}`)
  if (scopes === undefined) return htmlReply(400, 'Error 400: invalid_scope')
  const { consent } = context.knobs
  const granted = scopes.filter(consent.grant)
  const refusal = consent.refusal ?? (granted.length === 0 ? 'access_denied' : undefined)
  if (refusal !== undefined) return back(query, { error: refusal })
  const { code, grant } = issueCode(context, query, granted)
  return back(query, { code, scope: scopeText(grant.scopes) })
}

interface Problem {
  readonly status: number
  readonly error: string
}

/** The allowed values of parameters; others are not checked. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  response_type: ['code'],
  access_type: ['online', 'offline'],
  include_granted_scopes: ['true', 'false'],
  code_challenge_method: ['S256'],
}

const prompts = ['none', 'consent', 'select_account']

function problemOf({ client, state, knobs }: OAuthContext, query: URLSearchParams): Problem | undefined {
  const invalid = { status: 400, error: 'invalid_request' }
  const clientId = query.get('client_id')
  if (clientId === null || !query.has('response_type')) return invalid
  if (clientId !== client.clientId) return { status: 401, error: 'invalid_client' }
  if (!isRegistered(query.get('redirect_uri'), client.redirectUris))
    return { ...invalid, error: 'redirect_uri_mismatch' }
  const isWrong = ([name, values]: [string, readonly string[]]) =>
    query.has(name) && !values.includes(query.get(name) ?? '')
  if (Object.entries(allowed).some(isWrong) || !isChallenge(query)) return invalid
  if (!(query.get('prompt') ?? 'none').split(' ').every((prompt) => prompts.includes(prompt))) return invalid
  const domain = query.get('hd')?.toLowerCase() ?? '*'
  const isOurs = domain === '*' || state.domains.has(domain) || domain === domainOf(knobs.consent.account)
  return isOurs ? undefined : { status: 403, error: 'org_internal' }
}

function isRegistered(redirectUri: string | null, registered: readonly string[] | undefined): redirectUri is string {
  if (redirectUri === null || !URL.canParse(redirectUri)) return false
  return registered === undefined ? /^https?:/.test(redirectUri) : registered.includes(redirectUri)
}

/** A challenge has 43 characters and requires a method. */
function isChallenge(query: URLSearchParams): boolean {
  const challenge = query.get('code_challenge')
  if (challenge === null) return !query.has('code_challenge_method')
  return query.get('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(challenge)
}

function issueCode({ state, knobs, codes, consents }: OAuthContext, query: URLSearchParams, granted: string[]) {
  const account = accountOf(state, knobs.consent.account)
  const before = consents.grantedTo(account.email)
  const isFirst = before.size === 0
  const previous = query.get('include_granted_scopes') === 'true' ? before : []
  const grant: Grant = { account, scopes: new Set([...granted, ...previous]), isRevoked: false }
  consents.add(grant)
  const isAsked = isFirst || query.get('prompt')?.split(' ').includes('consent') === true
  const code = codes.issue({
    grant,
    redirectUri: query.get('redirect_uri') ?? '',
    challenge: query.get('code_challenge') ?? undefined,
    includesRefresh: isAsked && query.get('access_type') === 'offline',
  })
  return { code, grant }
}

/** Redirects the browser to the client with the unchanged state. */
function back(query: URLSearchParams, parameters: Readonly<Record<string, string>>): Reply {
  const location = new URL(query.get('redirect_uri') ?? '')
  const state = query.get('state')
  if (state !== null) location.searchParams.set('state', state)
  for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value)
  return redirectReply(location.href)
}
