import Table from 'cli-table3'
import { fitToWidth } from './display-width.ts'
import type { Palette } from './palette.ts'

/** One column of a table. */
export interface Column {
  readonly title: string
  /** Numbers are aligned right. Default: left. */
  readonly align?: 'left' | 'right'
  /** Width in terminal columns; longer texts are cut. Default: 48. */
  readonly maxWidth?: number
}

const borders = ['top', 'left', 'mid', 'middle', 'right', 'bottom'].flatMap((side) => [
  ...[side, `${side}-mid`, `${side}-left`, `${side}-right`],
])
const noBorders = Object.fromEntries(borders.map((name) => [name, '']))

/** An aligned table without borders, indented by two spaces; ends with a line break. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  palette: Palette,
): string {
  const table = new Table({
    head: columns.map(({ title }) => palette.dim(title)),
    colAligns: columns.map(({ align = 'left' }) => align),
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 2, 'padding-right': 0 },
  })
  table.push(...rows.map((row) => columns.map((column, index) => fitCell(row[index] ?? '', column))))
  return table
    .toString()
    .replaceAll(/(?<! ) +$/gm, '')
    .concat('\n')
}

function fitCell(text: string, { maxWidth = 48 }: Column): string {
  return fitToWidth(withoutControlCharacters(text), maxWidth)
}

/** Removes control characters from names, which must not move the cursor. */
function withoutControlCharacters(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
