import type { DatabaseSync } from 'node:sqlite'
import type { MappingStore } from '../../mapping/mapping-store.ts'
import { decodeHold, endHolds, holdsRead } from '../holds.ts'
import { followRun } from '../imports.ts'
import { decodeRoleCounts, roleCountsRead } from '../mapped-users.ts'
import { decodeRunState, forgetMapping, runAfter, runProgress, runRead, splitAtEndOfRun } from '../mapping-runs.ts'
import type { CompiledOf } from '../mappings.ts'
import type { DirectoryGate } from './directory-gate.ts'
import { createWriteDirectory } from './directory-writes.ts'
import type { GroupCommit } from './group-commit.ts'
import type { MappedUsers } from './mapped-users.ts'
import type { RunStatement } from './sql-database.ts'
import { now as databaseTime } from './sql-database.ts'

interface Parts {
  readonly run: RunStatement
  readonly gate: DirectoryGate
  readonly mapped: MappedUsers
  readonly compiledOf: CompiledOf
}

/** Steps of runs on SQLite: each is one write of the group commit. */
export function sqliteMappingRuns(
  db: DatabaseSync,
  commits: GroupCommit,
  { run: runStatement, gate, mapped, compiledOf }: Parts,
): Pick<MappingStore, 'stepMappingRun' | 'usersToEvaluate'> {
  const write = createWriteDirectory(db, commits, gate.whenOpen)
  return {
    usersToEvaluate: async (directoryId, after, limit) => mapped.usersAfter(directoryId, after, limit),
    async stepMappingRun(revision, { users: limit }, now) {
      const compiled = await compiledOf(revision)
      return write(revision, (directory) => {
        const run = decodeRunState(runStatement(runRead(directory.id))[0])
        if (run === undefined || compiled === undefined) return 'idle'
        const page = {
          after: run.position,
          limit: Math.min(limit, compiled.usersAtOnce),
          cause: { requestId: run.requestId, at: now },
        }
        const { users, changed } = mapped.evaluatePage(directory, compiled, page)
        const evaluated = { last: users.at(-1)?.position, evaluated: users.length, changed }
        const after = runAfter(run, evaluated, now)
        runStatement(runProgress(directory.id, after))
        const { id, lastSequence } = directory
        if (changed > 0) runStatement(followRun(id, lastSequence, lastSequence + changed))
        if (after.completedAt === undefined) return { run: after, ...evaluated }
        if (compiled.evaluator === undefined) forgetMapping(directory.id).forEach(runStatement)
        const holds = runStatement(holdsRead(directory.id)).map(decodeHold)
        const counts = decodeRoleCounts(runStatement(roleCountsRead(directory.id)))
        const split = splitAtEndOfRun(holds, run, compiled, counts)
        if (split.ended.length > 0) endHolds(directory.id, split, databaseTime).forEach(runStatement)
        return { run: after, ...evaluated }
      })
    },
  }
}
