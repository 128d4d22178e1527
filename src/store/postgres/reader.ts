import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import type { Database, Statement } from './database.ts'

/** Runs reads. PostgreSQL cannot store the NUL character: a read with a text that has one finds nothing. */
export interface Reader {
  rows(statement: Statement): Promise<Row[]>
  row(statement: Statement): Promise<Row | undefined>
  /** The rows of a statement and the number of another, in one round trip. */
  rowsAndNumber(statement: Statement, counting: Statement): Promise<readonly [rows: Row[], number: number]>
  /** The number that a statement selects as `n`; 0 without a row. */
  number(statement: Statement): Promise<number>
}

export function createReader({ query, queryAll }: Pick<Database, 'query' | 'queryAll'>): Reader {
  const rows = async (statement: Statement): Promise<Row[]> => (holdsNul(statement) ? [] : query(statement))
  return {
    rows,
    row: async (statement) => (await rows(statement))[0],
    async rowsAndNumber(statement, counting) {
      if (holdsNul(statement) || holdsNul(counting)) return [[], 0]
      const [found = [], counted = []] = await queryAll([statement, counting])
      return [found, numberIn(counted)]
    },
    number: async (statement) => numberIn(await rows(statement)),
  }
}

function numberIn([row]: readonly Row[]): number {
  return row === undefined ? 0 : integer(row, 'n')
}

/** Whether a value of the statement is a text with a NUL character. */
export function holdsNul({ values }: Pick<Statement, 'values'>): boolean {
  return values.some((value) => typeof value === 'string' && value.includes('\0'))
}

/** The ids that PostgreSQL can store. */
export function withoutNulIds(ids: readonly string[]): string[] {
  return ids.filter((id) => !id.includes('\0'))
}

/** The text without NUL characters. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
