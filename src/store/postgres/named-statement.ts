import type { Statement } from './database.ts'
import type { ColumnType } from './parameters.ts'
import { binaryArray } from './parameters.ts'

/** The columns of rows that are sent to a statement: their names and types. */
export type Columns = Readonly<Record<string, ColumnType>>

type ValueOf<T extends ColumnType> = (T extends 'text' ? string : number) | null

/** A row with these columns. */
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: ValueOf<C[Name]> }

/** The parameters of a statement by name, each the type of a value or the columns of rows. */
type Parameters = Readonly<Record<string, ColumnType | Columns>>

/** The values of such parameters. */
type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends ColumnType
    ? ValueOf<P[Name]>
    : P[Name] extends Columns
      ? readonly RowOf<P[Name]>[]
      : never
}

/** A parameter as it is sent: a value, or the array of a column of rows. */
interface Slot {
  readonly name: string
  readonly type: ColumnType
  readonly column: string | undefined
}

/**
 * Makes a statement whose parameters have names. In its text, `:id` is a value, `:users.id` the array of a column of rows, and
 * `:users[n].id` the value in the row `n`, which begins at 1. A statement passes on the numbers of rows and reads their values
 * where it writes them: for a batch of one, an `unnest` of twenty columns takes longer than writing the row. Parameters are
 * numbered in the order of their declaration; the directory comes first, because it is `$1` in the fragments of `sql.ts`.
 *
 * @throws TypeError when the text contains a name that is not declared
 */
export function namedStatement<P extends Parameters>(
  parameters: P,
  namedText: string,
): (values: ValuesOf<P>) => Statement {
  const slots = slotsOf(parameters)
  const text = numberNames(slots, namedText)
  return (values) => ({ text, values: slots.map((slot) => parameterOf(slot, values[slot.name])) })
}

/** The names of columns, as a list. */
export function namesOf(columns: Columns): string {
  return Object.keys(columns).join(', ')
}

/** The values of a row in the text of a named statement, in the order of `namesOf`. */
export function rowOf(columns: Columns, row: string): string {
  return Object.keys(columns)
    .map((name) => `${row}.${name}`)
    .join(', ')
}

function slotsOf(parameters: Parameters): Slot[] {
  return Object.entries(parameters).flatMap(([name, type]): Slot[] => {
    if (typeof type === 'string') return [{ name, type, column: undefined }]
    return Object.entries(type).map(([column, columnType]) => ({ name, type: columnType, column }))
  })
}

/** Casts have two colons. */
const nameInText = /(?<!:):(\w+)(\[[\w.]+\])?(?:\.(\w+))?/g

function numberNames(slots: readonly Slot[], text: string): string {
  return text.replace(nameInText, (all: string, name: string, row = '', column: string | undefined) => {
    const index = slots.findIndex((slot) => slot.name === name && slot.column === column)
    const slot = slots[index]
    if (slot === undefined) throw new TypeError(`The statement has no parameter ${all}.`)
    const parameter = `$${index + 1}::${slot.type}`
    if (column === undefined) return parameter
    return row === '' ? `${parameter}[]` : `(${parameter}[])${row}`
  })
}

function parameterOf({ type, column }: Slot, value: unknown): unknown {
  if (column === undefined || !isRows(value)) return value
  return binaryArray(
    type,
    value.map((row) => row[column]),
  )
}

function isRows(value: unknown): value is readonly RowOf<Columns>[] {
  return Array.isArray(value)
}
