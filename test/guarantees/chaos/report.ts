import type { Palette } from '../../../src/cli/terminal/palette.ts'
import { countOf } from '../../../src/cli/terminal/quantity.ts'
import type { Column } from '../../../src/cli/terminal/table.ts'
import { renderTable } from '../../../src/cli/terminal/table.ts'
import type { AnswerKind } from './answers.ts'
import type { Finding } from './check.ts'
import type { Stop } from './fleet.ts'

/** What became of one directory. */
export interface DirectoryReport extends Finding {
  readonly events: number
  readonly attempts: number
  /** Attempts that were not answered with 2xx. */
  readonly failed: number
  readonly acknowledged: number
  readonly uncertain: number
  readonly outageMs: number
}

export interface ChaosReport {
  readonly seed: number
  readonly directories: readonly DirectoryReport[]
  readonly kills: number
  readonly stops: readonly Stop[]
  readonly restarts: number
  readonly answered: ReadonlyMap<AnswerKind, number>
  /** From the end of the faults until everything was delivered. */
  readonly drainedMs: number
  readonly seconds: number
  /** Sentences that say what was promised and not kept. */
  readonly violations: readonly string[]
}

const shownViolations = 20

const columns: readonly Column[] = [
  { title: 'directory' },
  ...['events', 'deliveries', 'repeats', 'failed', 'longest outage'].map((title) => ({
    title,
    align: 'right' as const,
  })),
]

/** The report as people read it. */
export function reportText(report: ChaosReport, palette: Palette): string {
  const rows = report.directories.map(({ events, attempts, repeats, failed, outageMs }, index) =>
    [index + 1, events, attempts, repeats, failed, inSeconds(outageMs)].map(String),
  )
  return `${renderTable(columns, rows, palette)}\n${summary(report).join('\n')}\n\n${verdict(report, palette)}\n`
}

function summary({ directories, kills, stops, restarts, answered, drainedMs, seconds }: ChaosReport): string[] {
  const sum = (name: 'acknowledged' | 'uncertain' | 'events' | 'attempts' | 'repeats' | 'late') =>
    directories.reduce((total, directory) => total + directory[name], 0)
  const lengths = stops.map(({ from, to }) => inSeconds(to - from)).join(', ')
  const failures = [...answered].filter(([kind]) => kind !== 'prompt').map(([kind, count]) => `${kind} ${count}`)
  return [
    `  writes      ${sum('acknowledged')} acknowledged, ${sum('uncertain')} tries uncertain and repeated`,
    `  events      ${sum('events')}, taken in ${sum('attempts')} deliveries, ${sum('repeats')} of them repeats`,
    `  processes   ${countOf(kills, 'kill')}, ${countOf(stops.length, 'stop')} (${lengths}), ${countOf(sum('late'), 'late delivery', 'late deliveries')} after a stop`,
    `  database    ${countOf(restarts, 'restart')}`,
    `  endpoint    ${failures.join(', ')}`,
    `  outage      ${inSeconds(Math.max(...directories.map(({ outageMs }) => outageMs)))} at most`,
    `  afterwards  everything that was delivered was delivered within ${inSeconds(drainedMs)}`,
    `  in all      ${seconds.toFixed(0)} s`,
  ]
}

function verdict({ violations, seed }: ChaosReport, { green, red }: Palette): string {
  if (violations.length === 0) return green('Every event was delivered, in order.')
  const shown = violations.slice(0, shownViolations).map((violation) => `  ${violation}`)
  const more = violations.length - shown.length
  return [
    red(`${countOf(violations.length, 'promise was', 'promises were')} not kept (--seed ${seed}):`),
    ...shown,
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n')
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
