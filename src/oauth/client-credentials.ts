import type { OAuthClient } from './oauth-client.ts'

/** The errors of RFC 6749 §5.2 that the token endpoint responds with. */
export type TokenErrorCode = 'invalid_request' | 'invalid_client' | 'unauthorized_client' | 'unsupported_grant_type'

/** A token request that is refused. */
export interface TokenRefusal {
  readonly error: TokenErrorCode
  /** For whoever sent the request. */
  readonly description: string
  /** The clients that the request or its assertion named. */
  readonly failures?: readonly ClientFailure[]
}

/** A client that a token request failed for. */
export interface ClientFailure {
  readonly client: Pick<OAuthClient, 'id' | 'directoryId'>
  /** For health and explanations of its directory. */
  readonly problem: string
}

/** The ways in which a client proves who it is. */
export type ClientCredentials =
  | { readonly kind: 'secret'; readonly clientId: string; readonly secret: string }
  | { readonly kind: 'assertion'; readonly clientId: string | undefined; readonly assertion: string }

/** A token request: its form, and the `Authorization` header. */
export interface TokenRequest {
  readonly form: URLSearchParams
  readonly authorization: string | undefined
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Reads how the client of a token request signs in: in exactly one way (RFC 6749 §2.3). Pure. */
export function readCredentials({ form, authorization }: TokenRequest): ClientCredentials | TokenRefusal {
  const repeated = [...new Set(form.keys())].find((name) => form.getAll(name).length > 1)
  if (repeated !== undefined) return invalid(`Send every parameter once: ${repeated.slice(0, 50)} is repeated.`)
  const grant = form.get('grant_type')
  if (grant === null) return invalid('Send grant_type=client_credentials.')
  if (grant !== 'client_credentials') {
    return { error: 'unsupported_grant_type', description: 'The only grant_type is client_credentials.' }
  }
  const [clientId, secret, assertion] = ['client_id', 'client_secret', 'client_assertion'].map((name) => form.get(name))
  const ways = [authorization, secret, assertion].filter((way) => way !== null && way !== undefined)
  if (ways.length > 1) return invalid('Authenticate the client in one way only.')
  if (authorization !== undefined) return readBasic(authorization, clientId ?? undefined)
  if (typeof assertion === 'string') return readAssertionFields(assertion, form.get('client_assertion_type'), clientId)
  if (typeof secret !== 'string' || typeof clientId !== 'string') {
    return { error: 'invalid_client', description: 'Send client_id and client_secret, or a client_assertion.' }
  }
  return { kind: 'secret', clientId, secret }
}

function readAssertionFields(
  assertion: string,
  type: string | null,
  clientId: string | null | undefined,
): ClientCredentials | TokenRefusal {
  if (type !== assertionType) return invalid(`Send client_assertion_type=${assertionType}.`)
  return { kind: 'assertion', clientId: clientId ?? undefined, assertion }
}

/** Reads HTTP Basic, whose parts are form-encoded (RFC 6749 §2.3.1). */
function readBasic(authorization: string, named: string | undefined): ClientCredentials | TokenRefusal {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  const [clientId, clientSecret] = [formDecoded(id), formDecoded(secret)]
  if (clientId === undefined || clientSecret === undefined) {
    return { error: 'invalid_client', description: 'Send "Authorization: Basic" with client_id and client_secret.' }
  }
  if (named !== undefined && named !== clientId) return invalid('The body has another client_id than the header.')
  return { kind: 'secret', clientId, secret: clientSecret }
}

function formDecoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function invalid(description: string): TokenRefusal {
  return { error: 'invalid_request', description }
}
