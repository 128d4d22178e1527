import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Row } from '../row.ts'
import type { Dialect, ReadOf, RowsByKey, SqlDatabase, Statement } from '../sql-database.ts'
import type { Columns } from '../write/tables.ts'
import { rowKey } from './directory-state.ts'
import type { GroupCommit } from './group-commit.ts'

/** Runs a statement at once: a read, or a write in the transaction that the caller has open. */
export type RunStatement = (statement: Statement) => Row[]

/** Unix milliseconds. */
export const now = `cast(unixepoch('subsec') * 1000 as integer)`

/**
 * SQL for whether a member `m` is visible: while a large change is being made, it shows those that leave or, once it is
 * published, those that join.
 */
export const isVisible = `(m.staged is null
  or m.staged = (select c.shown from large_changes c where c.directory_id = m.directory_id))`

/** Prepares each text once: the texts are constants. */
export function createRunStatement(db: DatabaseSync): RunStatement {
  const prepared = new Map<string, StatementSync>()
  return ({ text, values, isRare = false }) => {
    const statement = prepared.get(text) ?? db.prepare(sqliteText(text))
    if (!isRare) prepared.set(text, statement)
    // SQLite itself rejects a value of another type.
    return statement.all(...(values as readonly SQLInputValue[]))
  }
}

/**
 * Parameters are numbered by `?` here. Rows are not locked: a transaction has the whole file. A limit that is just a parameter would
 * be a part of the plan: SQLite would prepare the statement again whenever it runs.
 */
export function sqliteText(text: string): string {
  return text
    .replace(/\$(\d+)/g, '?$1')
    .replace(/\blimit (\?\d+)/g, 'limit $1 + 0')
    .replace(/\sfor (?:update|share|key share)(?: of \w+)?(?: skip locked)?/g, '')
}

const rowsWith = (...[table, alias, column, value, columns = '*', directoryId = '$1', index]: RowsByKey) => `
  select ${columns} from ${table} ${alias} ${index === undefined ? '' : `indexed by ${index} `}where ${alias}.directory_id = ${directoryId} and ${alias}.${column} = ${value}`

export const dialect: Dialect = {
  now,
  indexedBy: (index) => `indexed by ${index}`,
  joinOne: (table, alias, condition) => `cross join ${table} ${alias} on ${condition}`,
  leftJoinOne: (table, alias, condition) => `left join ${table} ${alias} on ${condition}`,
  isIn: (column, query) => `${column} in (${query})`,
  elementsOf: (parameter, alias) => `json_each(${parameter}) ${alias}`,
  equals: (column, value) => `${column} = ${value}`,
  oneRow: (...key) => `${rowsWith(...key)} limit 1`,
  rowsWith,
  rowBy: (...[table, alias, column, value, , directoryId = '$1']) =>
    `cross join ${table} ${alias} on ${alias}.directory_id = ${directoryId} and ${alias}.${column} = ${value}`,
  indexed: () => '',
  apart: (column) => column,
  jsonField: (column, name) => `${column} -> '${name}'`,
  jsonArray: (value) => `json_group_array(${value})`,
  isVisible: ` and ${isVisible}`,
  presentGroup: (groupId) => `(select o.id from groups o where o.directory_id = $1 and o.id = ${groupId})`,
  walksToMembers: false,
  rowKey,
  isStateNumbered: true,
}

/** The statements of each transaction are one write of the group commit. A read of many inputs is one of each. */
export function createSqlDatabase(run: RunStatement, write: GroupCommit['write']): SqlDatabase {
  return {
    query: async (statement) => run(statement),
    queryAll: async (statements) => statements.map(run),
    readEach(read) {
      const { text, names } = statementOf(read)
      return async (values, inputs) => {
        const limit = read.limit === undefined ? Number.POSITIVE_INFINITY : Number(values[read.limit - 1])
        let found = 0
        return inputs.map((input) => {
          const rows = found < limit ? run({ text, values: [...values, ...names.map((name) => input[name])] }) : []
          found += rows.length
          return rows
        })
      }
    },
    readOne(read) {
      const { text } = statementOf(read)
      return async (values, key) => run({ text, values: [...values, key] })[0]
    },
    atomically: (statements) => write(() => statements.map(run)),
    transaction: (first, conclude) =>
      write(() => {
        let conclusion = conclude(first.map(run))
        while ('next' in conclusion) conclusion = conclusion.next(conclusion.statements.map(run))
        conclusion.statements.forEach(run)
        return conclusion.answer
      }),
    dialect,
  }
}

function statementOf<C extends Columns>({ shared, input, rowsOf }: ReadOf<C>) {
  const names: (keyof C)[] = Object.keys(input)
  const parameters = names.map((name, index) => [name, `$${shared + 1 + index}`] as const)
  return { names, text: rowsOf(Object.fromEntries(parameters) as { [Name in keyof C]: string }) }
}
