import type { Connection } from 'pg'
import { Query, types } from 'pg'
import type { Row } from '../row.ts'
import type { Parameter } from './parameters.ts'

/** A statement as it is sent. */
export interface EncodedStatement {
  readonly text: string
  readonly values: readonly Parameter[]
  /** The name of the prepared statement; empty when it is not prepared. */
  readonly name: string
}

/** A column of a result: its name, and how its text becomes a value. */
interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** The columns of the statements that a connection has prepared, by name. */
type PreparedStatements = Map<string, readonly Column[]>

/** The members of a sent query that the driver's client calls, and the one that it replaces to end its own timeout. */
interface SentQuery {
  callback: (error: unknown, results?: Row[][]) => void
  handleRowDescription(message: { readonly fields: readonly { name: string; dataTypeID: number }[] }): void
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void
  handleCommandComplete(): void
  handleReadyForQuery(): void
  handleError(error: unknown): void
}

/** Makes a query of several statements; the callback gets the rows of each, or the first error. */
export type PipelineQuery = (
  statements: readonly EncodedStatement[],
  callback: (error: unknown, results?: Row[][]) => void,
) => Query

/**
 * Makes queries that send several statements as one unit of the protocol. The server runs a unit in one transaction, unless
 * its statements begin and end one; it skips the rest after an error, and responds once. The driver's own pipelining sends one
 * statement per unit, and has the server describe its result each time: a transaction of three statements takes twice the CPU
 * time. This is the one place that uses parts of the driver that it does not document.
 */
export function createPipelines(): PipelineQuery {
  const connections = new WeakMap<Connection, PreparedStatements>()
  const preparedOn = (connection: Connection): PreparedStatements => {
    const prepared: PreparedStatements = connections.get(connection) ?? new Map()
    connections.set(connection, prepared)
    return prepared
  }
  return (statements, callback) => {
    // The driver copies a configuration, and its descriptors, for every query; a text it takes as it is.
    const query = Object.assign(new Query(''), { callback })
    return Object.assign(query, exchange(query, statements, preparedOn))
  }
}

/** The methods by which the driver's client sends a query and hands over the messages of the response. */
function exchange(
  query: Pick<SentQuery, 'callback'>,
  statements: readonly EncodedStatement[],
  preparedOn: (connection: Connection) => PreparedStatements,
): Pick<Query, 'submit'> & Omit<SentQuery, 'callback'> {
  const results: Row[][] = statements.map(() => [])
  let prepared: PreparedStatements = new Map()
  let described: readonly Column[] | undefined
  let current = 0
  const nameOfCurrent = () => statements[current]?.name ?? ''
  return {
    submit(connection) {
      prepared = preparedOn(connection)
      connection.stream.cork()
      for (const statement of statements) send(connection, statement, prepared.has(statement.name))
      connection.sync()
      connection.stream.uncork()
    },
    handleRowDescription({ fields }) {
      described = fields.map(columnOf)
    },
    handleDataRow({ fields }) {
      results[current]?.push(decodeRow(described ?? prepared.get(nameOfCurrent()) ?? [], fields))
    },
    handleCommandComplete() {
      const name = nameOfCurrent()
      if (name !== '' && !prepared.has(name)) prepared.set(name, described ?? [])
      described = undefined
      current += 1
    },
    handleReadyForQuery: () => query.callback(undefined, results),
    handleError: (error) => query.callback(error),
  }
}

/** Sends one statement. One that is not known to be prepared may be, by a unit that failed: then its name is taken. */
function send(connection: Connection, { text, values, name }: EncodedStatement, isPrepared: boolean): void {
  if (!isPrepared) {
    if (name !== '') connection.close({ type: 'S', name }, true)
    connection.parse({ name, text, types: [] }, true)
  }
  connection.bind({ statement: name, values: [...values] }, true)
  if (!isPrepared) connection.describe({ type: 'P' }, true)
  connection.execute({ portal: '' }, true)
}

const int8Oid = 20

function columnOf({ name, dataTypeID }: { readonly name: string; readonly dataTypeID: number }): Column {
  return { name, parse: dataTypeID === int8Oid ? Number : types.getTypeParser(dataTypeID) }
}

function decodeRow(columns: readonly Column[], fields: readonly (string | null)[]): Row {
  const row: Record<string, unknown> = {}
  let index = 0
  for (const { name, parse } of columns) {
    const field = fields[index++] ?? null
    row[name] = field === null ? null : parse(field)
  }
  return row
}
