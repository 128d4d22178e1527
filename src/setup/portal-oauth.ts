import type { Caller } from '../directory/audit.ts'
import type { Directory } from '../directory/directory.ts'
import { throwProblems } from '../directory/errors.ts'
import { parseInput } from '../directory/inputs.ts'
import type { DirectoryType } from '../directory/provider.ts'
import { providers } from '../directory/provider.ts'
import type { OAuthClients } from '../oauth/clients.ts'
import { checkedFederation } from './entra-federation.ts'
import { PortalClientInput } from './inputs.ts'

/** The path of the token endpoint, which `http/oauth/` serves. */
const tokenPath = '/api/scim/oauth/token'

/** The providers whose administrators are offered OAuth 2.0. */
const oauthTypes: readonly DirectoryType[] = ['azure-scim-v2']

/** An OAuth client for the holder of a setup link. */
export interface PortalOAuthClient {
  readonly client_id: string
  readonly type: 'secret' | 'federated'
  /** ISO 8601 in UTC, like the next two. */
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

/** How the identity provider of a directory can sign in with OAuth 2.0. */
export interface PortalOAuth {
  readonly token_endpoint: string
  /** Whether the SCIM secret is refused. */
  readonly is_required: boolean
  /** Newest first. */
  readonly clients: readonly PortalOAuthClient[]
}

/** A new client; its secret is shown only here. */
export interface CreatedPortalClient {
  readonly client_id: string
  readonly client_secret: string | null
}

export interface PortalOAuthParts {
  readonly oauthClients: Pick<OAuthClients, 'create' | 'delete' | 'list'>
  readonly externalUrl: () => string
}

/** The OAuth clients of a directory and where they sign in; null for providers that are not offered OAuth. */
export async function portalOAuth(
  { id, directoryType, scimAuth }: Directory,
  { oauthClients, externalUrl }: PortalOAuthParts,
): Promise<PortalOAuth | null> {
  if (!oauthTypes.includes(directoryType)) return null
  const clients = (await oauthClients.list(id)).toReversed()
  return {
    token_endpoint: `${externalUrl()}${tokenPath}`,
    is_required: scimAuth === 'oauth',
    clients: clients.map(({ client_id, type, created_at, expires_at, last_used_at }) => ({
      ...{ client_id, type, created_at, expires_at, last_used_at },
    })),
  }
}

/**
 * Creates an OAuth client of a directory, from what the administrator has pasted if it is a federated one.
 *
 * @throws DirectoryError `invalid-input`, `too-many-clients`
 */
export async function createPortalClient(
  { id, directoryType }: Directory,
  input: unknown,
  caller: Caller,
  { oauthClients }: PortalOAuthParts,
): Promise<CreatedPortalClient> {
  const { type, issuer = '', jwks_url = '', subject = '', audience = '' } = parseInput(PortalClientInput, input)
  rejectOtherProviders(directoryType)
  const fields = type === 'secret' ? {} : checkedFederation({ issuer, jwks_url, subject, audience })
  const created = await oauthClients.create(id, { type, name: clientName, ...fields }, caller)
  return { client_id: created.client_id, client_secret: created.client_secret ?? null }
}

/** The name by which operators recognize the clients that administrators create. */
const clientName = 'Setup portal'

function rejectOtherProviders(type: DirectoryType): void {
  if (oauthTypes.includes(type)) return
  const message = `type: this page creates OAuth clients for ${oauthTypes.map((one) => providers[one]).join(', ')} only.`
  throwProblems([{ field: 'type', message }])
}

/** Deletes every OAuth client of a directory, for another identity provider. */
export async function deletePortalClients(
  { id }: Directory,
  caller: Caller,
  { oauthClients }: PortalOAuthParts,
): Promise<void> {
  for (const { client_id } of await oauthClients.list(id)) await oauthClients.delete(id, client_id, caller)
}

/** The last time that an OAuth client signed in; null if none has. */
export function lastSignIn(clients: readonly Pick<PortalOAuthClient, 'last_used_at'>[]): string | null {
  return clients.map(({ last_used_at: at }) => at).reduce(later, null)
}

/** The later of two times in ISO 8601. */
export function later(first: string | null, second: string | null): string | null {
  if (first === null || second === null) return first ?? second
  return first > second ? first : second
}
