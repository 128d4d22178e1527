import type { DirectoryRevision } from '../directory/directory.ts'
import type { ProvisioningStore } from '../directory/directory-store.ts'
import type { RemovalLimit } from '../directory/removal-limit.ts'
import { limitOf } from '../directory/removal-limit.ts'
import type { Effect, WrittenDirectory } from './write/effects/effect.ts'

/** The writes of users and groups. */
type Provisioning = Omit<ProvisioningStore, 'pruneDeletedUsers'>

/** The writes of users and groups, as an engine makes them. */
export type ProvisioningWrites = {
  readonly [Name in keyof Provisioning]: (
    directory: WrittenDirectory,
    ...args: ArgumentsOf<Provisioning[Name]>
  ) => ReturnType<Provisioning[Name]>
}

type ArgumentsOf<F> = F extends (directory: DirectoryRevision, ...args: infer Args) => unknown ? Args : never

/** The further effects of a directory, as prepared for one write. */
export interface PreparedEffects {
  readonly effects: readonly Effect[]
  /** Called after the commit. */
  committed(): void
}

/**
 * Prepares a write to a directory before it waits for its turn; undefined when the directory has no further effects.
 *
 * @param characters the length of the user that is written
 */
export type PrepareWrite = (directory: DirectoryRevision, characters: number) => Promise<PreparedEffects> | undefined

/**
 * Provisioning of users and groups. Writes without further effects are passed on at once, in their order.
 *
 * @param removalLimit of directories without one of their own; null: none
 */
export function createProvisioning(
  writes: ProvisioningWrites,
  removalLimit: RemovalLimit | null,
  prepare: PrepareWrite,
): Provisioning {
  function prepared<Args extends readonly unknown[], Result>(
    write: (directory: WrittenDirectory, ...args: Args) => Promise<Result>,
    lengthOf: (...args: Args) => number = () => 0,
  ) {
    return async (revision: DirectoryRevision, ...args: Args): Promise<Result> => {
      const directory = { ...revision, removalLimit: limitOf(revision, removalLimit) }
      const preparing = prepare(revision, lengthOf(...args))
      if (preparing === undefined) return write(directory, ...args)
      const { effects, committed } = await preparing
      const outcome = await write({ ...directory, effects }, ...args)
      committed()
      return outcome
    }
  }
  return {
    createUser: prepared(writes.createUser, ({ raw }) => raw.length),
    replaceUser: prepared(writes.replaceUser, (_, { raw }) => raw.length),
    deleteUser: prepared(writes.deleteUser),
    createGroup: prepared(writes.createGroup),
    replaceGroup: prepared(writes.replaceGroup),
    changeMembers: prepared(writes.changeMembers),
    deleteGroup: prepared(writes.deleteGroup),
  }
}
