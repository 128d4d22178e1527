import type { DirectoryRevision } from '../../directory/directory.ts'
import type { DirectoryChanged, MembersCommitted } from '../../directory/store.ts'
import type { MemberChanges } from '../../scim/patch/members.ts'
import type { Conclusion, Database } from './database.ts'
import { lockDirectory, lockedSequence } from './directory-lock.ts'
import type { GroupOperation } from './group-operation.ts'
import { createGroupWork } from './group-work.ts'
import { groupWrites } from './group-writes.ts'
import { factStatements, groupFacts } from './member-facts.ts'

export type GroupOutcome<R extends string> = MembersCommitted | R | DirectoryChanged

/** Creates and changes groups in one transaction, each operation on the result of the former. */
export async function changeGroups<R extends string>(
  database: Database,
  directory: DirectoryRevision,
  operations: readonly GroupOperation<R>[],
): Promise<GroupOutcome<R>[]> {
  const count = independentCount(operations)
  const [now, later] = [operations.slice(0, count), operations.slice(count)]
  const outcomes = await changeAtOnce(database, directory, now)
  return later.length === 0 ? outcomes : outcomes.concat(await changeGroups(database, directory, later))
}

function changeAtOnce<R extends string>(
  database: Database,
  directory: DirectoryRevision,
  operations: readonly GroupOperation<R>[],
): Promise<GroupOutcome<R>[]> {
  const first = [lockDirectory(directory), ...factStatements(directory, operations)]
  return database.transaction(first, ([lock, ...rows]): Conclusion<GroupOutcome<R>[]> => {
    const lastSequence = lockedSequence(lock)
    if (lastSequence === undefined) return { statements: [], answer: operations.map(() => 'directory-changed') }
    const { work, change } = createGroupWork(groupFacts(rows), lastSequence)
    const answer = operations.map(change)
    return { statements: groupWrites(directory.id, work, lastSequence), answer }
  })
}

/**
 * How many operations, from the first on, can share what is read before them: an operation that replaces a list of
 * members shares its group with no other.
 */
function independentCount(operations: readonly GroupOperation<string>[]): number {
  const kinds = new Map<string, MemberChanges['kind']>()
  const index = operations.findIndex(({ groupId, members }) => {
    const before = kinds.get(groupId)
    kinds.set(groupId, members.kind)
    return before !== undefined && (before === 'replace' || members.kind === 'replace')
  })
  return index < 0 ? operations.length : index
}
