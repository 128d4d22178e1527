import type { AdminLog, LastUse } from '../admin/last-use.ts'
import { createLastUse } from '../admin/last-use.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { AccessTokens } from './access-token.ts'
import type { Assertion, AssertionRefusal } from './assertion.ts'
import { readAssertion, refusalOf, refusalOfKey, refusalOfSignature } from './assertion.ts'
import type { ClientCredentials, ClientFailure, TokenRefusal, TokenRequest } from './client-credentials.ts'
import { readCredentials } from './client-credentials.ts'
import { isClientSecret } from './client-secret.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import type { FederatedClient, OAuthClient } from './oauth-client.ts'
import type { OAuthClientStore } from './oauth-client-store.ts'

/** The scope of every access token. */
export const tokenScope = 'scim'

/** Clients with one issuer and subject that are compared with an assertion that does not name its client. */
const maxCandidates = 100
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
      const clients = await authenticate(parts, credentials)
      if ('error' in clients) return clients
      const signedIn = await Promise.all(
        clients.map(async (client) => ({ client, directory: await store.getDirectory(client.directoryId) })),
      )
      const existing = signedIn.filter(({ directory }) => directory !== undefined)
      if (existing.length === 0) return unknownClient
      const active = existing.filter(({ directory }) => directory?.deactivated === false).map(({ client }) => client)
      if (active.length === 0) {
        return { error: 'unauthorized_client', description: 'The directory of this client is deactivated.' }
      }
      for (const { directoryId, id, lastUsedAt } of active) lastUse.note(`${directoryId} ${id}`, lastUsedAt)
      const { token, lifetimeSeconds } = await tokens.issue(active)
      return { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds, scope: tokenScope }
    },
  }
}

/** Returns one client, or several of different directories whose assertion it is. */
async function authenticate(
  parts: TokenEndpointParts,
  credentials: ClientCredentials,
): Promise<readonly OAuthClient[] | TokenRefusal> {
  if (credentials.kind === 'assertion') return authenticateFederated(parts, credentials)
  const client = await findClient(parts, credentials.clientId)
  if (client === undefined) return unknownClient
  const refusal = refusalOfSecret(parts, client, credentials.secret)
  return refusal ?? [client]
}

async function findClient({ store }: TokenEndpointParts, id: string): Promise<OAuthClient | undefined> {
  return id.length > maxClientIdLength ? undefined : store.getOAuthClient(id)
}

function refusalOfSecret(
  { secretKey, clock }: TokenEndpointParts,
  client: OAuthClient,
  secret: string,
): TokenRefusal | undefined {
  const { id } = client
  if (client.type !== 'secret') {
    return wrongCredentials(client, `a secret was sent for the OAuth client \`${id}\`, which signs in with assertions`)
  }
  if (!isClientSecret(secret, client.secretDigest, secretKey)) {
    return wrongCredentials(client, `the secret of the OAuth client \`${id}\` is wrong`)
  }
  if (client.expiresAt > clock()) return undefined
  const problem = `the secret of the OAuth client \`${id}\` has expired, at ${new Date(client.expiresAt).toISOString()}`
  return refusalFor(client, 'The secret of this client has expired.', problem)
}

async function authenticateFederated(
  parts: TokenEndpointParts,
  { clientId, assertion: text }: Extract<ClientCredentials, { kind: 'assertion' }>,
): Promise<readonly OAuthClient[] | TokenRefusal> {
  const assertion = await readAssertion(text)
  if (clientId === undefined) return assertion === undefined ? unknownClient : authenticateUnnamed(parts, assertion)
  const client = await findClient(parts, clientId)
  if (client === undefined) return unknownClient
  if (client.type !== 'federated') {
    return wrongCredentials(client, `an assertion was sent for the OAuth client \`${client.id}\`, which has a secret`)
  }
  return assertion === undefined
    ? assertionRefused([{ client, ...noAssertion }])
    : verifyAll(parts, [client], assertion)
}

/**
 * Finds the clients whose assertion this is, one for each directory. The request says nothing about the directory, so each
 * directory decides by what its own client says: nobody can spoil the assertion of others by a client with the same values.
 */
async function authenticateUnnamed(
  parts: TokenEndpointParts,
  assertion: Assertion,
): Promise<readonly OAuthClient[] | TokenRefusal> {
  const { issuer, subject, audiences } = assertion
  const found = await parts.store.findFederatedClients(issuer, subject, maxCandidates)
  const matching = found.filter(({ audience }) => audiences.includes(audience))
  const candidates = matching.length > 0 ? matching : found
  if (candidates.length === 0) return unknownClient
  const verified = await verifyAll(parts, candidates, assertion)
  if ('error' in verified) return verified
  return [...Map.groupBy(verified, ({ directoryId }) => directoryId).values()].flatMap((clients) => clients.slice(0, 1))
}

/**
 * The clients that accept an assertion, or why none does.
 *
 * @throws DirectoryError `busy`: no key could be fetched now
 */
async function verifyAll(
  parts: TokenEndpointParts,
  clients: readonly FederatedClient[],
  assertion: Assertion,
): Promise<readonly OAuthClient[] | TokenRefusal> {
  const checked = await Promise.all(
    clients.map(async (client) => ({ client, refusal: await verify(parts, client, assertion) })),
  )
  const accepted = checked.filter(({ refusal }) => refusal === undefined).map(({ client }) => client)
  if (accepted.length > 0) return accepted
  if (checked.some(({ refusal }) => refusal === 'busy')) {
    const message = 'The keys of many issuers are being fetched: send the request again in a moment.'
    throw new DirectoryError('busy', message, [], 5)
  }
  return assertionRefused(
    checked.flatMap(({ client, refusal }) => (typeof refusal === 'object' ? [{ client, ...refusal }] : [])),
  )
}

/** The claims are checked first, so that keys are fetched only for assertions that could be right. */
async function verify(
  { store, issuerKeys, clock }: TokenEndpointParts,
  client: FederatedClient,
  assertion: Assertion,
): Promise<AssertionRefusal | 'busy' | undefined> {
  const refusal = refusalOf(assertion, client, clock())
  if (refusal !== undefined) return refusal
  const directory = await store.getDirectory(client.directoryId)
  const tenant = JSON.stringify([directory?.product, directory?.tenant])
  const found = await issuerKeys.find(client, tenant, assertion.kid)
  if ('busy' in found) return 'busy'
  if ('problem' in found) return refusalOfKey(found.problem)
  return refusalOfSignature(assertion, found.getKey)
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
  return { error: 'invalid_client', description, failures: [{ client: { id, directoryId }, problem }] }
}

function assertionRefused(failures: readonly (ClientFailure & AssertionRefusal)[]): TokenRefusal {
  const reasons = new Set(failures.map(({ reason }) => reason))
  return {
    error: 'invalid_client',
    description: `The assertion is not accepted: ${[...reasons].join('; ')}.`,
    failures,
  }
}

const noAssertion: AssertionRefusal = {
  reason: 'it is not a signed JWT',
  problem: 'the assertion is not a signed JWT',
}
