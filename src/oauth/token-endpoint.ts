import type { AdminLog, LastUse } from '../admin/last-use.ts'
import { createLastUse } from '../admin/last-use.ts'
import type { AccessTokens } from '../directory/access-token.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import type { Assertion, AssertionRefusal } from './assertion.ts'
import { readAssertion, refusalOf, refusalOfKey, refusalOfSignature } from './assertion.ts'
import type { ClientCredentials, TokenRefusal, TokenRequest } from './client-credentials.ts'
import { readCredentials } from './client-credentials.ts'
import { isClientSecret } from './client-secret.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import type { FederatedClient, OAuthClient } from './oauth-client.ts'
import type { OAuthClientStore } from './oauth-client-store.ts'

/** The scope of every access token. */
export const tokenScope = 'scim'

/** Clients with one issuer and subject that are compared with an assertion that does not name its client. */
const maxCandidates = 20
const maxClientIdLength = 100

export interface TokenEndpointParts {
  readonly store: Pick<OAuthClientStore, 'getOAuthClient' | 'findFederatedClients'> &
    Pick<DirectoryRecords, 'getDirectory'>
  readonly tokens: Pick<AccessTokens, 'issue'>
  readonly issuerKeys: Pick<IssuerKeys, 'find'>
  /** The key of `digestClientSecret`. */
  readonly secretKey: string
  readonly lastUse: LastUse
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** An access token as RFC 6749 §5.1 responds with it. */
export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: typeof tokenScope
}

/** Issues access tokens to OAuth clients (RFC 6749 §4.4). */
export interface TokenEndpoint {
  issue(request: TokenRequest): Promise<TokenResponse | TokenRefusal>
}

/** Stores when clients were last used. */
export function createClientUse({ store, clock, log }: ClientUseParts): LastUse {
  const touch = (key: string, at: number) => {
    const [directoryId = '', id = ''] = key.split(' ')
    return store.touchOAuthClient(directoryId, id, at)
  }
  return createLastUse({ touch, clock, log })
}

export interface ClientUseParts {
  readonly store: Pick<OAuthClientStore, 'touchOAuthClient'>
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly log: AdminLog
}

export function createTokenEndpoint(parts: TokenEndpointParts): TokenEndpoint {
  const { store, tokens, lastUse } = parts
  return {
    async issue(request) {
      const credentials = readCredentials(request)
      if ('error' in credentials) return credentials
      const client = await authenticate(parts, credentials)
      if ('error' in client) return client
      const { directoryId } = client
      const directory = await store.getDirectory(directoryId)
      if (directory === undefined) return unknownClient
      if (directory.deactivated) {
        return { error: 'unauthorized_client', description: 'The directory of this client is deactivated.' }
      }
      lastUse.note(`${directoryId} ${client.id}`, client.lastUsedAt)
      const { token, lifetimeSeconds } = await tokens.issue(directoryId, client.id)
      return { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds, scope: tokenScope }
    },
  }
}

async function authenticate(
  parts: TokenEndpointParts,
  credentials: ClientCredentials,
): Promise<OAuthClient | TokenRefusal> {
  if (credentials.kind === 'assertion') return authenticateFederated(parts, credentials)
  const client = await findClient(parts, credentials.clientId)
  return client === undefined ? unknownClient : authenticateSecret(parts, client, credentials.secret)
}

async function findClient({ store }: TokenEndpointParts, id: string): Promise<OAuthClient | undefined> {
  return id.length > maxClientIdLength ? undefined : store.getOAuthClient(id)
}

function authenticateSecret(
  { secretKey, clock }: TokenEndpointParts,
  client: OAuthClient,
  secret: string,
): OAuthClient | TokenRefusal {
  const { id } = client
  if (client.type !== 'secret') {
    return wrongCredentials(client, `a secret was sent for the OAuth client \`${id}\`, which signs in with assertions`)
  }
  if (!isClientSecret(secret, client.secretDigest, secretKey)) {
    return wrongCredentials(client, `the secret of the OAuth client \`${id}\` is wrong`)
  }
  if (client.expiresAt > clock()) return client
  const problem = `the secret of the OAuth client \`${id}\` has expired, at ${new Date(client.expiresAt).toISOString()}`
  return refusalFor(client, 'The secret of this client has expired.', problem)
}

async function authenticateFederated(
  parts: TokenEndpointParts,
  { clientId, assertion: text }: Extract<ClientCredentials, { kind: 'assertion' }>,
): Promise<OAuthClient | TokenRefusal> {
  const assertion = await readAssertion(text)
  const client =
    clientId === undefined ? assertion && (await findByAssertion(parts, assertion)) : await findClient(parts, clientId)
  if (client === undefined) return unknownClient
  if ('error' in client) return client
  if (client.type !== 'federated') {
    return wrongCredentials(client, `an assertion was sent for the OAuth client \`${client.id}\`, which has a secret`)
  }
  const refusal = assertion === undefined ? noAssertion : await verify(parts, client, assertion)
  if (refusal === undefined) return client
  return refusalFor(client, `The assertion is not accepted: ${refusal.reason}.`, refusal.problem)
}

/** The claims are checked first, so that keys are fetched only for assertions that could be right. */
async function verify(
  { issuerKeys, clock }: TokenEndpointParts,
  client: FederatedClient,
  assertion: Assertion,
): Promise<AssertionRefusal | undefined> {
  const refusal = refusalOf(assertion, client, clock())
  if (refusal !== undefined) return refusal
  const found = await issuerKeys.find(client, assertion.kid)
  if ('problem' in found) return refusalOfKey(found.problem)
  return refusalOfSignature(assertion, found.getKey)
}

/** The client that issuer, subject and audience name, or the only one with this issuer and subject. */
async function findByAssertion(
  { store }: TokenEndpointParts,
  { issuer, subject, audiences }: Assertion,
): Promise<FederatedClient | TokenRefusal | undefined> {
  const candidates = await store.findFederatedClients(issuer, subject, maxCandidates)
  const matching = candidates.filter(({ audience }) => audiences.includes(audience))
  const found = matching.length > 0 ? matching : candidates
  if (found.length <= 1) return found[0]
  return { error: 'invalid_client', description: 'Send client_id: the assertion fits several clients.' }
}

const unknownClient = {
  error: 'invalid_client',
  description: 'The client is unknown, or its credentials are wrong.',
} as const satisfies TokenRefusal

/** The refusal of a request that named a client: whoever sent it is not told that the client exists. */
function wrongCredentials(client: OAuthClient, problem: string): TokenRefusal {
  return refusalFor(client, unknownClient.description, problem)
}

function refusalFor({ id, directoryId }: OAuthClient, description: string, problem: string): TokenRefusal {
  return { error: 'invalid_client', description, client: { id, directoryId }, problem }
}

const noAssertion: AssertionRefusal = {
  reason: 'it is not a signed JWT',
  problem: 'the assertion is not a signed JWT',
}
