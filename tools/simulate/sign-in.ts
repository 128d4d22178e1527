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

/** Time before the end of an access token at which it is renewed, in milliseconds. */
const renewalMs = 300_000

/**
 * Creates an OAuth client of a directory and signs in with it. It is deleted when it is disposed of, with its tokens.
 *
 * @throws ApiError when the service refuses the client, or to issue a token to it
 */
export async function createSimulatedClient(
  api: ApiClientOptions,
  directoryId: string,
  method: Exclude<SignInMethod, 'token'>,
): Promise<SimulatedClient> {
  await using opening = new AsyncDisposableStack()
  const calls = createApiClient(api)
  const path = `/${encodeURIComponent(directoryId)}/oauth-clients`
  const { fields, credentials } =
    method === 'secret' ? clientSecret : await workloadIdentity((issuer) => opening.use(issuer))
  const created = await calls.call('POST', path, { ...fields, name: 'rollcall simulate' })
  const clientId = textOf(created, 'client_id')
  opening.defer(async () => void (await calls.call('DELETE', `${path}/${encodeURIComponent(clientId)}`)))
  const tokenUrl = `${api.baseUrl}/api/scim/oauth/token`
  const accessToken = renewedToken(async () => requestToken(tokenUrl, await credentials(clientId, created)))
  await accessToken()
  const open = opening.move()
  return { accessToken, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

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
async function requestToken(url: string, { form, authorization }: Credentials): Promise<IssuedToken> {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'scim', ...form }).toString(),
  })
  const response: unknown = await body.json().catch(() => ({}))
  if (statusCode !== 200) {
    const reason = isObject(response) ? (own(response, 'error_description') ?? own(response, 'error')) : undefined
    throw new ApiError(`POST ${url} failed with ${statusCode}: ${String(reason ?? 'no reason')}`)
  }
  const seconds = isObject(response) ? Number(own(response, 'expires_in')) : 0
  return { token: textOf(response, 'access_token'), renewAt: performance.now() + seconds * 1000 - renewalMs }
}

/** @throws ApiError when the response has no such text */
function textOf(response: unknown, name: string): string {
  const value = isObject(response) ? own(response, name) : undefined
  if (typeof value === 'string' && value !== '') return value
  throw new ApiError(`The service returned no ${name}.`)
}
