import type { Database, Row, Statement } from './database.ts'

/** Runs reads. A text with a NUL character is in no row, as PostgreSQL cannot hold it: asking for it finds nothing. */
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
    number: async (statement) => Number((await rows(statement))[0]?.['n'] ?? 0),
  }
}

/** Whether a value of a statement is a text that no row can have. */
export function holdsNul({ values }: Statement): boolean {
  return values.some((value) => typeof value === 'string' && value.includes('\0'))
}
