import type { Hold } from '../delivery/hold/hold-store.ts'
import type { SplitHolds } from '../delivery/hold/reasons.ts'
import type { DirectoryRevision } from '../directory/directory.ts'
import type { CompiledMapping } from '../mapping/compiled.ts'
import type { MappingRun, Rollout, RunStep } from '../mapping/mapping-store.ts'
import { decodeHold, endHolds, holdsRead } from './holds.ts'
import { followRevision, followRun } from './imports.ts'
import type { UserPages } from './reads/user-pages.ts'
import { decodePlacedUser } from './reads/user-pages.ts'
import type { Row } from './row.ts'
import { integer, optionalInteger, text } from './row.ts'
import type { Statement } from './sql-database.ts'
import type { Batch, Stage } from './write/batch.ts'
import { evaluate } from './write/effects/evaluations.ts'
import { countsRequest, decodeRoleCounts, roleCountsRead } from './write/effects/roles.ts'
import { lockedState } from './write/facts.ts'
import { WriteCollection } from './write/writes.ts'

/** The columns of a run. */
export const runColumns = 'request_id, position, evaluated, changed, total, started_at, completed_at'

/** Decodes a row of `runColumns`. */
export function decodeRun(row: Row): MappingRun {
  return {
    evaluated: integer(row, 'evaluated'),
    changed: integer(row, 'changed'),
    total: integer(row, 'total'),
    startedAt: integer(row, 'started_at'),
    completedAt: optionalInteger(row, 'completed_at'),
  }
}

/** Decodes a row of `product, version, passed_at, passed_id`. */
export function decodeRollout(row: Row): Rollout {
  return {
    product: text(row, 'product'),
    version: integer(row, 'version'),
    passed: { createdAt: integer(row, 'passed_at'), id: text(row, 'passed_id') },
  }
}

/** A run under way, as the transaction of a step finds it. */
interface RunState extends MappingRun {
  readonly requestId: string
  /** The sequence of the last user who was evaluated. */
  readonly position: number
}

/** Decodes a row of `runColumns`; undefined when no run is under way. */
function decodeRunState(row: Row | undefined): RunState | undefined {
  const run = row && decodeRun(row)
  if (row === undefined || run === undefined || run.completedAt !== undefined) return undefined
  return { ...run, requestId: text(row, 'request_id'), position: integer(row, 'position') }
}

/** Reads the run of a directory, for `decodeRunState`. */
function runRead(directoryId: string): Statement {
  return { text: `select ${runColumns} from mapping_runs where directory_id = $1`, values: [directoryId] }
}

/** The users that a step evaluated. */
interface EvaluatedPage {
  /** The sequence of the last of them; undefined at the end of the list. */
  readonly last: number | undefined
  readonly evaluated: number
  readonly changed: number
}

/** The run after a step. */
function runAfter(run: RunState, { last, evaluated, changed }: EvaluatedPage, now: number): RunState {
  return {
    ...run,
    position: last ?? run.position,
    evaluated: run.evaluated + evaluated,
    changed: run.changed + changed,
    completedAt: last === undefined ? now : undefined,
  }
}

const progress = `
  update mapping_runs set position = $2, evaluated = $3, changed = $4, completed_at = $5 where directory_id = $1`

/** The statement that stores the progress of a run. */
function runProgress(directoryId: string, run: RunState): Statement {
  const { position, evaluated, changed, completedAt = null } = run
  return { text: progress, values: [directoryId, position, evaluated, changed, completedAt] }
}

/** What a step of a run needs besides the mapping. */
interface StepOptions {
  readonly pages: UserPages
  /** The most users. */
  readonly limit: number
  /** Unix milliseconds. */
  readonly at: number
  /** The time of the database, as SQL. */
  readonly now: string
}

/** Evaluates the next users of the run of a directory, and stores the progress with what changes; `idle`: no run is under way. */
export function mappingRunStep(
  directory: DirectoryRevision,
  mapping: CompiledMapping | undefined,
  options: StepOptions,
): Batch<RunStep | 'idle'> {
  const { id, revision } = directory
  return {
    directory: { id, revision },
    request: { reads: { run: runRead(id) } },
    decide({ rows }) {
      const writes = new WriteCollection()
      const run = decodeRunState(rows['run']?.[0])
      if (run === undefined || mapping === undefined) return { writes, answer: () => 'idle' }
      return { writes, next: nextUsers(directory, mapping, run, options) }
    },
  }
}

function nextUsers(
  directory: DirectoryRevision,
  mapping: CompiledMapping,
  run: RunState,
  { pages, limit, at, now }: StepOptions,
): Stage<RunStep> {
  const { id } = directory
  const page = pages.after(id, run.position, Math.min(limit, mapping.usersAtOnce), mapping.charactersAtOnce)
  return {
    request: { reads: { page, ...countsRequest(mapping, id).reads } },
    decide(facts) {
      const writes = new WriteCollection()
      const users = (facts.rows['page'] ?? []).map(decodePlacedUser)
      const cause = { requestId: run.requestId, at }
      const written = { ...directory, removalLimit: null }
      const changed = evaluate(written, mapping, users, facts, () => cause, writes).length
      const evaluated = { evaluated: users.length, changed }
      const after = runAfter(run, { last: users.at(-1)?.position, ...evaluated }, at)
      const { lastSequence } = lockedState(facts)
      writes.run(runProgress(id, after))
      if (changed > 0) writes.run(followRun(id, lastSequence, lastSequence + changed))
      const answer = () => ({ run: after, ...evaluated })
      if (after.completedAt === undefined) return { writes, answer }
      if (directory.mapping?.source === 'removed') writes.run(...forgetMapping(id))
      return { writes, next: endOfRun(id, run, mapping, now, answer) }
    },
  }
}

/** Ends the holds that end with a run. */
function endOfRun<T>(
  directoryId: string,
  run: RunState,
  mapping: CompiledMapping,
  now: string,
  answer: () => T,
): Stage<T> {
  return {
    request: { reads: { holds: holdsRead(directoryId), roleCounts: roleCountsRead(directoryId) } },
    decide({ rows }) {
      const writes = new WriteCollection()
      const holds = (rows['holds'] ?? []).map(decodeHold)
      const split = splitAtEndOfRun(holds, run, mapping, decodeRoleCounts(rows['roleCounts']))
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
