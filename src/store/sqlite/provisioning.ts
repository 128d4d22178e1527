import type { DatabaseSync } from 'node:sqlite'
import type { GroupChange } from '../group-changes.ts'
import { createMeasure, maxMembersAtOnce } from '../large-changes.ts'
import type { ChangeGroup, ProvisioningWrites } from '../provisioning.ts'
import type { GroupOutcome } from '../write/change-groups.ts'
import { changeGroups } from '../write/change-groups.ts'
import type { UserCreation, UserCreationOutcome } from '../write/create-users.ts'
import { createUsers } from '../write/create-users.ts'
import type { GroupDeletion } from '../write/delete-groups.ts'
import { deleteGroups } from '../write/delete-groups.ts'
import type { UserDeletion } from '../write/delete-users.ts'
import { deleteUsers } from '../write/delete-users.ts'
import type { DeletionOutcome } from '../write/deletions.ts'
import type { UserReplacement, UserReplacementOutcome } from '../write/replace-users.ts'
import { replaceUsers } from '../write/replace-users.ts'
import { createWriteDirectory } from './directory-writes.ts'
import type { LargeChangeParts, LargeChanges } from './large-changes.ts'
import { createLargeChanges } from './large-changes.ts'
import { createMembers } from './members.ts'
import type { RunStatement } from './sql-database.ts'
import { dialect } from './sql-database.ts'
import type { CommitParts, ProvisioningParts } from './write/commit.ts'
import { createBatched } from './write/commit.ts'

interface Parts extends LargeChangeParts {
  readonly run: RunStatement
  readonly commitParts: CommitParts
}

const measure = createMeasure(dialect)

/** Provisioning on SQLite: writes of one kind that wait for the same commit share a batch. */
export function sqliteProvisioning(db: DatabaseSync, { run, commitParts, ...largeParts }: Parts): ProvisioningWrites {
  const { commits, gate } = largeParts
  const batched = createBatched(createWriteDirectory(db, commits, gate.whenOpen), commitParts)
  const parts: ProvisioningParts = { batched, members: createMembers(db) }
  const large = createLargeChanges(db, { ...largeParts, commitParts, run })
  large.recover()
  return { ...userProvisioning(parts, large), ...groupProvisioning(parts, large, run) }
}

function userProvisioning(
  { members, batched }: ProvisioningParts,
  large: Pick<LargeChanges, 'delete'>,
): Pick<ProvisioningWrites, 'createUser' | 'replaceUser' | 'deleteUser'> {
  const remove = batched<UserDeletion, DeletionOutcome>((directory, inputs) =>
    deleteUsers(directory, inputs, 'in-stages'),
  )
  return {
    createUser: batched<UserCreation, UserCreationOutcome>(createUsers),
    replaceUser: batched<UserReplacement, UserReplacementOutcome>(replaceUsers),
    deleteUser(directory, input) {
      const { user, event } = input
      // Decided at once, so that writes to the directory that are called later are made later.
      if (members.isInMany(directory.id, user.id))
        return large.delete(directory, deleteUsers(directory, [input], 'later'), user.id, event.createdAt)
      return remove(directory, input)
    },
  }
}

function groupProvisioning(
  { members, batched }: ProvisioningParts,
  large: LargeChanges,
  run: RunStatement,
): Pick<ProvisioningWrites, 'createGroup' | 'replaceGroup' | 'changeMembers' | 'deleteGroup'> {
  const remove = batched<GroupDeletion, DeletionOutcome>((directory, inputs) =>
    deleteGroups(directory, inputs, 'in-stages'),
  )

  function isLarge(directoryId: string, groupChange: GroupChange<string>): boolean {
    const measured = measure(directoryId, groupChange)
    return typeof measured === 'boolean' ? measured : measured.isLarge(run(measured.statement)[0])
  }

  /** Makes changes of one kind: small ones share a batch, and each large one is made in steps. */
  function changes<R extends string>(): ChangeGroup<R> {
    const changeSmall = batched<GroupChange<R>, GroupOutcome<R>>(changeGroups)
    return (directory, groupChange) =>
      isLarge(directory.id, groupChange) ? large.change(directory, groupChange) : changeSmall(directory, groupChange)
  }

  return {
    createGroup: changes(),
    replaceGroup: changes(),
    changeMembers: changes(),
    deleteGroup(directory, input) {
      const { group, event } = input
      if (members.count(directory.id, group.id) > maxMembersAtOnce || members.isInMany(directory.id, group.id))
        return large.delete(directory, deleteGroups(directory, [input], 'later'), group.id, event.createdAt)
      return remove(directory, input)
    },
  }
}
