import type { Palette } from '../../src/cli/terminal/palette.ts'
import type { Step } from '../../src/cli/terminal/progress.ts'
import { countOf, formatMs, formatRate } from '../../src/cli/terminal/quantity.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { renderTable } from '../../src/cli/terminal/table.ts'
import type { Outcome } from './lifecycle.ts'
import type { PhaseName, SimulationProgress } from './phase.ts'
import type { SimulationSummary } from './simulate.ts'

const latencyColumns: readonly Column[] = [
  { title: 'call' },
  { title: 'count', align: 'right' },
  { title: 'p50', align: 'right' },
  { title: 'p95', align: 'right' },
  { title: 'p99', align: 'right' },
  { title: 'max', align: 'right' },
]

const errorColumns: readonly Column[] = [
  { title: 'status' },
  { title: 'count', align: 'right' },
  { title: 'first error', maxWidth: 160 },
]

/** The summary of a simulation: what changed, latencies by kind of call, errors by status. */
export function summaryText(summary: SimulationSummary, palette: Palette): string {
  return [outcomeText(summary.outcome), figuresText(summary), '']
    .concat(summary.calls.length > 0 ? [latencyText(summary, palette)] : [])
    .concat(summary.errorCount > 0 ? [palette.red(`${countOf(summary.errorCount, 'error')}:`)] : [])
    .concat(summary.errorCount > 0 ? [errorText(summary, palette)] : [])
    .concat(summary.interrupted ? [palette.yellow('Interrupted: the remaining steps were skipped.'), ''] : [])
    .join('\n')
}

function outcomeText(outcome: Readonly<Outcome>): string {
  const users = [
    `${outcome.usersCreated} created`,
    ...(outcome.usersLinked > 0 ? [`${outcome.usersLinked} already existed`] : []),
    `${outcome.usersUpdated} updated`,
    `${outcome.usersDeactivated} deactivated`,
    `${outcome.usersDeleted} deleted`,
  ]
  const groups = [
    `${outcome.groupsCreated} created`,
    ...(outcome.groupsLinked > 0 ? [`${outcome.groupsLinked} already existed`] : []),
    `${countOf(outcome.membersAdded, 'member')} added`,
    `${outcome.membersRemoved} removed`,
  ]
  return `Users: ${users.join(', ')}. Groups: ${groups.join(', ')}.`
}

function figuresText({ callCount, elapsedMs, throttledCount }: SimulationSummary): string {
  const rate = formatRate(callCount / Math.max(elapsedMs / 1000, 0.001))
  const throttled = throttledCount > 0 ? `, ${throttledCount} of them throttled by the service (429)` : ''
  return `${countOf(callCount, 'call')} in ${formatMs(elapsedMs)}: ${rate}/s${throttled}.`
}

function latencyText({ calls }: SimulationSummary, palette: Palette): string {
  const rows = calls.map(({ kind, count, p50Ms, p95Ms, p99Ms, maxMs }) => [
    kind,
    String(count),
    ...[p50Ms, p95Ms, p99Ms, maxMs].map(formatMs),
  ])
  return renderTable(latencyColumns, rows, palette)
}

function errorText({ errors }: SimulationSummary, palette: Palette): string {
  const rows = errors.map(({ status, count, firstDetail }) => [
    status === undefined ? 'no response' : String(status),
    String(count),
    firstDetail,
  ])
  return renderTable(errorColumns, rows, palette)
}

/** The phases in the terminal. */
const labels = {
  connect: 'test the connection',
  create: 'create users',
  assign: 'assign users',
  find: 'look up users',
  update: 'update users',
  groups: 'push groups',
  offboard: 'offboard users',
  accident: 'unassign users',
} satisfies Record<PhaseName, string>

/** The progress of a simulation as a step for the terminal. */
export function progressStep({ phase, done, total, calls, errors }: SimulationProgress): Step {
  const note = errors === 0 ? countOf(calls, 'call') : `${countOf(calls, 'call')}, ${countOf(errors, 'error')}`
  return { label: labels[phase], done, total, note }
}
