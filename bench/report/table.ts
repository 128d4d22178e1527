import process from 'node:process'
import { createPalette } from '../../src/cli/terminal/palette.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { renderTable } from '../../src/cli/terminal/table.ts'
import type { Row } from './row.ts'

const columns: readonly Column[] = [
  { title: 'engine' },
  { title: 'what', maxWidth: 120 },
  { title: 'conn.', align: 'right' },
  { title: 'work ms/1000', align: 'right' },
  { title: 'measured', align: 'right' },
  { title: 'budget', align: 'right' },
  { title: '' },
]

/** The report as a table. */
export function reportTable(rows: readonly Row[]): string {
  return renderTable(columns, rows.map(cells), createPalette(process))
}

function cells({ engine, what, connections, workMs, verdict }: Row): string[] {
  return [
    engine,
    what,
    String(connections ?? ''),
    workMs === undefined || Number.isNaN(workMs) ? '' : workMs.toFixed(0),
    verdict?.text ?? '',
    verdict?.budget ?? '',
    verdict?.isMet === undefined ? '' : verdict.isMet ? 'ok' : 'MISSED',
  ]
}
