import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { Committed, DirectoryChanged, MembersCommitted } from '../../directory/directory-store.ts'
import { createEventReads } from '../event-reads.ts'
import type { GroupChange } from '../group-changes.ts'
import { countNamed, fewMembers } from '../large-changes.ts'
import type { ChangeGroup, ProvisioningWrites, WriteOne } from '../provisioning.ts'
import type { SqlDatabase } from '../sql-database.ts'
import type { Batch } from '../write/batch.ts'
import { batchWrites } from '../write/batches.ts'
import type { GroupOutcome } from '../write/change-groups.ts'
import { changeGroups } from '../write/change-groups.ts'
import type { UserCreation, UserCreationOutcome } from '../write/create-users.ts'
import { createUsers } from '../write/create-users.ts'
import { deleteGroups } from '../write/delete-groups.ts'
import { deleteUsers } from '../write/delete-users.ts'
import type { DeletionOutcome, Leaving } from '../write/deletions.ts'
import type { WrittenDirectory } from '../write/effects/effect.ts'
import type { SteppedChange } from '../write/large-changes.ts'
import { withFurtherEvents } from '../write/large-changes.ts'
import type { UserReplacement, UserReplacementOutcome } from '../write/replace-users.ts'
import { replaceUsers } from '../write/replace-users.ts'
import type { Database } from './database.ts'
import { databaseWithin } from './database.ts'
import { changeLargeGroup, isLarge } from './large-changes.ts'
import type { LimitLargeChanges } from './limits.ts'
import { commit } from './write/commit.ts'

const eventsPerRead = 500

/** Writes inputs to one directory in one transaction; returns their outcomes as `RunBatch`. */
type WriteAll<I, O> = (
  database: Database,
  directory: WrittenDirectory,
  inputs: readonly I[],
) => Promise<readonly (O | undefined)[] | DirectoryChanged>

/** Makes writes of one kind share batches: those that wait for the same directory. */
type Batched = <I, O extends Committed | string>(writeAll: WriteAll<I, O>) => WriteOne<I, O | DirectoryChanged>

/** Provisioning on PostgreSQL: writes of one kind that wait for the same directory share a batch. */
export function postgresProvisioning(
  database: Database,
  shared: SqlDatabase,
  queue: KeyedQueue,
  limit: LimitLargeChanges,
): ProvisioningWrites {
  const batched: Batched = (writeAll) =>
    batchWrites(queue.enqueue, (directory, take) => writeAll(database, directory, take()))
  return {
    ...userProvisioning(batched, limit),
    ...groupProvisioning(batched, { shared, limit }),
  }
}

function userProvisioning(
  batched: Batched,
  limit: LimitLargeChanges,
): Pick<ProvisioningWrites, 'createUser' | 'replaceUser' | 'deleteUser'> {
  return {
    createUser: batched(committing<UserCreation, UserCreationOutcome>(createUsers)),
    replaceUser: batched(committing<UserReplacement, UserReplacementOutcome>(replaceUsers)),
    deleteUser: batched(deleting(deleteUsers, limit)),
  }
}

/** Commits the batch of inputs. */
function committing<I, O>(
  batchOf: (directory: WrittenDirectory, inputs: readonly I[]) => Batch<readonly (O | undefined)[]>,
): WriteAll<I, O> {
  return (database, directory, inputs) => commit(database, batchOf(directory, inputs))
}

/** The batch of deletions of users, or of groups. */
type DeletionBatch<I> = (
  directory: WrittenDirectory,
  inputs: readonly I[],
  leaving: Leaving,
) => Batch<readonly (DeletionOutcome | undefined)[]>

/** Commits deletions; of those in many groups only the first, which takes many statements, and only if it is the first of all. */
function deleting<I>(batchOf: DeletionBatch<I>, limit: LimitLargeChanges): WriteAll<I, DeletionOutcome> {
  const deleteAll = (leaving: Leaving) =>
    committing<I, DeletionOutcome>((directory, inputs) => batchOf(directory, inputs, leaving))
  return async (database, directory, inputs) => {
    const outcomes = await deleteAll('at-once')(database, directory, inputs)
    if (outcomes === 'directory-changed' || inputs.length === 0 || outcomes[0] !== undefined) return outcomes
    const first = await limit(directory, () =>
      database.longTransaction((run) => deleteAll('in-stages')(databaseWithin(run), directory, inputs.slice(0, 1))),
    )
    return [...(first === 'directory-changed' ? [first] : first), ...outcomes.slice(1)]
  }
}

function groupProvisioning(
  batched: Batched,
  parts: LargeChangeParts,
): Pick<ProvisioningWrites, 'createGroup' | 'replaceGroup' | 'changeMembers' | 'deleteGroup'> {
  const changeMembers: ProvisioningWrites['changeMembers'] = groupChanges(batched, parts)
  return {
    createGroup: groupChanges(batched, parts),
    replaceGroup: groupChanges(batched, parts),
    // No stored id has a NUL character, and as a parameter it would fail the other changes of the batch.
    changeMembers: async (directory, change) =>
      change.groupId.includes('\0') ? 'group-not-found' : changeMembers(directory, change),
    deleteGroup: batched(deleting(deleteGroups, parts.limit)),
  }
}

interface LargeChangeParts {
  /** For reads outside of the transactions of changes. */
  readonly shared: SqlDatabase
  readonly limit: LimitLargeChanges
}

type SteppedOutcome<R> = SteppedChange | MembersCommitted | R | DirectoryChanged

/** Changes of groups: small ones share a batch, and each large one is a transaction of its own. */
function groupChanges<R extends string>(batched: Batched, parts: LargeChangeParts): ChangeGroup<R> {
  const change = batched<GroupChange<R>, SteppedOutcome<R>>((database, directory, changes) =>
    changeFirst(database, parts, directory, changes),
  )
  const { eventsAfter } = createEventReads(parts.shared)
  return async (directory, input) => {
    const outcome = await change(directory, input)
    if (typeof outcome === 'string' || !('lastSequence' in outcome)) return outcome
    return withFurtherEvents(outcome, (sequence) => eventsAfter(directory.id, sequence, eventsPerRead))
  }
}

/** The number of members, any of which may be large, that are changed in a transaction. */
const membersPerTransaction = 40

/** A change that was measured counts as this many: its users and events have up to 2 MB, those of a member a quarter of one. */
const measuredWeight = 4

/** Makes the first changes, as many as share a transaction. */
async function changeFirst<R extends string>(
  database: Database,
  { shared, limit }: LargeChangeParts,
  directory: WrittenDirectory,
  changes: readonly GroupChange<R>[],
): Promise<readonly (SteppedOutcome<R> | undefined)[] | DirectoryChanged> {
  const small: GroupChange<R>[] = []
  let weight = 0
  for (const change of changes) {
    const named = countNamed(change.members)
    weight += named <= fewMembers ? named : measuredWeight
    if (weight > membersPerTransaction && small.length > 0) break
    const large = await isLarge(shared, directory.id, change)
    if (large && small.length === 0)
      return [await limit(directory, () => changeLargeGroup(database, directory, change))]
    if (large) break
    small.push(change)
  }
  return committing<GroupChange<R>, GroupOutcome<R>>(changeGroups)(database, directory, small)
}
