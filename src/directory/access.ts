import type { Directory } from './directory.ts'
import { DirectoryError } from './errors.ts'
import type { SecretDigest } from './secret.ts'
import { digestSecret, sameSecret } from './secret.ts'
import type { DirectoryRecords } from './store.ts'

/** How long a directory's record may be used before it is read again, in milliseconds. */
const keepMs = 2_000
const maxKept = 10_000

interface Known {
  readonly directory: Directory
  readonly digest: SecretDigest
  readonly previousDigest: SecretDigest | undefined
  readonly readAt: number
}

/** Finds directories and decides who may provision them. */
export interface DirectoryAccess {
  /**
   * The directory that a SCIM request may read and change. It may be up to two seconds old: writes are checked against
   * its revision, and an answer of `directory-changed` asks to `forget` it and to authorize again.
   *
   * @throws DirectoryError `directory-not-found`, `unauthorized`, or `directory-deactivated`, in that order
   */
  authorize(directoryId: string, secret: string | undefined): Promise<Directory>
  /** Reads the record anew at the next request. */
  forget(directoryId: string): void
}

/** Makes the access to directories, with the records of those in use kept in memory. */
export function createDirectoryAccess(store: DirectoryRecords, clock: () => number): DirectoryAccess {
  const known = new Map<string, Known>()

  async function find(id: string): Promise<Known | undefined> {
    const kept = known.get(id)
    if (kept !== undefined && clock() - kept.readAt < keepMs) return kept
    const directory = await store.getDirectory(id)
    if (directory === undefined) {
      known.delete(id)
      return undefined
    }
    return keep(directory)
  }

  function keep(directory: Directory): Known {
    const { previousScimSecret } = directory
    const one: Known = {
      directory,
      digest: digestSecret(directory.scimSecret),
      previousDigest: previousScimSecret && digestSecret(previousScimSecret.secret),
      readAt: clock(),
    }
    known.delete(directory.id)
    known.set(directory.id, one)
    if (known.size > maxKept) known.delete(known.keys().next().value ?? '')
    return one
  }

  function isSecretOf({ directory, digest, previousDigest }: Known, secret: string): boolean {
    const given = digestSecret(secret)
    const isCurrent = sameSecret(given, digest)
    const inGrace = (directory.previousScimSecret?.expiresAt ?? 0) > clock()
    const isPrevious = previousDigest !== undefined && sameSecret(given, previousDigest)
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
      known.delete(directoryId)
    },
  }
}
