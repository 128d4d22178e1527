import type { Palette } from '../../../src/cli/terminal/palette.ts'
import { countOf } from '../../../src/cli/terminal/quantity.ts'
import type { Column } from '../../../src/cli/terminal/table.ts'
import { renderTable } from '../../../src/cli/terminal/table.ts'
import type { Finding } from './check.ts'
import type { Stop } from './fleet.ts'
import type { ResponseKind } from './responses.ts'

/** The results of one directory. */
export interface DirectoryReport extends Finding {
  readonly events: number
  readonly attempts: number
  /** Attempts without a 2xx response. */
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
  readonly responses: ReadonlyMap<ResponseKind, number>
  /** From the end of the faults until everything was delivered. */
  readonly drainedMs: number
  readonly seconds: number
  /** Sentences that describe broken guarantees. */
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

/** The report as text for the terminal. */
export function reportText(report: ChaosReport, palette: Palette): string {
  const rows = report.directories.map(({ events, attempts, repeats, failed, outageMs }, index) =>
    [index + 1, events, attempts, repeats, failed, inSeconds(outageMs)].map(String),
  )
  return `${renderTable(columns, rows, palette)}\n${summary(report).join('\n')}\n\n${verdict(report, palette)}\n`
}

function summary({ directories, kills, stops, restarts, responses, drainedMs, seconds }: ChaosReport): string[] {
  const sum = (name: 'acknowledged' | 'uncertain' | 'events' | 'attempts' | 'repeats' | 'late') =>
    directories.reduce((total, directory) => total + directory[name], 0)
  const suspended = stops.filter(({ kind }) => kind === 'suspended')
  const losses = stops.length - suspended.length
  const lengths = suspended.map(({ from, to }) => inSeconds(to - from)).join(', ')
  const failures = [...responses].filter(([kind]) => kind !== 'prompt').map(([kind, count]) => `${kind} ${count}`)
  return [
    `  writes      ${sum('acknowledged')} acknowledged, ${sum('uncertain')} tries uncertain and repeated`,
    `  events      ${sum('events')}, accepted in ${sum('attempts')} deliveries, ${sum('repeats')} of them repeats`,
    `  processes   ${countOf(kills, 'kill')}, ${countOf(suspended.length, 'stop')} (${lengths}), ${countOf(losses, 'lost network')}, ${countOf(sum('late'), 'late delivery', 'late deliveries')} after one of them`,
    `  database    ${countOf(restarts, 'restart')}`,
    `  endpoint    ${failures.join(', ')}`,
    `  outage      ${inSeconds(Math.max(...directories.map(({ outageMs }) => outageMs)))} at most`,
    `  afterwards  everything delivered within ${inSeconds(drainedMs)}`,
    `  in total    ${seconds.toFixed(0)} s`,
  ]
}

function verdict({ violations, seed }: ChaosReport, { green, red }: Palette): string {
  if (violations.length === 0) return green('Every event was delivered, in order.')
  const shown = violations.slice(0, shownViolations).map((violation) => `  ${violation}`)
  const more = violations.length - shown.length
  return [
    red(`${countOf(violations.length, 'guarantee was', 'guarantees were')} broken (--seed ${seed}):`),
    ...shown,
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n')
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
