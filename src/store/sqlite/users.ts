import type { DirectoryRevision } from '../../directory/directory.ts'
import type { ProvisioningStore } from '../../directory/directory-store.ts'
import { arrivalOf } from '../../directory/event.ts'
import { identifyEvent } from '../events.ts'
import { createUsers } from '../write/create-users.ts'
import { deleteUsers } from '../write/delete-users.ts'
import { replaceUsers } from '../write/replace-users.ts'
import type { ProvisioningParts } from './directory-writes.ts'
import type { LargeChanges } from './large-changes.ts'
import type { CommitParts } from './write/commit.ts'
import { createCommit, onlyOutcome } from './write/commit.ts'

type UserProvisioning = Pick<ProvisioningStore, 'createUser' | 'replaceUser' | 'deleteUser'>

/** Provisioning of users on SQLite. Each call is a batch of one: it shares its commit with others. */
export function sqliteUsers(
  { write, limitOf, members }: ProvisioningParts,
  commitParts: CommitParts,
  large: Pick<LargeChanges, 'delete'>,
): UserProvisioning {
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
      const inputs = [{ user, event: identifyEvent(event, cause), receivedAt: arrivalOf(cause) }]
      // Decided at once, so that writes to the directory that are called later are made later.
      if (members.isInMany(revision.id, user.id))
        return large.delete(revision, deleteUsers(written(revision), inputs, 'later'), user.id, cause.at)
      return onlyOutcome(await commit(deleteUsers(written(revision), inputs, 'in-stages')))
    },
  }
}
