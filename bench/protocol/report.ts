import process from 'node:process'
import { createPalette } from '../../src/cli/terminal/palette.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { renderTable } from '../../src/cli/terminal/table.ts'
import type { Comparison } from './comparisons.ts'
import { filterInputs } from './filters.ts'
import type { Measured } from './measure.ts'
import { patchInputs } from './patches.ts'

export type Row = Comparison & Measured

/** The minimum ratio that we aim for. */
const wantedRatio = 3

const columns: readonly Column[] = [
  { title: 'what' },
  { title: 'input', maxWidth: 60 },
  { title: 'ours/s', align: 'right' },
  { title: 'peer' },
  { title: 'peer/s', align: 'right' },
  { title: 'ratio', align: 'right' },
]

/** The table, the differences in the results, and the lowest ratio for each peer. */
export function report(rows: readonly Row[]): string {
  const table = renderTable(columns, rows.map(cells), createPalette(process))
  return [table, ...notes(), '', ...lowest(rows), ''].join('\n')
}

function cells(row: Row): string[] {
  const { what, input, ourRate, theirRate, ratio } = row
  return [what, input, ourRate.toFixed(0), peerOf(row), theirRate.toFixed(0), `${ratio.toFixed(1)}×`]
}

function peerOf({ peer, mode }: Comparison): string {
  return mode === '' ? peer : `${peer}: ${mode}`
}

function notes(): string[] {
  const ofFilters = filterInputs.flatMap(({ name, notMatchedBy }) => notesOf(name, notMatchedBy))
  const ofPatches = patchInputs.flatMap(({ name, differs, notDoneBy }) => [
    ...Object.entries(differs ?? {}).map(([peer, { because }]) => noteOf(name, peer, because)),
    ...notesOf(name, notDoneBy),
  ])
  return [...ofFilters, ...ofPatches]
}

function notesOf(input: string, reasons: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(reasons).map(([peer, because]) => noteOf(input, peer, because))
}

function noteOf(input: string, peer: string, because: string): string {
  return `  ${input}: ${peer} ${because}.`
}

function lowest(rows: readonly Row[]): string[] {
  return [...Map.groupBy(rows, peerOf)].map(([peer, ofPeer]) => {
    const { ratio, what, input } = ofPeer.reduce((least, row) => (row.ratio < least.ratio ? row : least))
    const verdict = ratio >= wantedRatio ? `≥ ${wantedRatio}` : `below ${wantedRatio}`
    return `  ${peer}: at least ${ratio.toFixed(2)}× (${what}, ${input}): ${verdict}`
  })
}
