import type { DirectoryRevision } from '../../directory/directory.ts'
import type { ProvisioningStore } from '../../directory/directory-store.ts'
import { arrivalOf } from '../../directory/event.ts'
import { identifyEvent } from '../events.ts'
import { createUsers } from '../write/create-users.ts'
import type { UserDeletion } from '../write/delete-users.ts'
import { deleteUsers } from '../write/delete-users.ts'
import { replaceUsers } from '../write/replace-users.ts'
import { countMemberships } from '../write/state.ts'
import { createPruneDeletedUsers } from './deleted-users.ts'
import type { ProvisioningParts } from './directory-writes.ts'
import { createWriteDirectory } from './directory-writes.ts'
import type { GroupCommit } from './group-commit.ts'
import type { LargeChanges } from './large-changes.ts'
import type { RunStatement } from './sql-database.ts'
import type { CommitParts } from './write/commit.ts'
import { createCommit, onlyOutcome, writeBatch } from './write/commit.ts'

type UserProvisioning = Pick<ProvisioningStore, 'createUser' | 'replaceUser' | 'deleteUser' | 'pruneDeletedUsers'>

interface UserParts extends Pick<ProvisioningParts, 'db' | 'write' | 'limitOf' | 'members'> {
  readonly commitParts: CommitParts
  readonly large: Pick<LargeChanges, 'delete'>
  readonly commits: GroupCommit
  readonly run: RunStatement
}

/** Provisioning of users on SQLite. Each call is a batch of one: it shares its commit with others. */
export function sqliteUsers({
  db,
  write,
  limitOf,
  members,
  commitParts,
  large,
  commits,
  run,
}: UserParts): UserProvisioning {
  const commit = createCommit(write, commitParts)
  const written = (revision: DirectoryRevision) => ({ ...revision, removalLimit: limitOf(revision) })
  return {
    async createUser(revision, user, event, cause) {
      const input = { user, event: identifyEvent(event, cause), receivedAt: arrivalOf(cause) }
      return onlyOutcome(await commit(createUsers(written(revision), [input])))
    },
    async replaceUser(revision, before, after, event, cause) {
      const input = { before, after, event: identifyEvent(event, cause), receivedAt: arrivalOf(cause) }
      return onlyOutcome(await commit(replaceUsers(written(revision), [input])))
    },
    async deleteUser(revision, user, event, cause) {
      const input = { user, event: identifyEvent(event, cause), receivedAt: arrivalOf(cause) }
      // Decided at once, so that writes to the directory that are called later are made later.
      if (members.isInMany(revision.id, user.id)) return deleteInSteps(revision, input)
      return onlyOutcome(await commit(deleteUsers(written(revision), [input])))
    },
    pruneDeletedUsers: createPruneDeletedUsers(db, commits),
  }

  /** Deletes a user who is in many groups. */
  function deleteInSteps(revision: DirectoryRevision, input: UserDeletion) {
    const writeBehindGate = createWriteDirectory(db, commits)
    const { id } = input.user
    return large.delete(revision, id, (leaveGroups) =>
      writeBehindGate(revision, (directory) => {
        const batch = deleteUsers(written(revision), [input], { haveLeft: true })
        const outcome = onlyOutcome(writeBatch(commitParts, directory, batch))
        if (typeof outcome === 'string') return outcome
        run(countMemberships(directory.id, -leaveGroups(directory.id, id, input.event.createdAt)))
        return outcome
      }),
    )
  }
}
