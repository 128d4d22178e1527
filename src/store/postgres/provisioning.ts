import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { Cause, EventDraft } from '../../directory/event.ts'
import type { Group } from '../../directory/group.ts'
import type { Committed, ProvisioningStore } from '../../directory/store.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import { identifyEvent } from '../events.ts'
import type { RunBatch } from './batches.ts'
import { batchWrites } from './batches.ts'
import type { GroupOutcome } from './change-groups.ts'
import { changeGroups } from './change-groups.ts'
import { createUsers } from './create-users.ts'
import type { Database } from './database.ts'
import { deleteGroups } from './delete-groups.ts'
import { deleteUsers } from './delete-users.ts'
import type { GroupOperation } from './group-operation.ts'
import { replaceUsers } from './replace-users.ts'
import type { Statistics } from './statistics.ts'

/** Provisioning on PostgreSQL: writes of one kind that wait for the same directory are done together. */
export function postgresProvisioning(
  database: Database,
  queue: KeyedQueue,
  { noteEvents }: Statistics,
): ProvisioningStore {
  const batched = <I, O extends Committed | string>(run: (database: Database, ...batch: Batch<I>) => Promise<O[]>) =>
    batchWrites<I, O>(queue, async (directory, inputs) => {
      const outcomes = await run(database, directory, inputs)
      for (const outcome of outcomes) if (typeof outcome !== 'string') noteEvents(outcome.events)
      return outcomes
    })
  const createUser = batched(createUsers)
  const replaceUser = batched(replaceUsers)
  const deleteUser = batched(deleteUsers)
  const deleteGroup = batched(deleteGroups)
  const createGroup = batched<GroupOperation<never>, GroupOutcome<never>>(changeGroups)
  const replaceGroup = batched<GroupOperation<Replacing>, GroupOutcome<Replacing>>(changeGroups)
  const changeMembers = batched<GroupOperation<ChangingMembers>, GroupOutcome<ChangingMembers>>(changeGroups)

  return {
    createUser: (directory, user, event, cause) => createUser(directory, { user, event: identifyEvent(event, cause) }),
    replaceUser: (directory, before, after, event, cause) =>
      replaceUser(directory, { before, after, event: identifyEvent(event, cause) }),
    deleteUser: (directory, user, event, cause) => deleteUser(directory, { user, event: identifyEvent(event, cause) }),
    createGroup: (directory, group, members, event, cause) =>
      createGroup(directory, groupCreation(group, members, event, cause)),
    replaceGroup: (directory, before, after, members, event, cause) =>
      replaceGroup(directory, groupReplacement(before, after, members, event, cause)),
    // no group has a NUL character in its id, and in a parameter it would fail the others of the batch
    changeMembers: async (directory, groupId, members, version, cause) =>
      groupId.includes('\0')
        ? 'group-not-found'
        : changeMembers(directory, memberChange(groupId, members, version, cause)),
    deleteGroup: (directory, group, event, cause) =>
      deleteGroup(directory, { group, event: identifyEvent(event, cause) }),
  }
}

type Batch<I> = Parameters<RunBatch<I, never>>

type Replacing = 'version-mismatch'
type ChangingMembers = 'group-not-found' | 'version-mismatch'

function groupCreation(group: Group, members: MemberChanges, event: EventDraft, cause: Cause): GroupOperation<never> {
  const start = { group, isNew: true, events: [event], after: () => group }
  return { groupId: group.id, members, cause, start: () => start }
}

function groupReplacement(
  before: Group,
  after: Group,
  members: MemberChanges,
  event: EventDraft,
  cause: Cause,
): GroupOperation<Replacing> {
  const start = { group: after, isNew: false, events: [event], after: () => after }
  return {
    groupId: before.id,
    members,
    cause,
    start: (stored) => (stored?.version === before.version ? start : 'version-mismatch'),
  }
}

function memberChange(
  groupId: string,
  members: MemberChanges,
  version: number | undefined,
  cause: Cause,
): GroupOperation<ChangingMembers> {
  return {
    groupId,
    members,
    cause,
    start(group) {
      if (group === undefined) return 'group-not-found'
      if (version !== undefined && version !== group.version) return 'version-mismatch'
      const after = (updatedAt: number): Group => ({ ...group, version: group.version + 1, updatedAt })
      return { group, isNew: false, events: [], after }
    },
  }
}
