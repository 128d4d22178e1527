import type { JsonText } from '../scim/json-text.ts'

/** A row of either database, by column name. Integers are numbers, booleans are 0 or 1. */
export type Row = Readonly<Record<string, unknown>>

/** @throws Error when the column does not hold text */
export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw unexpected(column, value, 'text')
  return value
}

/** @throws Error when the column holds something other than text or null */
export function optionalText(row: Row, column: string): string | undefined {
  const value = row[column]
  return value === null || value === undefined ? undefined : text(row, column)
}

/** @throws Error when the column does not hold a number */
export function integer(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw unexpected(column, value, 'a number')
  return value
}

/** @throws Error when the column holds something other than a number or null */
export function optionalInteger(row: Row, column: string): number | undefined {
  const value = row[column]
  return value === null || value === undefined ? undefined : integer(row, column)
}

/** @throws Error when the column does not hold a number */
export function boolean(row: Row, column: string): boolean {
  return integer(row, column) === 1
}

/**
 * One of a closed set of values.
 *
 * @throws Error when the column holds anything else
 */
export function oneOf<T extends string>(row: Row, column: string, values: readonly T[]): T {
  const found = values.find((value) => value === row[column])
  if (found === undefined) throw unexpected(column, row[column], `one of ${values.join(', ')}`)
  return found
}

/** JSON that this service wrote; it is not parsed, and its shape is trusted. */
export function jsonText<T>(row: Row, column: string): JsonText<T> {
  return text(row, column) as JsonText<T>
}

/** As `jsonText`; undefined when the column is null. */
export function optionalJsonText<T>(row: Row, column: string): JsonText<T> | undefined {
  const value = row[column]
  return value === null || value === undefined ? undefined : jsonText(row, column)
}

/** The value itself stays out of the message: it may be personal data. */
function unexpected(column: string, value: unknown, expected: string): Error {
  const actual = value === null ? 'null' : typeof value
  return new Error(`The database column ${column} holds ${actual} where ${expected} was expected.`)
}
