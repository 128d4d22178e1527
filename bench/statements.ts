import { resolve } from 'node:path'
import process, { stdout } from 'node:process'
import { createPalette } from '../src/cli/terminal/palette.ts'
import { renderTable } from '../src/cli/terminal/table.ts'
import { hasCallgrind } from './statements/callgrind.ts'
import type { Counted } from './statements/measure.ts'
import { countStatements } from './statements/measure.ts'

/*
 * What do the statements of an operation cost PostgreSQL?
 *
 *   node bench/statements.ts              # two minutes; needs valgrind
 *   node bench/statements.ts FOLDER       # the same for another checkout, whose node_modules is a link to that of this one
 *
 * The service of a checkout runs in this process, on a server whose processes run under callgrind. For each operation the table
 * shows what the service sends, one row for each round trip: the instructions of the server from one message "ready for query" to
 * the next, and the bytes of WAL. Both are the minimum of 30 repetitions, each about a user of its own.
 */

function tableOf(counted: readonly Counted[]): string {
  const columns = [
    { title: 'what' },
    { title: 'instructions', align: 'right' as const },
    { title: 'WAL bytes', align: 'right' as const },
    { title: 'statements', maxWidth: 100 },
  ]
  const rows = counted.flatMap(({ what, units, walBytes }) => [
    [what, figure(units.reduce((sum, { instructions }) => sum + instructions, 0)), figure(walBytes), ''],
    ...units.map(({ text, instructions }) => ['', figure(instructions), '', text]),
  ])
  return renderTable(columns, rows, createPalette(process))
}

const figure = (value: number): string => value.toLocaleString('en')

if (!hasCallgrind()) throw new Error('Install valgrind, which counts the instructions.')
const root = resolve(process.argv[2] ?? resolve(import.meta.dirname, '..'))
stdout.write(tableOf(await countStatements(root)))
