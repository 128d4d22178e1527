import type { Palette } from '../../../src/cli/terminal/palette.ts'
import { countOf, formatMs } from '../../../src/cli/terminal/quantity.ts'
import type { Column } from '../../../src/cli/terminal/table.ts'
import { renderTable } from '../../../src/cli/terminal/table.ts'
import type { Finding, Violation } from './check.ts'
import type { Stop } from './fleet.ts'
import type { HostileCounts } from './hostile/loop.ts'
import type { Fault } from './plan.ts'
import type { ResponseKind } from './responses.ts'

/** The results of one directory of a normal tenant. */
export interface DirectoryReport extends Finding {
  readonly events: number
  readonly attempts: number
  /** Attempts without a 2xx response. */
  readonly failed: number
  readonly uncertain: number
  readonly givenUp: number
  readonly outageMs: number
  /** Duration of each request, with its repetitions. */
  readonly requestMs: readonly number[]
  /** Time until each event was accepted. */
  readonly eventMs: readonly number[]
}

/** The results of a phase: hostile tenants are silent throughout, or active. */
export interface PhaseReport {
  readonly isHostile: boolean
  readonly directories: readonly DirectoryReport[]
  readonly hostileDirectories: readonly (Finding & { readonly attempts: number })[]
  readonly hostile: HostileCounts
  readonly kills: number
  readonly stops: readonly Stop[]
  /** The number of faults of each kind. */
  readonly faults: ReadonlyMap<Fault['kind'], number>
  readonly responses: ReadonlyMap<ResponseKind, number>
  /** Time from the end of the faults until everything was delivered. */
  readonly drainedMs: number
  /** The load average of the machine during the last minute of the faults. */
  readonly load: number
  readonly seconds: number
  readonly violations: readonly Violation[]
}

export interface ChaosReport {
  readonly seed: number
  readonly phases: readonly PhaseReport[]
}

const shownViolations = 20

/** The report as text for the terminal: a row per figure, a column per phase. */
export function reportText(report: ChaosReport, palette: Palette): string {
  const figures = report.phases.map(figuresOf)
  const columns: Column[] = [
    { title: '' },
    ...report.phases.map(({ isHostile }) => ({
      title: `hostile tenants ${isHostile ? 'active' : 'silent'}`,
      align: 'right' as const,
    })),
  ]
  const rows = Object.keys(figures[0] ?? {}).map((name) => [name, ...figures.map((one) => one[name] ?? '')])
  const table = renderTable(columns, rows, palette)
  return `${table}\nRequests, latencies and repeats are those of the tenants that behave well.\n\n${verdict(report, palette)}\n`
}

/** The figures of a phase, by their labels. */
function figuresOf(phase: PhaseReport): Readonly<Record<string, string>> {
  return { ...guaranteesOf(phase), ...speedOf(phase), ...troubleOf(phase) }
}

function guaranteesOf({ directories, violations }: PhaseReport): Record<string, string> {
  const sum = sumOver(directories)
  const count = (kind: Violation['kind']) => whole(violations.filter((violation) => violation.kind === kind).length)
  return {
    'events lost': count('lost'),
    'events inverted': count('inverted'),
    'events mixed between directories': count('mixed'),
    'events repeated': whole(sum('repeats')),
    'deliveries after a suspension': whole(sum('late')),
    events: whole(sum('events')),
    deliveries: whole(sum('attempts')),
    'deliveries that failed': whole(sum('failed')),
  }
}

function speedOf({ directories, drainedMs }: PhaseReport): Record<string, string> {
  const requests = sorted(directories.flatMap(({ requestMs }) => requestMs))
  const events = sorted(directories.flatMap(({ eventMs }) => eventMs))
  return {
    requests: whole(requests.length),
    'request p50': formatMs(percentile(requests, 50)),
    'request p99': formatMs(percentile(requests, 99)),
    'longest request, with its repetitions': formatMs(requests.at(-1) ?? 0),
    'event latency p50': formatMs(percentile(events, 50)),
    'event latency p99': formatMs(percentile(events, 99)),
    'longest time without a delivery': formatMs(Math.max(0, ...directories.map(({ outageMs }) => outageMs))),
    'afterwards, everything delivered in': formatMs(drainedMs),
  }
}

function troubleOf(phase: PhaseReport): Record<string, string> {
  const { directories, hostileDirectories, hostile, kills, stops, faults, responses, load, seconds } = phase
  const countStops = (wanted: Stop['kind']) => whole(stops.filter(({ kind }) => kind === wanted).length)
  const countFaults = (kind: Fault['kind']) => whole(faults.get(kind) ?? 0)
  const failures = [...responses].filter(([kind]) => kind !== 'prompt').reduce((total, [, count]) => total + count, 0)
  return {
    'requests repeated without a response': whole(sumOver(directories)('uncertain')),
    'requests given up after two minutes': whole(sumOver(directories)('givenUp')),
    'processes killed': whole(kills),
    'processes suspended': countStops('suspended'),
    'networks lost': countStops('disconnected'),
    'slow networks': countFaults('slow-network'),
    'clocks that were wrong': countFaults('step-clock'),
    'failovers to the standby': countFaults('fail-over'),
    'restarts of the database': countFaults('restart-database'),
    'read-only servers': countFaults('read-only'),
    'standbys that hung': countFaults('hang-standby'),
    'full disks': countFaults('full-disk'),
    'failures of endpoints': whole(failures),
    'hostile requests accepted': whole(hostile.accepted),
    'hostile requests rejected': whole(hostile.rejected),
    'hostile requests that got 5xx or nothing': whole(hostile.unavailable + hostile.unanswered),
    'deliveries to hostile tenants': whole(hostileDirectories.reduce((total, { attempts }) => total + attempts, 0)),
    'load of the machine': load.toFixed(1),
    'in total': `${seconds.toFixed(0)} s`,
  }
}

type Counted = 'uncertain' | 'givenUp' | 'events' | 'attempts' | 'repeats' | 'late' | 'failed'

function sumOver(directories: readonly DirectoryReport[]): (name: Counted) => number {
  return (name) => directories.reduce((total, directory) => total + directory[name], 0)
}

function verdict({ phases, seed }: ChaosReport, { green, red }: Palette): string {
  const violations = phases.flatMap((phase) => phase.violations)
  if (violations.length === 0)
    return green(`Every event was delivered, in order, to its own directory (--seed ${seed}).`)
  const shown = violations.slice(0, shownViolations).map(({ text }) => `  ${text}`)
  const more = violations.length - shown.length
  return [
    red(`${countOf(violations.length, 'guarantee was', 'guarantees were')} broken (--seed ${seed}):`),
    ...shown,
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n')
}

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other)
const whole = (count: number): string => count.toLocaleString('en-US')

function percentile(numbers: readonly number[], percent: number): number {
  return numbers[Math.min(numbers.length - 1, Math.floor((numbers.length * percent) / 100))] ?? 0
}
