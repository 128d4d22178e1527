import type { DirectoryRevision } from '../directory/directory.ts'
import type { DirectoryChanged, MembersCommitted, ProvisioningStore } from '../directory/directory-store.ts'
import { arrivalOf } from '../directory/event.ts'
import type { RemovalLimit } from '../directory/removal-limit.ts'
import { limitOf } from '../directory/removal-limit.ts'
import { identifyEvent } from './events.ts'
import type { GroupChange } from './group-changes.ts'
import { groupCreation, groupReplacement, memberChange } from './group-changes.ts'
import type { UserCreation, UserCreationOutcome } from './write/create-users.ts'
import type { GroupDeletion } from './write/delete-groups.ts'
import type { UserDeletion } from './write/delete-users.ts'
import type { DeletionOutcome } from './write/deletions.ts'
import { domainsOfUsers } from './write/effects/domains.ts'
import type { Effect, WrittenDirectory } from './write/effects/effect.ts'
import type { UserReplacement, UserReplacementOutcome } from './write/replace-users.ts'

/** The writes of users and groups. */
type Provisioning = Omit<ProvisioningStore, 'pruneDeletedUsers'>

/** Makes one write to a directory. */
export type WriteOne<I, O> = (directory: WrittenDirectory, input: I) => Promise<O>

/** Makes a change of a group, which may be rejected for the reasons `R`. */
export type ChangeGroup<R extends string> = WriteOne<GroupChange<R>, MembersCommitted | R | DirectoryChanged>

/** The writes of users and groups, as an engine makes them. */
export interface ProvisioningWrites {
  readonly createUser: WriteOne<UserCreation, UserCreationOutcome>
  readonly replaceUser: WriteOne<UserReplacement, UserReplacementOutcome>
  readonly deleteUser: WriteOne<UserDeletion, DeletionOutcome>
  readonly createGroup: ChangeGroup<'group-name-taken'>
  readonly replaceGroup: ChangeGroup<'group-name-taken' | 'version-mismatch'>
  readonly changeMembers: ChangeGroup<'group-not-found' | 'version-mismatch'>
  readonly deleteGroup: WriteOne<GroupDeletion, DeletionOutcome>
}

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
  /** Makes a write. @param characters the length of the user that is written */
  async function made<I, O>(write: WriteOne<I, O>, revision: DirectoryRevision, input: I, characters = 0): Promise<O> {
    const directory = { ...revision, removalLimit: limitOf(revision, removalLimit) }
    const ofDomains = domainsOfUsers(revision.domains)
    const preparing = prepare(revision, characters)
    if (preparing === undefined)
      return write(ofDomains.length === 0 ? directory : { ...directory, effects: ofDomains }, input)
    const { effects, committed } = await preparing
    const outcome = await write({ ...directory, effects: [...ofDomains, ...effects] }, input)
    committed()
    return outcome
  }
  return {
    createUser(directory, user, event, cause) {
      const input = { user, event: identifyEvent(event, cause), receivedAt: arrivalOf(cause) }
      return made(writes.createUser, directory, input, user.raw.length)
    },
    replaceUser(directory, before, after, event, cause) {
      const input = { before, after, event: identifyEvent(event, cause), receivedAt: arrivalOf(cause) }
      return made(writes.replaceUser, directory, input, after.raw.length)
    },
    deleteUser(directory, user, event, cause) {
      const input = { user, event: identifyEvent(event, cause), receivedAt: arrivalOf(cause) }
      return made(writes.deleteUser, directory, input)
    },
    createGroup: (directory, group, members, event, cause) =>
      made(writes.createGroup, directory, groupCreation(group, members, event, cause)),
    replaceGroup: (directory, before, after, members, event, cause) =>
      made(writes.replaceGroup, directory, groupReplacement(before, after, members, event, cause)),
    changeMembers: (directory, groupId, members, version, cause) =>
      made(writes.changeMembers, directory, memberChange(groupId, members, version, cause)),
    deleteGroup: (directory, group, event, cause) =>
      made(writes.deleteGroup, directory, { group, event: identifyEvent(event, cause) }),
  }
}
