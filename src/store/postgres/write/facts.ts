import type { CountedState } from '../../removals.ts'
import type { Row } from '../../row.ts'
import { integer } from '../../row.ts'
import type { Statement } from '../../sql-database.ts'
import type { LockedDirectory } from '../../write/batch.ts'
import type { Facts, FactsRequest } from '../../write/facts.ts'
import { noFacts } from '../../write/facts.ts'
import { createKeyedFacts } from '../../write/keyed-facts.ts'
import { dialect, statementsOf } from '../sql-database.ts'

/** A read of some facts in one or several statements, and how their rows are decoded. */
interface FactsRead {
  readonly statements: readonly Statement[]
  readonly decode: (rows: Row[][]) => Partial<Facts>
}

const keyedFacts = createKeyedFacts(dialect, ({ columns, shared = 1, rowsOf }) => {
  const input = Object.fromEntries(columns.map((column) => [column, 'text' as const]))
  const statementOf = statementsOf({
    ...{ shared, input },
    rowsOf: (key) => rowsOf(...columns.map((column) => key[column] ?? '')),
  })
  return (values: readonly string[], keys: readonly (readonly string[])[]) =>
    statementOf(
      values,
      keys.map((key) => Object.fromEntries(columns.map((column, index) => [column, key[index] ?? '']))),
    )
})

/** The rows of each key. */
function rowsByKey(rows: readonly Row[], keys: number): readonly (readonly Row[])[] {
  if (keys === 1) return [rows]
  const byKey = Map.groupBy(rows, (row) => integer(row, 'input'))
  return Array.from({ length: keys }, (_, index) => byKey.get(index + 1) ?? [])
}

/** The statements that read facts, after the directory is locked. */
export function factReads({ id }: LockedDirectory, request: FactsRequest): readonly FactsRead[] {
  const found = keyedFacts(request).map(({ reads, decode }): FactsRead => {
    return {
      statements: reads.map(({ statement, keys, further = [] }) => statement([id, ...further], keys)),
      decode: (rows) => decode(reads.map(({ keys }, index) => rowsByKey(rows[index] ?? [], keys.length))),
    }
  })
  const further = Object.entries(request.reads ?? {})
  const decodeFurther: FactsRead['decode'] = (rows) => ({
    rows: Object.fromEntries(further.map(([name], index) => [name, rows[index] ?? []])),
  })
  return [...found, { statements: further.map(([, statement]) => statement), decode: decodeFurther }]
}

/** The facts in the rows of `factReads`. */
export function factsOf(
  state: CountedState,
  reads: readonly FactsRead[],
  rows: readonly Row[][],
): Facts & { readonly state: CountedState } {
  const left = [...rows]
  const found = reads.map(({ statements, decode }) => decode(left.splice(0, statements.length)))
  return Object.assign({}, noFacts, { state }, ...found)
}
