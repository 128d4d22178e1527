import { displayWidth, fitToWidth, padToWidth } from './display-width.ts'
import type { Palette } from './palette.ts'

/** One column of a table. */
export interface Column {
  readonly title: string
  /** Figures stand at the right. Default: left. */
  readonly align?: 'left' | 'right'
  /** In columns of the terminal; longer texts are cut. Default 48. */
  readonly maxWidth?: number
}

const gap = '  '

/** Aligned text with a line of titles, every line indented by two blanks; ends with a line break. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  palette: Palette,
): string {
  const cells = rows.map((row) => columns.map((column, index) => fitCell(row[index] ?? '', column)))
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...cells.map((row) => displayWidth(row[index] ?? ''))),
  )
  const line = (texts: readonly string[]) =>
    (gap + texts.map((text, index) => alignCell(text, columns[index], widths[index] ?? 0)).join(gap)).trimEnd()
  const title = line(columns.map((column) => column.title))
  return [palette.dim(title), ...cells.map(line), ''].join('\n')
}

function fitCell(text: string, { maxWidth = 48 }: Column): string {
  return fitToWidth(oneLine(text), maxWidth)
}

/** Names come from outside: a control character in one must not move the cursor. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}

function alignCell(text: string, column: Column | undefined, width: number): string {
  if (column?.align !== 'right') return padToWidth(text, width)
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text
}
