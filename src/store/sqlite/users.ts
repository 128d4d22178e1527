import { arrivalOf } from '../../directory/event.ts'
import { identifyEvent } from '../events.ts'
import type { ProvisioningWrites } from '../provisioning.ts'
import type { UserCreation, UserCreationOutcome } from '../write/create-users.ts'
import { createUsers } from '../write/create-users.ts'
import type { UserDeletion } from '../write/delete-users.ts'
import { deleteUsers } from '../write/delete-users.ts'
import type { DeletionOutcome } from '../write/deletions.ts'
import type { UserReplacement, UserReplacementOutcome } from '../write/replace-users.ts'
import { replaceUsers } from '../write/replace-users.ts'
import type { LargeChanges } from './large-changes.ts'
import type { ProvisioningParts } from './write/commit.ts'

type UserProvisioning = Pick<ProvisioningWrites, 'createUser' | 'replaceUser' | 'deleteUser'>

/** Provisioning of users on SQLite. */
export function sqliteUsers(
  { members, batched }: ProvisioningParts,
  large: Pick<LargeChanges, 'delete'>,
): UserProvisioning {
  const create = batched<UserCreation, UserCreationOutcome>(createUsers)
  const replace = batched<UserReplacement, UserReplacementOutcome>(replaceUsers)
  const remove = batched<UserDeletion, DeletionOutcome>((directory, inputs) =>
    deleteUsers(directory, inputs, 'in-stages'),
  )
  return {
    createUser: (directory, user, event, cause) =>
      create(directory, { user, event: identifyEvent(event, cause), receivedAt: arrivalOf(cause) }),
    replaceUser: (directory, before, after, event, cause) =>
      replace(directory, { before, after, event: identifyEvent(event, cause), receivedAt: arrivalOf(cause) }),
    deleteUser(directory, user, event, cause) {
      const input = { user, event: identifyEvent(event, cause), receivedAt: arrivalOf(cause) }
      // Decided at once, so that writes to the directory that are called later are made later.
      if (members.isInMany(directory.id, user.id))
        return large.delete(directory, deleteUsers(directory, [input], 'later'), user.id, cause.at)
      return remove(directory, input)
    },
  }
}
