import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { DirectoryRevision } from '../../directory/directory.ts'
import type { CompiledMapping } from '../../mapping/compiled.ts'
import { removedMapping } from '../../mapping/compiled.ts'
import type { MappingStore, RunLimits } from '../../mapping/mapping-store.ts'
import { decodeHold, endHolds } from '../holds.ts'
import { followRun } from '../imports.ts'
import { decodeEvaluatedUser, decodeRoleCounts, roleCountsRead } from '../mapped-users.ts'
import type { RunState } from '../mapping-runs.ts'
import { decodeRunState, forgetMapping, runAfter, runProgress, runRead, splitAtEndOfRun } from '../mapping-runs.ts'
import type { CompiledOf } from '../mappings.ts'
import type { Conclusion, Database, Statement } from './database.ts'
import { decodeLocked, lockDirectory } from './directories.ts'
import { lockedHolds } from './holds.ts'
import { pageStatements, runPageRead, usersAfterRead } from './mapped-users.ts'
import type { Reader } from './reader.ts'
import { createQueued } from './resync.ts'
import { now as databaseTime } from './sql.ts'

type Step = Awaited<ReturnType<MappingStore['stepMappingRun']>>

/** Steps of runs on PostgreSQL: each is one transaction, queued with the other writes of its directory. */
export function postgresMappingRuns(
  database: Database,
  { enqueue }: KeyedQueue,
  { reader, compiledOf }: { readonly reader: Reader; readonly compiledOf: CompiledOf },
): Pick<MappingStore, 'stepMappingRun' | 'usersToEvaluate'> {
  const queued = createQueued(enqueue)
  return {
    async usersToEvaluate(directoryId, after, limit) {
      return (await reader.rows(usersAfterRead(directoryId, after, limit))).map(decodeEvaluatedUser)
    },
    async stepMappingRun(directory, limits, now) {
      const compiled = await compiledOf(directory)
      return queued(directory.id, () => step(database, { directory, compiled }, limits, now))
    },
  }
}

interface Stepped {
  readonly directory: DirectoryRevision
  readonly compiled: CompiledMapping | undefined
}

function step(
  { transaction }: Database,
  { directory, compiled }: Stepped,
  { users: limit }: RunLimits,
  now: number,
): Promise<Step> {
  const { id } = directory
  const { usersAtOnce, charactersAtOnce } = compiled ?? removedMapping
  const page = runPageRead(id, Math.min(limit, usersAtOnce), charactersAtOnce)
  const reads = [lockDirectory(directory), runRead(id), page, roleCountsRead(id)]
  return transaction(reads, ([locked, runs = [], found = [], counts = []]): Conclusion<Step> => {
    const state = decodeLocked(locked)
    if (state === undefined) return { statements: [], answer: 'directory-changed' }
    const run = decodeRunState(runs[0])
    if (run === undefined || compiled === undefined) return { statements: [], answer: 'idle' }
    const users = found.map(decodeEvaluatedUser)
    const cause = { requestId: run.requestId, at: now }
    const evaluated = pageStatements({ directoryId: id, compiled, ...state }, users, cause, counts)
    const progress = { last: users.at(-1)?.position, evaluated: users.length, changed: evaluated.changed }
    const after = runAfter(run, progress, now)
    const { lastSequence } = state
    const statements = [
      ...evaluated.statements,
      runProgress(id, after),
      ...(evaluated.changed > 0 ? [followRun(id, lastSequence, lastSequence + evaluated.changed)] : []),
    ]
    const answer = { run: after, evaluated: progress.evaluated, changed: progress.changed }
    if (after.completedAt === undefined) return { statements, answer }
    return endOfRun(id, compiled, run, statements, answer)
  })
}

function endOfRun(
  directoryId: string,
  compiled: CompiledMapping,
  run: RunState,
  statements: readonly Statement[],
  answer: Step,
): Conclusion<Step> {
  const forgetting = compiled.evaluator === undefined ? forgetMapping(directoryId) : []
  return {
    statements: [...statements, ...forgetting, lockedHolds(directoryId), roleCountsRead(directoryId)],
    next(rows) {
      const [holds = [], counts] = rows.slice(-2)
      const split = splitAtEndOfRun(holds.map(decodeHold), run, compiled, decodeRoleCounts(counts))
      return { statements: split.ended.length > 0 ? endHolds(directoryId, split, databaseTime) : [], answer }
    },
  }
}
