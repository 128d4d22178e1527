import type { ImportMode } from './context.ts'
import type { Decision, DecisionKind, Decisions } from './decisions.ts'
import type { DirectoryResult } from './import-directory.ts'
import type { Difference, Tally } from './pass.ts'
import { newTally } from './pass.ts'

/** The report of an import: what it has done, would do, or has found. It contains no secrets. */
export interface ImportReport {
  readonly mode: ImportMode
  /** The address of Polis, without credentials. */
  readonly from: string
  /** ISO 8601 in UTC, like the next one. */
  readonly started_at: string
  readonly finished_at: string
  readonly directories: readonly DirectoryResult[]
  readonly totals: { readonly users: Tally; readonly groups: Tally; readonly members: Tally; readonly events: number }
  readonly setup_links: Tally
  /** How many decisions of each kind there are; `decisions` has the first ones of each. */
  readonly decision_counts: Partial<Record<DecisionKind, number>>
  readonly decisions: readonly Decision[]
  /** Of --verify: how many records differ; `differences` has the first ones. */
  readonly difference_count: number
  readonly differences: readonly Difference[]
}

interface Findings {
  readonly mode: ImportMode
  readonly origin: string
  readonly startedAt: number
  readonly finishedAt: number
  readonly results: ReadonlyMap<string, DirectoryResult>
  readonly links: Tally
  readonly decisions: Decisions
  readonly differences: { readonly count: number; readonly listed: readonly Difference[] }
}

/** Makes the report of an import. */
export function createReport(findings: Findings): ImportReport {
  const { mode, origin, startedAt, finishedAt, results, links, decisions, differences } = findings
  const directories = [...results.values()]
  return {
    mode,
    from: origin,
    started_at: new Date(startedAt).toISOString(),
    finished_at: new Date(finishedAt).toISOString(),
    directories,
    totals: {
      users: sumOf(directories.map(({ users }) => users)),
      groups: sumOf(directories.map(({ groups }) => groups)),
      members: sumOf(directories.map(({ members }) => members)),
      events: directories.reduce((sum, { events }) => sum + events, 0),
    },
    setup_links: links,
    decision_counts: decisions.counts(),
    decisions: decisions.list(),
    difference_count: mode === 'verify' ? differences.count : 0,
    differences: differences.listed,
  }
}

function sumOf(tallies: readonly Tally[]): Tally {
  const sum = newTally()
  for (const tally of tallies) {
    sum.created += tally.created
    sum.updated += tally.updated
    sum.deleted += tally.deleted
    sum.unchanged += tally.unchanged
  }
  return sum
}

/** Returns whether everything in Polis could be read: no list was cut off, and no record is left out because it is broken. */
export function isFullyRead({ decision_counts }: Pick<ImportReport, 'decision_counts'>): boolean {
  return decision_counts['list-incomplete'] === undefined && decision_counts.unreadable === undefined
}
