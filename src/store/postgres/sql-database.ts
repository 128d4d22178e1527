import { createBatch } from '../../concurrency/batch.ts'
import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import { sequenceBits } from '../search-terms.ts'
import type { Dialect, ReadOf, SqlDatabase, Statement } from '../sql-database.ts'
import { holdsNul } from '../sql-database.ts'
import type { Columns } from '../write/tables.ts'
import type { Database } from './database.ts'
import { indexed, joinOne, now, oneRow, rowBy, rowsWith } from './sql.ts'

export const dialect: Dialect = {
  now,
  indexedBy: () => '',
  joinOne,
  leftJoinOne: (table, alias, condition) =>
    `left join lateral (select * from ${table} ${alias} where ${condition} offset 0) ${alias} on true`,
  isIn: (column, query) => `${column} = any(array(${query}))`,
  // The subselect keeps the planner from counting the elements.
  elementsOf: (parameter, alias) => `json_array_elements((select cast(${parameter} as json))) as ${alias} (value)`,
  equals: (column, value) => `${column} between ${value} and ${value}`,
  oneRow,
  rowsWith,
  rowBy,
  indexed,
  apart: (column) => `(${column} || '')`,
  jsonField: (column, name) => `(cast(${column} as json) -> '${name}')::text`,
  jsonArray: (value) => `json_agg(${value})::text`,
  isVisible: '',
  presentGroup: (groupId) => groupId,
  walksToMembers: true,
  rowKey: (directoryNumber, sequence) => String((BigInt(directoryNumber) << BigInt(sequenceBits)) + BigInt(sequence)),
  isStateNumbered: false,
}

export function createSqlDatabase(database: Database): SqlDatabase {
  const { query, queryAll, atomically, transaction } = database
  return {
    query: async (statement) => (holdsNul(statement) ? [] : query(statement)),
    queryAll: async (statements) => (statements.some(holdsNul) ? statements.map(() => []) : queryAll(statements)),
    readEach: createReadEach(database),
    readOne: createReadOne(database),
    atomically,
    transaction,
    dialect,
  }
}

/** Two batches at a time: the database runs one while the results of the other are used. */
const maxConcurrent = 2

function createReadOne({ query }: Pick<Database, 'query'>): SqlDatabase['readOne'] {
  return (read, maxSize = 200) => {
    const statementOf = statementsOf(read)
    const readBatch = createBatch<string, Row | undefined>(
      async (values, keys) => {
        const inputs = keys.map((key) => ({ key }))
        const found = await query(statementOf(JSON.parse(values), inputs))
        if (keys.length === 1) return [found[0]]
        const byInput = new Map(found.map((row) => [integer(row, 'input'), row]))
        return keys.map((_, index) => byInput.get(index + 1))
      },
      { maxSize, maxConcurrent },
    )
    // No stored key has a NUL character, and as a parameter it would fail the other reads of the batch.
    return async (values, key) =>
      holdsNul({ values: [...values, key] }) ? undefined : readBatch(JSON.stringify(values), key)
  }
}

function createReadEach({ query }: Pick<Database, 'query'>): SqlDatabase['readEach'] {
  return (read) => {
    const statementOf = statementsOf(read)
    return async (values, inputs) => {
      const possible = inputs.filter((input) => !holdsNul({ values: Object.values(input) }))
      if (possible.length === 0 || holdsNul({ values })) return inputs.map(() => [])
      const found = await query(statementOf(values, possible))
      if (possible.length === 1) return inputs.map((input) => (input === possible[0] ? found : []))
      const byInput = Map.groupBy(found, (row) => possible[integer(row, 'input') - 1])
      return inputs.map((input) => byInput.get(input) ?? [])
    }
  }
}

/** Makes the statements of a read. That of a single input does not select its number: the other one takes the server nearly twice the time. */
export function statementsOf<C extends Columns>({ shared, input, limit, rowsOf }: ReadOf<C>) {
  const columns = Object.entries(input).map(([name, type], index) => ({ name, type, parameter: shared + 1 + index }))
  const rowsWhere = (sqlOf: (column: (typeof columns)[number]) => string) =>
    rowsOf(Object.fromEntries(columns.map((column) => [column.name, sqlOf(column)])) as { [Name in keyof C]: string })
  const one = rowsWhere(({ type, parameter }) => `$${parameter}::${type}`)
  // Subselects, as otherwise the planner plans again for each number of inputs.
  const arrays = columns.map(({ type, parameter }) => `(select $${parameter}::${type}[])`).join(', ')
  const names = columns.map(({ name }) => name).join(', ')
  const many = `
    select k.input::int4, found.* from unnest(${arrays}) with ordinality as k (${names}, input)
    cross join lateral (${rowsWhere(({ name }) => `k.${name}`)}) found${limit === undefined ? '' : ` limit $${limit}`}`
  return (values: readonly unknown[], inputs: readonly Readonly<Record<string, unknown>>[]): Statement => {
    const [first, second] = inputs
    if (first !== undefined && second === undefined)
      return { text: one, values: [...values, ...columns.map(({ name }) => first[name])] }
    return { text: many, values: [...values, ...columns.map(({ name }) => inputs.map((each) => each[name]))] }
  }
}
