import { createReadCache } from '../concurrency/read-cache.ts'
import type { Directory } from './directory.ts'
import type { DirectoryRecords } from './directory-store.ts'
import { DirectoryError } from './errors.ts'
import type { SecretDigest } from './secret.ts'
import { digestSecret, sameSecret } from './secret.ts'

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
   * @throws DirectoryError `directory-not-found`, `unauthorized`, or `directory-deactivated`, in that order
   */
  authorize(directoryId: string, secret: string | undefined): Promise<Directory>
  /** Removes the record from the cache. */
  forget(directoryId: string): void
}

/** Creates the authorization of SCIM requests, with a cache of directory records. */
export function createDirectoryAccess(store: DirectoryRecords, clock: () => number): DirectoryAccess {
  const records = createReadCache<DirectoryWithDigests>({ keepMs: cacheMs, maxRecords: maxCached, clock })

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

  return {
    async authorize(directoryId, secret) {
      const found = await records.find(directoryId, () => read(directoryId))
      if (found === undefined || found.directory.google !== undefined) {
        throw new DirectoryError('directory-not-found', 'There is no SCIM directory at this address.')
      }
      if (secret === undefined || !isSecretOf(found, secret)) {
        throw new DirectoryError(
          'unauthorized',
          'Send the SCIM secret of this directory: "Authorization: Bearer <secret>".',
        )
      }
      if (found.directory.deactivated) {
        throw new DirectoryError('directory-deactivated', 'This directory is deactivated: nothing was read or changed.')
      }
      return found.directory
    },
    forget: records.forget,
  }
}
