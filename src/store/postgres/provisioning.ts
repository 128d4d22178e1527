import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { Committed, DirectoryChanged, MembersCommitted } from '../../directory/directory-store.ts'
import { createEventReads } from '../event-reads.ts'
import type { GroupChange } from '../group-changes.ts'
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
import { transactionWithin } from './database.ts'
import { changeLargeGroup, smallChanges } from './large-changes.ts'
import type { LimitLargeChanges } from './limits.ts'
import { commit, commitKnown } from './write/commit.ts'

const eventsPerRead = 500

/** Writes inputs to one directory in one transaction; returns their outcomes as `RunBatch`. */
type WriteAll<I, O> = (
  directory: WrittenDirectory,
  inputs: readonly I[],
) => Promise<readonly (O | undefined)[] | DirectoryChanged>

/** The batch of inputs. */
type BatchOf<I, O> = (directory: WrittenDirectory, inputs: readonly I[]) => Batch<readonly (O | undefined)[]>

/** The batch of deletions of users, or of groups. */
type DeletionBatch<I> = (
  directory: WrittenDirectory,
  inputs: readonly I[],
  leaving: Leaving,
) => Batch<readonly (DeletionOutcome | undefined)[]>

type SteppedOutcome<R> = SteppedChange | MembersCommitted | R | DirectoryChanged

/**
 * Provisioning on PostgreSQL: writes of one kind that wait for the same directory share a batch.
 *
 * @param shared for reads outside of the transactions of changes
 */
export function postgresProvisioning(
  database: Database,
  shared: SqlDatabase,
  queue: KeyedQueue,
  limit: LimitLargeChanges,
): ProvisioningWrites {
  const { eventsAfter } = createEventReads(shared)
  const batched = <I, O extends Committed | string>(writeAll: WriteAll<I, O>): WriteOne<I, O | DirectoryChanged> =>
    batchWrites(queue.enqueue, (directory, take) => writeAll(directory, take()))
  const committing =
    <I, O>(batchOf: BatchOf<I, O>): WriteAll<I, O> =>
    (directory, inputs) =>
      commit(database, batchOf(directory, inputs))

  /** Commits deletions; of those in many groups only the first, which takes many statements, and only if it is the first of all. */
  const deleting =
    <I>(batchOf: DeletionBatch<I>): WriteAll<I, DeletionOutcome> =>
    async (directory, inputs) => {
      const outcomes = await commit(database, batchOf(directory, inputs, 'at-once'))
      if (outcomes === 'directory-changed' || inputs.length === 0 || outcomes[0] !== undefined) return outcomes
      const first = await limit(directory, () =>
        database.longTransaction((run) =>
          commitKnown({ transaction: transactionWithin(run) }, batchOf(directory, inputs.slice(0, 1), 'in-stages')),
        ),
      )
      return [...(first === 'directory-changed' ? [first] : first), ...outcomes.slice(1)]
    }

  /** Makes the first changes: as many as share a transaction, or a large one. */
  async function changeFirst<R extends string>(
    directory: WrittenDirectory,
    changes: readonly GroupChange<R>[],
  ): Promise<readonly (SteppedOutcome<R> | undefined)[] | DirectoryChanged> {
    const [first] = changes
    const small = await smallChanges(shared, directory.id, changes)
    if (first !== undefined && small.length === 0)
      return [await limit(directory, () => changeLargeGroup(database, directory, first))]
    return committing<GroupChange<R>, GroupOutcome<R>>(changeGroups)(directory, small)
  }

  /** Changes of groups: small ones share a batch, and each large one is a transaction of its own. */
  function groupChanges<R extends string>(): ChangeGroup<R> {
    const change = batched<GroupChange<R>, SteppedOutcome<R>>(changeFirst)
    return async (directory, input) => {
      const outcome = await change(directory, input)
      if (typeof outcome === 'string' || !('lastSequence' in outcome)) return outcome
      return withFurtherEvents(outcome, (sequence) => eventsAfter(directory.id, sequence, eventsPerRead))
    }
  }

  const changeMembers: ProvisioningWrites['changeMembers'] = groupChanges()
  return {
    createUser: batched(committing<UserCreation, UserCreationOutcome>(createUsers)),
    replaceUser: batched(committing<UserReplacement, UserReplacementOutcome>(replaceUsers)),
    deleteUser: batched(deleting(deleteUsers)),
    createGroup: groupChanges(),
    replaceGroup: groupChanges(),
    // No stored id has a NUL character, and as a parameter it would fail the other changes of the batch.
    changeMembers: async (directory, change) =>
      change.groupId.includes('\0') ? 'group-not-found' : changeMembers(directory, change),
    deleteGroup: batched(deleting(deleteGroups)),
  }
}
