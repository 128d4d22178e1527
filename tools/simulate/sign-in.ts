import { request } from 'undici'
import type { JsonObject } from '../../src/scim/json.ts'
import { isObject, own } from '../../src/scim/json.ts'
import type { ApiClientOptions } from './api-client.ts'
import { ApiError, createApiClient } from './api-client.ts'

/** How the simulator signs in: with the SCIM secret, or with an OAuth client of either type. */
export const signInMethods = ['token', 'secret', 'federation'] as const

export type SignInMethod = (typeof signInMethods)[number]

export function isSignInMethod(text: string): text is SignInMethod {
  return (signInMethods as readonly string[]).includes(text)
}

/** The present access token, which is renewed before it ends. */
export type AccessToken = () => Promise<string>

/** An OAuth client that exists for one simulation. */
export interface SimulatedClient extends AsyncDisposable {
  readonly accessToken: AccessToken
}

/** The calls that signing in needs, over HTTP or in the process of the service. */
export interface SignInCalls {
  /** The client as its creation returns it. */
  createClient(fields: JsonObject): Promise<unknown>
  deleteClient(clientId: string): Promise<unknown>
  /** Sends a form to the token endpoint. */
  requestToken(headers: Readonly<Record<string, string>>, form: string): Promise<TokenAnswer>
}

export interface TokenAnswer {
  readonly status: number
  /** Parsed JSON. */
  readonly body: unknown
}

/** Time before the end of an access token at which it is renewed, in milliseconds. */
const renewalMs = 300_000

/**
 * Creates an OAuth client of a directory and signs in with it. It is deleted when it is disposed of, with its tokens.
 *
 * @throws ApiError when the service refuses the client, or to issue a token to it
 */
export async function createSimulatedClient(
  calls: SignInCalls,
  method: Exclude<SignInMethod, 'token'>,
): Promise<SimulatedClient> {
  await using opening = new AsyncDisposableStack()
  const { fields, credentials } =
    method === 'secret' ? clientSecret : await workloadIdentity((issuer) => opening.use(issuer))
  const created = await calls.createClient({ ...fields, name: 'Simulated identity provider' })
  const clientId = textOf(created, 'client_id')
  opening.defer(async () => void (await calls.deleteClient(clientId)))
  const accessToken = renewedToken(async () => requestToken(calls, await credentials(clientId, created)))
  await accessToken()
  const open = opening.move()
  return { accessToken, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** The calls to a service over HTTP. */
export function signInOverHttp(api: ApiClientOptions, directoryId: string): SignInCalls {
  const { call } = createApiClient(api)
  const path = `/${encodeURIComponent(directoryId)}/oauth-clients`
  return {
    createClient: (fields) => call('POST', path, fields),
    deleteClient: (clientId) => call('DELETE', `${path}/${encodeURIComponent(clientId)}`),
    async requestToken(headers, form) {
      const { statusCode, body } = await request(api.baseUrl + tokenPath, { method: 'POST', headers, body: form })
      return { status: statusCode, body: await body.json().catch(() => ({})) }
    },
  }
}

/** The path of the token endpoint. */
export const tokenPath = '/api/scim/oauth/token'

/** A token request, apart from its grant type. */
interface Credentials {
  readonly form: Readonly<Record<string, string>>
  readonly authorization?: string
}

/** The fields of an OAuth client, and what its token requests contain. */
interface ClientKind {
  readonly fields: JsonObject
  readonly credentials: (clientId: string, created: unknown) => Promise<Credentials> | Credentials
}

/** A client with a secret, which Entra ID sends in the header by default (RFC 6749 §2.3.1). */
const clientSecret: ClientKind = {
  fields: { type: 'secret' },
  credentials: (clientId, created) => {
    const pair = [clientId, textOf(created, 'client_secret')].map(encodeURIComponent).join(':')
    return { form: {}, authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  },
}

/** A client that trusts a fake Entra tenant, which is running as long as the client exists. */
async function workloadIdentity(keep: (issuer: AsyncDisposable) => void): Promise<ClientKind> {
  // Only this way to sign in needs keys and a server.
  const { startFakeEntra } = await import('../fake-entra/issuer.ts')
  const entra = await startFakeEntra()
  keep(entra)
  const { issuer, jwksUrl: jwks_url, subject, audience } = entra
  return {
    fields: { type: 'federated', issuer, jwks_url, subject, audience },
    credentials: async (clientId) => ({
      form: {
        client_id: clientId,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await entra.assertion(),
      },
    }),
  }
}

interface IssuedToken {
  readonly token: string
  /** On the monotonic clock, in milliseconds. */
  readonly renewAt: number
}

/** Requests a token when there is none, or the present one ends soon; calls at the same time share the request. */
function renewedToken(issue: () => Promise<IssuedToken>): AccessToken {
  let present: IssuedToken | undefined
  let renewal: Promise<IssuedToken> | undefined
  return async () => {
    if (present !== undefined && performance.now() < present.renewAt) return present.token
    renewal ??= issue().finally(() => {
      renewal = undefined
    })
    present = await renewal
    return present.token
  }
}

/** @throws ApiError when the service refuses */
async function requestToken(calls: SignInCalls, { form, authorization }: Credentials): Promise<IssuedToken> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(authorization === undefined ? {} : { authorization }),
  }
  const fields = new URLSearchParams({ grant_type: 'client_credentials', scope: 'scim', ...form })
  const { status, body } = await calls.requestToken(headers, fields.toString())
  const response = isObject(body) ? body : {}
  if (status !== 200) {
    const reason = own(response, 'error_description') ?? own(response, 'error') ?? 'no reason'
    throw new ApiError(`POST ${tokenPath} failed with ${status}: ${String(reason)}`)
  }
  const lifetimeMs = Number(own(response, 'expires_in')) * 1000
  return { token: textOf(response, 'access_token'), renewAt: performance.now() + lifetimeMs - renewalMs }
}

/** @throws ApiError when the response has no such text */
function textOf(response: unknown, name: string): string {
  const value = isObject(response) ? own(response, name) : undefined
  if (typeof value === 'string' && value !== '') return value
  throw new ApiError(`The service returned no ${name}.`)
}
