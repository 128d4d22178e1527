import process from 'node:process'
import { createPalette } from '../../src/cli/terminal/palette.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { renderTable } from '../../src/cli/terminal/table.ts'
import type { Row } from './row.ts'

const columns: readonly Column[] = [
  { title: 'engine' },
  { title: 'what', maxWidth: 60 },
  { title: 'conn.', align: 'right' },
  { title: 'req/s', align: 'right' },
  { title: 'p50 ms', align: 'right' },
  { title: 'p99 ms', align: 'right' },
  { title: 'CPU ms/1000', align: 'right' },
  { title: 'measured', align: 'right' },
  { title: 'budget', align: 'right' },
  { title: '' },
]

/** The report as a table. */
export function reportTable(rows: readonly Row[]): string {
  return renderTable(columns, rows.map(cells), createPalette(process))
}

function cells({ engine, what, connections, sample, verdict }: Row): string[] {
  return [
    engine,
    what,
    String(connections ?? ''),
    figure(sample?.rate, 0),
    figure(sample?.p50Ms, 2),
    figure(sample?.p99Ms, 2),
    figure(sample?.cpuMsPer1000, 0),
    verdict?.text ?? '',
    verdict?.budget ?? '',
    verdict?.isMet === undefined ? '' : verdict.isMet ? 'ok' : 'MISSED',
  ]
}

function figure(value: number | undefined, digits: number): string {
  return value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits)
}
