import { fileURLToPath } from 'node:url'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inBytes, inNumber } from '../report/row.ts'
import { hasCallgrind } from '../statements/callgrind.ts'
import type { Counted } from '../statements/measure.ts'
import { countStatements } from '../statements/measure.ts'
import type { Bench } from './section.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The instructions of PostgreSQL, and the bytes of its log, for the statements of one request. */
export async function measureStatements({ engine, say }: Bench): Promise<Row[]> {
  if (!hasCallgrind()) {
    say('statements are left out, because valgrind is not installed')
    return []
  }
  say('instructions of statements')
  return (await countStatements(root)).flatMap((counted) => rowsOf(engine.name, counted))
}

function rowsOf(engine: Row['engine'], { what, units, walBytes }: Counted): Row[] {
  const writes = units.filter(({ isWrite }) => isWrite)
  const counted = writes.length === 0 ? units : writes
  const instructions = counted.reduce((sum, unit) => sum + unit.instructions, 0)
  const name = writes.length === 0 ? 'statements that read' : 'statements that write'
  const rows: Row[] = [
    {
      ...{ engine, what: `${what}: instructions of the ${name}` },
      verdict: atMost(budget.instructions[what], instructions, inNumber),
    },
  ]
  if (walBytes === 0) return rows
  return [...rows, { engine, what: `${what}: WAL`, verdict: atMost(budget.walBytes[what], walBytes, inBytes) }]
}
