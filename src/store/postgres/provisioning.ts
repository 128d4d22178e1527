import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { DirectoryRevision } from '../../directory/directory.ts'
import type { Committed, ProvisioningStore } from '../../directory/store.ts'
import { identifyEvent } from '../events.ts'
import type { GroupChange } from '../group-changes.ts'
import { groupCreation, groupReplacement, memberChange } from '../group-changes.ts'
import { batchWrites } from './batches.ts'
import type { Database } from './database.ts'
import { deleteGroups, deleteUsers } from './deletions.ts'
import type { GroupOutcome } from './groups.ts'
import { changeGroups } from './groups.ts'
import { replaceUsers } from './replace-users.ts'
import { createUsers } from './users.ts'

/** Writes several inputs to one directory; returns one outcome each, in the same order. */
type WriteAll<I, O> = (database: Database, directory: DirectoryRevision, inputs: readonly I[]) => Promise<O[]>

/** Writes one input, in a batch with others of its kind that wait for the same directory. */
type WriteOne<I, O> = (directory: DirectoryRevision, input: I) => Promise<O>

type Batched = <I, O extends Committed | string>(writeAll: WriteAll<I, O>) => WriteOne<I, O>

/** Provisioning on PostgreSQL: writes of one kind that wait for the same directory share a batch. */
export function postgresProvisioning(database: Database, queue: KeyedQueue): ProvisioningStore {
  const batched: Batched = (writeAll) =>
    batchWrites(queue, (directory, inputs) => writeAll(database, directory, inputs))
  return { ...userProvisioning(batched), ...groupProvisioning(batched) }
}

function userProvisioning(batched: Batched): Pick<ProvisioningStore, 'createUser' | 'replaceUser' | 'deleteUser'> {
  const [create, replace, remove] = [batched(createUsers), batched(replaceUsers), batched(deleteUsers)]
  return {
    createUser: (directory, user, event, cause) => create(directory, { user, event: identifyEvent(event, cause) }),
    replaceUser: (directory, before, after, event, cause) =>
      replace(directory, { before, after, event: identifyEvent(event, cause) }),
    deleteUser: (directory, user, event, cause) => remove(directory, { user, event: identifyEvent(event, cause) }),
  }
}

function groupProvisioning(
  batched: Batched,
): Pick<ProvisioningStore, 'createGroup' | 'replaceGroup' | 'changeMembers' | 'deleteGroup'> {
  const batchedChanges = <R extends string>() => batched<GroupChange<R>, GroupOutcome<R>>(changeGroups)
  const create = batchedChanges<never>()
  const replace = batchedChanges<'version-mismatch'>()
  const change = batchedChanges<'group-not-found' | 'version-mismatch'>()
  const remove = batched(deleteGroups)
  return {
    createGroup: (directory, group, members, event, cause) =>
      create(directory, groupCreation(group, members, event, cause)),
    replaceGroup: (directory, before, after, members, event, cause) =>
      replace(directory, groupReplacement(before, after, members, event, cause)),
    // No stored id has a NUL character, and as a parameter it would fail the other changes of the batch.
    changeMembers: async (directory, groupId, members, version, cause) =>
      groupId.includes('\0') ? 'group-not-found' : change(directory, memberChange(groupId, members, version, cause)),
    deleteGroup: (directory, group, event, cause) => remove(directory, { group, event: identifyEvent(event, cause) }),
  }
}
