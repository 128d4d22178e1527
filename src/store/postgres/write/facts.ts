import type { CountedState } from '../../removals.ts'
import type { Row } from '../../row.ts'
import { integer } from '../../row.ts'
import type { LockedDirectory } from '../../write/batch.ts'
import type { Facts, FactsRequest } from '../../write/facts.ts'
import { noFacts } from '../../write/facts.ts'
import type { KeyedFacts, KeyedRead } from '../../write/keyed-facts.ts'
import { createKeyedReads, keyedFacts } from '../../write/keyed-facts.ts'
import type { Statement } from '../database.ts'
import { decodeGroupFacts, groupFactReads } from '../members.ts'
import { dialect, statementsOf } from '../sql-database.ts'

/** A read of some facts in one or several statements, and how their rows are decoded. */
interface FactsRead {
  readonly statements: readonly Statement[]
  readonly decode: (rows: Row[][]) => Partial<Facts>
}

/** The statements of the reads by keys. */
const keyed = Object.entries(createKeyedReads(dialect)).map(([name, { columns, rowsOf }]: [string, KeyedRead]) => {
  const input = Object.fromEntries(columns.map((column) => [column, 'text' as const]))
  const statementOf = statementsOf({
    shared: 1,
    input,
    rowsOf: (key) => rowsOf(...columns.map((column) => key[column] ?? '')),
  })
  return [name, { columns, statementOf }] as const
})
const keyedStatements = new Map(keyed)

function readKeys(directoryId: string, { read, keys, decode }: KeyedFacts): FactsRead[] {
  const made = keyedStatements.get(read)
  if (made === undefined) return []
  const inputs = keys.map((key) => Object.fromEntries(made.columns.map((column, index) => [column, key[index] ?? ''])))
  return [
    {
      statements: [made.statementOf([directoryId], inputs)],
      decode: ([rows = []]) => {
        if (keys.length === 1) return decode([rows])
        const byKey = Map.groupBy(rows, (row) => integer(row, 'input'))
        return decode(keys.map((_, index) => byKey.get(index + 1) ?? []))
      },
    },
  ]
}

/** The statements that read facts, after the directory is locked. */
export function factReads(directory: LockedDirectory, request: FactsRequest): readonly FactsRead[] {
  const { id } = directory
  const reads = keyedFacts(request).flatMap((facts) => readKeys(id, facts))
  if (request.changes !== undefined) {
    const { changes, groupNames = [] } = request
    const named = groupFactReads(directory, changes, groupNames)
    reads.push({
      statements: named.map(([, statement]) => statement),
      decode: (rows) => ({
        groups: decodeGroupFacts(Object.fromEntries(named.map(([name], index) => [name, rows[index]]))),
      }),
    })
  }
  const further = Object.entries(request.reads ?? {})
  if (further.length > 0) {
    reads.push({
      statements: further.map(([, statement]) => statement),
      decode: (rows) => ({ rows: Object.fromEntries(further.map(([name], index) => [name, rows[index] ?? []])) }),
    })
  }
  return reads
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
