import type { KeyedMutex } from '../concurrency/keyed-mutex.ts'
import type { Directory, DirectoryRevision } from '../directory/directory.ts'
import type { DirectoryChanged, DirectoryReads, ProvisioningStore } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { Cause } from '../directory/event.ts'
import type { StoredResource } from '../directory/resource.ts'
import type { Recognize } from '../directory/returned-users.ts'
import { matchesVersion } from '../scim/entity-tag.ts'
import type { ResourceKind } from './changes.ts'

/** The parts that provisioning uses. */
export interface Provisioning {
  readonly store: ProvisioningStore & DirectoryReads
  /** Serializes concurrent changes of one resource, so that they cause no version conflicts. */
  readonly mutex: KeyedMutex
  /** Recognizes users who return after their deletion; undefined: nobody is. */
  readonly recognize?: Recognize | undefined
}

/** The context of a write: the directory's record as last read, and the request or sync run behind it. */
export interface WriteContext {
  readonly directory: DirectoryRevision
  readonly cause: Cause
}

/** The resource to change. */
export interface Target {
  readonly id: string
  /** The value of an `If-Match` header (RFC 7644 §3.14). */
  readonly ifMatch?: string | undefined
  /** The value of an `If-None-Match` header: a version that it names is not changed (RFC 9110 §13.1.2). */
  readonly ifNoneMatch?: string | undefined
}

/**
 * The directory's record has changed since it was read, and nothing was written. Read it, authorize again, and repeat.
 */
export class DirectoryChangedError extends Error {
  override readonly name = 'DirectoryChangedError'
}

/**
 * The outcome of a write.
 *
 * @throws DirectoryChangedError
 */
export function requireCurrentDirectory<T>(outcome: T | DirectoryChanged): T {
  if (outcome === 'directory-changed') throw new DirectoryChangedError()
  return outcome
}

/** The number of times that work is done with the record of a directory that keeps changing. */
const maxAttempts = 10

/**
 * Calls `work` with the record of a directory, and again with a new record if it has changed in the meantime.
 *
 * @param reread reads the record again, and throws an error if the work may not continue
 * @throws DirectoryError `busy` when the record keeps changing
 */
export async function withCurrentDirectory<T>(
  directory: Directory,
  reread: (outdated: Directory) => Promise<Directory>,
  work: (directory: Directory) => Promise<T>,
): Promise<T> {
  let current = directory
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(current)
    } catch (error) {
      if (!(error instanceof DirectoryChangedError)) throw error
    }
    if (attempt === maxAttempts)
      throw new DirectoryError('busy', 'The directory is being changed: try again in a moment.')
    current = await reread(current)
  }
}

/**
 * Reads a resource, checks the conditions of the request and calls `write`; repeats when another process has written in
 * between. A tenant changes one large resource at a time, which is read again before its turn.
 *
 * @throws DirectoryError `resource-not-found`, `version-mismatch`
 * @throws DirectoryChangedError
 */
export function changeStored<T extends StoredResource, R>(
  { store, mutex }: Provisioning,
  kind: Pick<ResourceKind<T>, 'name' | 'read'>,
  { directory }: WriteContext,
  target: Target,
  write: (current: T) => Promise<R | 'version-mismatch' | DirectoryChanged>,
): Promise<R> {
  const { id } = target
  async function attempt(isItsTurn: boolean): Promise<R | 'version-mismatch' | typeof isLarge> {
    const current = await kind.read(store, directory.id, id)
    if (current === undefined) throw notFound(kind.name)
    requireVersion(target, current.version)
    if (!isItsTurn && current.raw.length > largeResourceLength) return isLarge
    return requireCurrentDirectory(await write(current))
  }
  async function change(isItsTurn: boolean): Promise<R> {
    for (;;) {
      const outcome = await attempt(isItsTurn)
      if (outcome === isLarge) return mutex(`${directory.tenant}: large resources`, () => change(true))
      if (outcome !== 'version-mismatch') return outcome
    }
  }
  return mutex(`${directory.id}/${id}`, () => change(false))
}

/** The minimum length of a large resource, in characters: a change takes several times as much memory. */
export const largeResourceLength = 65_536

const isLarge = Symbol('large')

function requireVersion({ ifMatch, ifNoneMatch }: Target, version: number): void {
  if (ifMatch !== undefined && !matchesVersion(ifMatch, version)) {
    throw new DirectoryError('version-mismatch', 'The resource has changed: read it again, then repeat the change.')
  }
  if (ifNoneMatch !== undefined && matchesVersion(ifNoneMatch, version)) {
    throw new DirectoryError('version-mismatch', 'The resource exists in the version that If-None-Match excludes.')
  }
}

/** Returns whether the request restricts the change to certain versions. */
export function isConditional({ ifMatch, ifNoneMatch }: Target): boolean {
  return ifMatch !== undefined || ifNoneMatch !== undefined
}

/** The error for a resource that does not exist. */
export function notFound(name: 'user' | 'group'): DirectoryError {
  return new DirectoryError('resource-not-found', `There is no ${name} with this id.`)
}
