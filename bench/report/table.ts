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

/** The one table. */
export function reportTable(rows: readonly Row[]): string {
  return renderTable(columns, rows.map(cells), createPalette(process))
}

function cells({ engine, what, connections, sample, verdict }: Row): string[] {
  const cpu = sample?.cpuMsPer1000
  return [
    engine,
    what,
    String(connections ?? ''),
    sample === undefined ? '' : sample.rate.toFixed(0),
    sample === undefined ? '' : sample.p50Ms.toFixed(2),
    sample === undefined ? '' : sample.p99Ms.toFixed(2),
    cpu === undefined || Number.isNaN(cpu) ? '' : cpu.toFixed(0),
    verdict?.text ?? '',
    verdict?.budget ?? '',
    verdict?.isMet === undefined ? '' : verdict.isMet ? 'ok' : 'MISSED',
  ]
}
