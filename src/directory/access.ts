import type { Directory } from './directory.ts'
import { DirectoryError } from './errors.ts'
import type { SecretDigest } from './secret.ts'
import { digestSecret, sameSecret } from './secret.ts'
import type { DirectoryRecords } from './store.ts'

/** How long a directory's record is cached, in milliseconds. */
const cacheMs = 2_000
const maxCached = 10_000

interface CachedDirectory {
  readonly directory: Directory
  readonly digest: SecretDigest
  readonly previousDigest: SecretDigest | undefined
  readonly readAt: number
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
  const cache = new Map<string, CachedDirectory>()

  async function find(id: string): Promise<CachedDirectory | undefined> {
    const cached = cache.get(id)
    if (cached !== undefined && clock() - cached.readAt < cacheMs) return cached
    const directory = await store.getDirectory(id)
    if (directory === undefined) {
      cache.delete(id)
      return undefined
    }
    return keep(directory)
  }

  function keep(directory: Directory): CachedDirectory {
    const { previousScimSecret } = directory
    const one: CachedDirectory = {
      directory,
      digest: digestSecret(directory.scimSecret),
      previousDigest: previousScimSecret && digestSecret(previousScimSecret.secret),
      readAt: clock(),
    }
    cache.delete(directory.id)
    cache.set(directory.id, one)
    if (cache.size > maxCached) cache.delete(cache.keys().next().value ?? '')
    return one
  }

  function isSecretOf({ directory, digest, previousDigest }: CachedDirectory, secret: string): boolean {
    const actual = digestSecret(secret)
    const isCurrent = sameSecret(actual, digest)
    const inGrace = (directory.previousScimSecret?.expiresAt ?? 0) > clock()
    const isPrevious = previousDigest !== undefined && sameSecret(actual, previousDigest)
    return isCurrent || (isPrevious && inGrace)
  }

  return {
    async authorize(directoryId, secret) {
      const found = await find(directoryId)
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
    forget(directoryId) {
      cache.delete(directoryId)
    },
  }
}
