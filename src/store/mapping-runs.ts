import type { MappingRun, Rollout } from '../mapping/mapping-store.ts'
import type { Row } from './row.ts'
import { integer, optionalInteger, text } from './row.ts'
import type { Statement } from './sql-database.ts'

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
export interface RunState extends MappingRun {
  readonly requestId: string
  /** The sequence of the last user who was evaluated. */
  readonly position: number
}

/** Decodes a row of `runColumns`; undefined when no run is under way. */
export function decodeRunState(row: Row | undefined): RunState | undefined {
  const run = row && decodeRun(row)
  if (row === undefined || run === undefined || run.completedAt !== undefined) return undefined
  return { ...run, requestId: text(row, 'request_id'), position: integer(row, 'position') }
}

/** Reads the run of a directory, for `decodeRunState`. */
export function runRead(directoryId: string): Statement {
  return { text: `select ${runColumns} from mapping_runs where directory_id = $1`, values: [directoryId] }
}

/** The users that a step evaluated. */
export interface EvaluatedPage {
  /** The sequence of the last of them; undefined at the end of the list. */
  readonly last: number | undefined
  readonly evaluated: number
  readonly changed: number
}

/** The run after a step. */
export function runAfter(run: RunState, { last, evaluated, changed }: EvaluatedPage, now: number): RunState {
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
export function runProgress(directoryId: string, run: RunState): Statement {
  const { position, evaluated, changed, completedAt = null } = run
  return { text: progress, values: [directoryId, position, evaluated, changed, completedAt] }
}
