import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import { holdsNul } from '../sql-database.ts'
import type { Database, Statement } from './database.ts'

/** Runs reads. PostgreSQL cannot store the NUL character: a read with a text that has one finds nothing. */
export interface Reader {
  rows(statement: Statement): Promise<Row[]>
  row(statement: Statement): Promise<Row | undefined>
  /** The number that a statement selects as `n`; 0 without a row. */
  number(statement: Statement): Promise<number>
}

export function createReader({ query }: Pick<Database, 'query'>): Reader {
  const rows = async (statement: Statement): Promise<Row[]> => (holdsNul(statement) ? [] : query(statement))
  return {
    rows,
    row: async (statement) => (await rows(statement))[0],
    number: async (statement) => numberIn(await rows(statement)),
  }
}

function numberIn([row]: readonly Row[]): number {
  return row === undefined ? 0 : integer(row, 'n')
}

/** The ids that PostgreSQL can store. */
export function withoutNulIds(ids: readonly string[]): string[] {
  return ids.filter((id) => !id.includes('\0'))
}
