import type { Hold } from '../../delivery/hold/hold-store.ts'
import type { SplitHolds } from '../../delivery/hold/reasons.ts'
import type { DirectoryRevision } from '../../directory/directory.ts'
import type { CompiledMapping } from '../../mapping/compiled.ts'
import { removedMapping } from '../../mapping/compiled.ts'
import type { RunStep } from '../../mapping/mapping-store.ts'
import { decodeHold, endHolds, holdsRead } from '../holds.ts'
import { followRevision, followRun } from '../imports.ts'
import type { RunState } from '../mapping-runs.ts'
import { decodeRunState, runAfter, runProgress, runRead } from '../mapping-runs.ts'
import type { Statement } from '../sql-database.ts'
import type { Batch, Stage } from './batch.ts'
import { evaluate } from './evaluate-users.ts'
import { lockedState } from './facts.ts'
import { WriteCollection } from './writes.ts'

/** The size and the time of a step of a run. */
interface StepOptions {
  /** The most users. */
  readonly limit: number
  /** Unix milliseconds. */
  readonly at: number
  /** The time of the database, as SQL. */
  readonly now: string
}

/** Evaluates the next users of the run of a directory, and stores the progress with what changes; `idle`: no run is under way. */
export function mappingRunStep(
  revision: DirectoryRevision,
  compiled: CompiledMapping | undefined,
  { limit, at, now }: StepOptions,
): Batch<RunStep | 'idle'> {
  const { id } = revision
  const { usersAtOnce, charactersAtOnce: maxCharacters } = compiled ?? removedMapping
  return {
    directory: { id, revision: revision.revision },
    request: {
      evaluation: { of: 'run', limit: Math.min(limit, usersAtOnce), maxCharacters },
      roleCounts: true,
      reads: [runRead(id)],
    },
    decide(facts) {
      const writes = new WriteCollection()
      const run = decodeRunState(facts.rows[0]?.[0])
      if (run === undefined || compiled === undefined) return { writes, answer: () => 'idle' }
      const directory = { ...revision, compiled, removalLimit: null }
      const users = facts.evaluation?.users ?? []
      const cause = { requestId: run.requestId, at }
      const changed = evaluate(directory, compiled, facts, () => cause, writes).length
      const evaluated = { evaluated: users.length, changed }
      const after = runAfter(run, { last: users.at(-1)?.position, ...evaluated }, at)
      const { lastSequence } = lockedState(facts)
      writes.run(runProgress(id, after))
      if (changed > 0) writes.run(followRun(id, lastSequence, lastSequence + changed))
      const answer = () => ({ run: after, ...evaluated })
      if (after.completedAt === undefined) return { writes, answer }
      if (compiled.evaluator === undefined) writes.run(...forgetMapping(id))
      return { writes, next: endOfRun(id, run, compiled, now, answer) }
    },
  }
}

/** Ends the holds that end with a run. */
function endOfRun<T>(
  directoryId: string,
  run: RunState,
  compiled: CompiledMapping,
  now: string,
  answer: () => T,
): Stage<T> {
  return {
    request: { roleCounts: true, reads: [holdsRead(directoryId)] },
    decide({ rows: [holds = []], roleCounts }) {
      const writes = new WriteCollection()
      const split = splitAtEndOfRun(holds.map(decodeHold), run, compiled, roleCounts)
      if (split.ended.length > 0) writes.run(...endHolds(directoryId, split, now))
      return { writes, answer }
    },
  }
}

/** The statements that end the removal of a mapping: nothing is left of it but its history. */
function forgetMapping(directoryId: string): Statement[] {
  return [
    { text: 'delete from role_counts where directory_id = $1', values: [directoryId] },
    { text: 'update directories set mapping = null where id = $1', values: [directoryId] },
    followRevision(directoryId),
    { text: 'update directory_state set revision = revision + 1 where directory_id = $1', values: [directoryId] },
  ]
}

/**
 * The holds that end with a run: those for a role that began during the run, which takes a role from some users before it gives it to
 * others, if by now enough users have the role.
 */
function splitAtEndOfRun(
  holds: readonly Hold[],
  { startedAt }: RunState,
  { keepAtLeast }: Pick<CompiledMapping, 'keepAtLeast'>,
  counts: ReadonlyMap<string, number>,
): SplitHolds {
  const ends = ({ role, since, isDiscarding }: Hold) =>
    role !== undefined &&
    isDiscarding !== true &&
    since >= startedAt &&
    (counts.get(role.role) ?? 0) >= (keepAtLeast.get(role.role) ?? 0)
  return { ended: holds.filter(ends), remaining: holds.filter((hold) => !ends(hold)) }
}
