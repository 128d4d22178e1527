import type { DirectoryChanged } from '../../directory/directory-store.ts'
import type { GroupChange } from '../group-changes.ts'
import { countNamed, createMeasure, fewMembers } from '../large-changes.ts'
import type { SqlDatabase } from '../sql-database.ts'
import type { WrittenDirectory } from '../write/effects/effect.ts'
import type { SteppedChange, SteppedWrite } from '../write/large-changes.ts'
import { changeInSteps, createMemberReads } from '../write/large-changes.ts'
import type { Database } from './database.ts'
import { dialect } from './sql-database.ts'
import { decodeLocked, lockDirectory } from './write/commit.ts'
import { factReads, factsOf } from './write/facts.ts'
import { writeStatements } from './write/statement.ts'

const measure = createMeasure(dialect)
const memberReads = createMemberReads(dialect)

/** The number of members, any of which may be large, that are changed in a transaction. */
const membersPerTransaction = 40

/** A change that was measured counts as this many: its users and events have up to 2 MB, those of a member a quarter of one. */
const measuredWeight = 4

/** The first changes, as many as share a transaction, up to one that is made in steps. */
export async function smallChanges<R extends string>(
  { query }: Pick<SqlDatabase, 'query'>,
  directoryId: string,
  changes: readonly GroupChange<R>[],
): Promise<readonly GroupChange<R>[]> {
  const small: GroupChange<R>[] = []
  let weight = 0
  for (const change of changes) {
    const named = countNamed(change.members)
    weight += named <= fewMembers ? named : measuredWeight
    if (weight > membersPerTransaction && small.length > 0) break
    const measured = measure(directoryId, change)
    const isLarge = typeof measured === 'boolean' ? measured : measured.isLarge((await query(measured.statement))[0])
    if (isLarge) break
    small.push(change)
  }
  return small
}

/**
 * Changes many members in one transaction of many round trips. Only writes to the same directory wait for it; nobody sees
 * anything of it before the commit, and this process holds a step of it at a time.
 */
export function changeLargeGroup<R extends string>(
  database: Database,
  directory: WrittenDirectory,
  change: GroupChange<R>,
): Promise<SteppedChange | R | DirectoryChanged> {
  return database.longTransaction(async (run) => {
    const [lock] = await run([lockDirectory(directory)])
    const state = decodeLocked(lock)
    if (state === undefined) return 'directory-changed'
    const { id } = directory
    const store: SteppedWrite = {
      state,
      ...memberReads(id, change.groupId, async (statement) => (await run([statement]))[0] ?? []),
      async read(request) {
        const reads = factReads(directory, request)
        return factsOf(state, reads, await run(reads.flatMap(({ statements }) => statements)))
      },
      async write(step, before) {
        await run(writeStatements(id, step, before))
      },
      async publish(writes) {
        await run(writeStatements(id, writes, state))
      },
    }
    return changeInSteps(store, directory, change)
  })
}
