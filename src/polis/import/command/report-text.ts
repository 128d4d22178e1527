import type { CommandIo } from '../../../cli/terminal/io.ts'
import { createPalette } from '../../../cli/terminal/palette.ts'
import { countOf } from '../../../cli/terminal/quantity.ts'
import { renderTable } from '../../../cli/terminal/table.ts'
import type { Decision, DecisionKind } from '../decisions.ts'
import { decisionKinds } from '../decisions.ts'
import type { Difference, Tally } from '../pass.ts'
import type { ImportReport } from '../report.ts'
import { isFullyRead } from '../report.ts'

/** The lines of a kind that the terminal shows; the report file has all. */
const shownPerKind = 5

/** A report as text for the terminal: a table of counts, then the decisions, or what differs. */
export function reportText(report: ImportReport, io: Pick<CommandIo, 'stdout' | 'env'>): string {
  return [
    countTable(report, io),
    decisionText(report),
    report.mode === 'verify' ? differenceText(report) : '',
    ending(report),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function countTable(report: ImportReport, io: Pick<CommandIo, 'stdout' | 'env'>): string {
  const { directories, totals, setup_links } = report
  const outcomes = { created: 0, updated: 0, deleted: 0, unchanged: 0, left: 0 }
  for (const { outcome } of directories) {
    const isLeft = outcome === 'refused' || outcome === 'changed-here' || outcome === 'incomplete'
    outcomes[isLeft ? 'left' : outcome] += 1
  }
  const right = { align: 'right' } as const
  const columns = [{ title: '' }, ...titlesOf(report).map((title) => ({ title, ...right }))]
  const row = (name: string, tally: Tally, left = '') => [
    ...[name, ...[tally.created, tally.updated, tally.deleted, tally.unchanged].map(numberText), left],
  ]
  const rows = [
    row('directories', outcomes, outcomes.left === 0 ? '' : numberText(outcomes.left)),
    row('users', totals.users),
    row('groups', totals.groups),
    row('members', totals.members),
    row('setup links', setup_links),
    ...(totals.events > 0 ? [['queued events', numberText(totals.events), '', '', '', '']] : []),
  ]
  return renderTable(columns, rows, createPalette(io))
}

function titlesOf({ mode }: ImportReport): readonly string[] {
  if (mode === 'verify') return ['missing', 'different', 'extra', 'same', 'left out']
  return mode === 'plan'
    ? ['to create', 'to change', 'to delete', 'unchanged', 'left out']
    : ['created', 'changed', 'deleted', 'unchanged', 'left out']
}

function numberText(count: number): string {
  return count.toLocaleString('en-US')
}

const headings: Readonly<Record<DecisionKind, string>> = {
  'directory-refused': 'Directories that are not imported',
  'changed-here': 'Directories that are left as they are here',
  'list-incomplete': 'Lists of Polis that are not whole',
  unreadable: 'Records that cannot be read',
  'without-directory': 'Records without a directory',
  'type-unknown': 'Types of directories that are unknown here',
  'user-name-taken': 'userNames that two users of a directory have',
  'member-without-user': 'Members without a user',
  'value-refused': 'Values that cannot be stored',
  'attribute-dropped': 'Attributes that are dropped',
  'record-adjusted': 'Values that change',
  'secret-made': 'Directories that need a new secret',
  'endpoint-refused': 'Endpoints that are left out',
  'event-refused': 'Queued events that are dropped',
  'link-kept': 'Setup links that are kept',
  'link-refused': 'Setup links that are not imported',
  'link-expired': 'Setup links that have expired',
  'stale-index': 'Indexes that are out of date',
}

function decisionText({ decisions, decision_counts }: ImportReport): string {
  const byKind = Map.groupBy(decisions, ({ kind }) => kind)
  return decisionKinds
    .flatMap((kind) => {
      const count = decision_counts[kind] ?? 0
      return count === 0 ? [] : [listText(`${headings[kind]}: ${numberText(count)}`, byKind.get(kind) ?? [], count)]
    })
    .join('\n')
}

function listText(heading: string, decisions: readonly Decision[], count: number): string {
  const lines = decisions.slice(0, shownPerKind).map((decision) => `  ${placeOf(decision)}${plain(decision.text)}\n`)
  return `${heading}\n${lines.join('')}${moreText(count)}`
}

function moreText(count: number): string {
  return count > shownPerKind ? `  and ${numberText(count - shownPerKind)} more, which --report <file> lists\n` : ''
}

function placeOf({ tenant, product, directoryId, id }: Decision): string {
  const scope = tenant === undefined || product === undefined ? '' : `${tenant}/${product}`
  const parts = [scope, directoryId ?? '', id ?? ''].filter((part) => part !== '')
  return parts.length === 0 ? '' : `${plain(parts.join(' '))}: `
}

function differenceText({ differences, difference_count: count }: ImportReport): string {
  if (count === 0) return ''
  const lines = differences.slice(0, shownPerKind * 4).map((difference) => `  ${lineOf(difference)}\n`)
  const more = count - lines.length
  const rest = more > 0 ? `  and ${numberText(more)} more, which --report <file> lists\n` : ''
  return `${countOf(count, 'record')} ${count === 1 ? 'differs' : 'differ'}\n${lines.join('')}${rest}`
}

function lineOf({ record, directoryId, id, groupId, what }: Difference): string {
  const where = directoryId === undefined || directoryId === id ? '' : ` of ${directoryId}`
  const inGroup = groupId === undefined ? '' : ` in group ${groupId}`
  const fields = typeof what === 'string' ? texts[what] : `differs in ${what.join(', ')}`
  return plain(`${record} ${id}${inGroup}${where} ${fields}`)
}

const texts = { missing: 'is missing here', extra: 'is here only' } as const

function ending(report: ImportReport): string {
  const { mode, difference_count, directories } = report
  if (mode === 'plan') return 'Nothing was written. Run it with --apply to import.\n'
  if (mode === 'apply') {
    const left = isFullyRead(report) ? '' : ' Something in Polis could not be read: see above.'
    return `Done: ${countOf(directories.length, 'directory', 'directories')}.${left}\n`
  }
  if (difference_count > 0) return ''
  return isFullyRead(report) ? 'Both sides are the same.\n' : 'What can be read in Polis is the same on both sides.\n'
}

/** Names come from outside: they must not move the cursor. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
