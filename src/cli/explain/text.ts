import type { Verdict } from '../../diagnostics/explain/decision.ts'
import type { ExplainedDirectory, Explanation } from '../../diagnostics/explain/explanation.ts'
import { plainText } from '../../directory/audit.ts'
import { padToWidth } from '../terminal/display-width.ts'
import type { Palette } from '../terminal/palette.ts'
import { wrapText } from '../terminal/wrap.ts'
import { entryText } from './entries.ts'

const maxColumns = 80
/** A smaller width is treated as unknown. */
const minColumns = 40
const indent = '  '
const kindColumns = 10
/** `2026-11-22 09:00:00` */
const timeColumns = 19

const colours = {
  delivered: 'green',
  deleted: 'yellow',
  unknown: 'yellow',
  deactivated: 'yellow',
  waiting: 'yellow',
  held: 'yellow',
  'never-sent': 'red',
  'looked-up-only': 'red',
  refused: 'red',
  unauthorized: 'red',
  failing: 'red',
  dead: 'red',
} as const satisfies Record<Verdict, keyof Palette>

/** The answer of `rollcall explain` as text of at most 80 columns, except for ids and other long words. */
export function explanationText(
  asked: string,
  explanation: Explanation,
  palette: Palette,
  columns = maxColumns,
): string {
  const width = columns < minColumns ? maxColumns : Math.min(columns, maxColumns)
  const { verdict, sentence, advice, action, for_customer: forCustomer, evidence, directory } = explanation
  const colour = palette[colours[verdict]]
  return [
    `${palette.bold(plainText(asked, 120))}  ${colour(verdict)}`,
    '',
    ...paragraph(sentence, width),
    '',
    `${indent}${palette.bold('What to do')}`,
    ...paragraph(advice, width),
    ...(action?.call === undefined ? [] : [`${indent}${palette.dim(`API: ${plainText(action.call, 300)}`)}`]),
    '',
    `${indent}${palette.bold('For the customer')}`,
    ...paragraph(forCustomer, width),
    '',
    ...(directory === null ? [] : [...where(directory, explanation.subject, palette), '']),
    ...timeline(evidence, palette, width),
    '',
    ...others(explanation, palette),
  ].join('\n')
}

function paragraph(text: string, width: number): string[] {
  return wrapText(text, width - indent.length).map((line) => indent + line)
}

function where(directory: ExplainedDirectory, subject: Explanation['subject'], palette: Palette): string[] {
  const { id, name, type, tenant, product } = directory
  const rows = [
    ['Directory', `${name} (${type}), tenant ${tenant}, product ${product}`],
    ['', id],
    ...(subject === null ? [] : [[subject.type, subject.id]]),
  ]
  return rows.map(
    ([label = '', value = '']) => `${indent}${palette.dim(padToWidth(label, kindColumns))} ${plainText(value, 300)}`,
  )
}

/** The other users and groups that the query may mean, with what asks for each of them. */
function others({ candidates, has_more_candidates: hasMore }: Explanation, palette: Palette): string[] {
  const [, ...rest] = candidates
  if (rest.length === 0) return []
  const lines = rest.flatMap(({ type, id, name, directory, verdict }) => [
    `${indent}${plainText(`${name}${type === null ? '' : ` (${type})`}: ${verdict ?? 'not explained'}`, 300)}`,
    `${indent}${plainText(`${directory.name}, tenant ${directory.tenant}, product ${directory.product}`, 300)}`,
    `${indent}${palette.dim(`${id ?? `'${plainText(name, 300)}'`} --directory ${directory.id}`)}`,
  ])
  const title = `${hasMore ? 'Some of the others' : 'Others'} with this name or id`
  return [`${indent}${palette.bold(title)}`, ...lines, '']
}

function timeline(evidence: Explanation['evidence'], palette: Palette, width: number): string[] {
  if (evidence.length === 0) return [`${indent}${palette.dim('Nothing is recorded.')}`]
  const start = indent.length + timeColumns + 2 + kindColumns
  const lines = evidence.flatMap((entry) => {
    const shown = entryText(entry)
    if (shown === undefined) return []
    const { text, details, isBad } = shown
    const [first = '', ...more] = wrapText(plainText(text, 500), width - start)
    const head = `${indent}${palette.dim(timeText(entry.at))}  ${padToWidth(entry.kind, kindColumns)}`
    const rest = [...more, ...details.flatMap((detail) => wrapText(plainText(detail, 500), width - start))]
    const painted = isBad ? palette.red : (line: string) => line
    return [head + painted(first), ...rest.map((line) => ' '.repeat(start) + painted(line))]
  })
  return [`${indent}${palette.bold('Timeline')}${palette.dim(', newest first, in UTC')}`, ...lines]
}

function timeText(at: string): string {
  return at.slice(0, timeColumns).replace('T', ' ')
}
