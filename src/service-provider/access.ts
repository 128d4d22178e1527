import { createReadCache } from '../concurrency/read-cache.ts'
import type { Directory } from '../directory/directory.ts'
import type { DirectoryRecords } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { SecretDigest } from '../directory/secret.ts'
import { digestSecret, sameSecret } from '../directory/secret.ts'
import type { AccessTokens } from '../oauth/access-token.ts'
import { isAccessToken } from '../oauth/access-token.ts'

/** Lifetime of a cached directory record, in milliseconds. */
const cacheMs = 2_000
const maxCached = 10_000

interface DirectoryWithDigests {
  readonly directory: Directory
  readonly digest: SecretDigest
  readonly previousDigest: SecretDigest | undefined
}

/** Authorizes SCIM requests. */
export interface DirectoryAccess {
  /**
   * The directory that a SCIM request may read and change. The record may be up to two seconds old: writes check its revision,
   * and after a `directory-changed` the caller must `forget` it and authorize again.
   *
   * @param credential the SCIM secret, or an access token of an OAuth client
   * @throws DirectoryError `directory-not-found`, `unauthorized` (an `AccessRefused`), or `directory-deactivated`, in that
   * order
   */
  authorize(directoryId: string, credential: string | undefined): Promise<Directory>
  /** Removes the record from the cache. */
  forget(directoryId: string): void
}

/** The error of a request whose credential is missing or refused. */
export class AccessRefused extends DirectoryError {
  /** What is wrong with a credential that was valid once or elsewhere, for health and explanations. */
  readonly problem: string | undefined

  constructor(message: string, problem?: string) {
    super('unauthorized', message)
    this.problem = problem
  }
}

/**
 * The `WWW-Authenticate` header of a refused SCIM request (RFC 6750 §3): it has an error only if there was a credential.
 *
 * @param message of the refusal
 */
export function bearerChallenge(credential: string | undefined, message: string): string {
  const realm = 'Bearer realm="SCIM"'
  if (credential === undefined) return realm
  return `${realm}, error="invalid_token", error_description="${message.replaceAll(/["\\]/g, "'")}"`
}

/** Creates the authorization of SCIM requests, with a cache of directory records. */
export function createDirectoryAccess(
  store: DirectoryRecords,
  clock: () => number,
  tokens?: Pick<AccessTokens, 'verify'>,
): DirectoryAccess {
  const records = createReadCache<DirectoryWithDigests>({ keepMs: cacheMs, maxRecords: maxCached, clock })
  const find = (id: string) => records.find(id, () => read(id))

  async function read(id: string): Promise<DirectoryWithDigests | undefined> {
    const directory = await store.getDirectory(id)
    if (directory === undefined) return undefined
    const { scimSecret, previousScimSecret } = directory
    const previousDigest = previousScimSecret && digestSecret(previousScimSecret.secret)
    return { directory, digest: digestSecret(scimSecret), previousDigest }
  }

  function isSecretOf({ directory, digest, previousDigest }: DirectoryWithDigests, secret: string): boolean {
    const actual = digestSecret(secret)
    const isCurrent = sameSecret(actual, digest)
    const inGrace = (directory.previousScimSecret?.expiresAt ?? 0) > clock()
    const isPrevious = previousDigest !== undefined && sameSecret(actual, previousDigest)
    return isCurrent || (isPrevious && inGrace)
  }

  function requireSecret(found: DirectoryWithDigests, secret: string | undefined): void {
    if (secret === undefined || !isSecretOf(found, secret)) throw new AccessRefused(wrongCredential)
    if (found.directory.scimAuth === 'oauth') throw new AccessRefused(secretRefused.message, secretRefused.problem)
  }

  /** A client that the record does not have may have been created after the record was read. */
  async function requireToken(found: DirectoryWithDigests, token: string): Promise<DirectoryWithDigests> {
    const { id } = found.directory
    const verified = await tokens?.verify(token, id)
    if (verified === undefined) throw new AccessRefused(wrongCredential)
    if (verified.expiresAt <= clock()) throw new AccessRefused(tokenExpired.message, tokenExpired.problem)
    if (hasClient(found, verified.clientIds)) return found
    if (verified.isNew) records.forget(id)
    const current = await find(id)
    if (current !== undefined && hasClient(current, verified.clientIds)) return current
    throw new AccessRefused(clientDeleted.message, clientDeleted.problem)
  }

  return {
    async authorize(directoryId, credential) {
      const known = await find(directoryId)
      if (known === undefined || known.directory.google !== undefined) {
        throw new DirectoryError('directory-not-found', 'There is no SCIM directory at this address.')
      }
      const isToken = credential !== undefined && isAccessToken(credential)
      if (!isToken) requireSecret(known, credential)
      const { directory } = isToken ? await requireToken(known, credential) : known
      if (directory.deactivated) {
        throw new DirectoryError('directory-deactivated', 'This directory is deactivated: nothing was read or changed.')
      }
      return directory
    },
    forget: records.forget,
  }
}

function hasClient({ directory }: DirectoryWithDigests, clientIds: readonly string[]): boolean {
  return directory.oauthClients?.some(({ id }) => clientIds.includes(id)) === true
}

const wrongCredential =
  'Send the SCIM secret of this directory, or an access token: "Authorization: Bearer <secret or token>".'
const secretRefused = {
  message: 'This directory no longer accepts its SCIM secret: send an access token of an OAuth client.',
  problem: 'the identity provider sent the SCIM secret, but scim_auth of the directory is oauth',
}
const tokenExpired = {
  message: 'The access token has expired: request another one from the token endpoint.',
  problem: 'the access token has expired',
}
const clientDeleted = {
  message: 'The OAuth client of this access token was deleted: request a token with another client.',
  problem: 'the OAuth client of the access token was deleted',
}
