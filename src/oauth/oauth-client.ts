/** An OAuth client: how an identity provider signs in to a directory without its SCIM secret. */
export type OAuthClient = SecretClient | FederatedClient

/** How many OAuth clients a directory may have: enough to rotate the secrets of several. */
export const maxClients = 20

/** The operator is warned so long before a secret expires, in milliseconds. */
export const expiryWarningMs = 30 * 24 * 3_600_000

/** What all OAuth clients have. Times are Unix milliseconds. */
interface ClientBasics {
  readonly id: string
  readonly directoryId: string
  readonly name: string | undefined
  readonly createdAt: number
  /** The time of the last access token; undefined: not yet. It may be a minute late. */
  readonly lastUsedAt: number | undefined
}

/** A client that signs in with a secret (RFC 6749 §2.3.1). */
export interface SecretClient extends ClientBasics {
  readonly type: 'secret'
  /** See `digestClientSecret`. */
  readonly secretDigest: string
  readonly expiresAt: number
}

/** A client that signs in with assertions of its identity provider (RFC 7523 §2.2), so that it has no secret. */
export interface FederatedClient extends ClientBasics {
  readonly type: 'federated'
  readonly issuer: string
  readonly subject: string
  /** Without `/.default` at its end. */
  readonly audience: string
  /** Where the issuer's keys are; undefined: its discovery document says. */
  readonly jwksUrl: string | undefined
}

/** An OAuth client as the API shows it. Times are ISO 8601 in UTC. */
export interface OAuthClientView {
  readonly client_id: string
  readonly type: OAuthClient['type']
  readonly name: string | null
  readonly created_at: string
  /** Null: never. */
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly issuer: string | null
  readonly subject: string | null
  readonly audience: string | null
  readonly jwks_url: string | null
}

export function oauthClientView(client: OAuthClient): OAuthClientView {
  const { id: client_id, type, name = null, createdAt, lastUsedAt } = client
  const federated = client.type === 'federated' ? client : undefined
  return {
    ...{ client_id, type, name, created_at: new Date(createdAt).toISOString() },
    expires_at: client.type === 'secret' ? new Date(client.expiresAt).toISOString() : null,
    last_used_at: lastUsedAt === undefined ? null : new Date(lastUsedAt).toISOString(),
    issuer: federated?.issuer ?? null,
    subject: federated?.subject ?? null,
    audience: federated?.audience ?? null,
    jwks_url: federated?.jwksUrl ?? null,
  }
}
