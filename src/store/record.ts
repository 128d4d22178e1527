import type { Row } from './row.ts'
import { boolean, integer, oneOf, optionalInteger, optionalText, text } from './row.ts'

/** The value of a column. */
type Stored = string | number | null

/** The type of a column in a cast. */
type CastType = 'text' | 'bigint'

/** How a property is stored: in the column of its name, or in several. */
export interface Field<T> {
  /** The names and types of the columns, of a property whose column would have a name. */
  readonly columns: (name: string) => readonly (readonly [name: string, type: CastType])[]
  readonly decode: (row: Row, name: string) => T
  readonly encode: (value: T) => readonly Stored[]
}

/** The fields of the properties of an object. A forgotten property does not compile. */
type FieldsOf<T> = { readonly [Name in keyof T]-?: Field<T[Name]> }

function column<T>(type: CastType, decode: Field<T>['decode'], encode: (value: T) => Stored): Field<T> {
  return { columns: (name) => [[name, type]], decode, encode: (value) => [encode(value)] }
}

/** The fields that properties can have. */
export const fields = {
  text: column('text', text, (value: string) => value),
  optionalText: column('text', optionalText, (value: string | undefined) => value ?? null),
  nullableText: column(
    'text',
    (row, name) => optionalText(row, name) ?? null,
    (value: string | null) => value,
  ),
  integer: column('bigint', integer, (value: number) => value),
  optionalInteger: column('bigint', optionalInteger, (value: number | undefined) => value ?? null),
  nullableInteger: column(
    'bigint',
    (row, name) => optionalInteger(row, name) ?? null,
    (value: number | null) => value,
  ),
  boolean: column('bigint', boolean, (value: boolean) => Number(value)),
  /** One of a closed set of texts. */
  oneOf: <T extends string>(values: readonly T[]): Field<T> =>
    column(
      'text',
      (row, name) => oneOf(row, name, values),
      (value: T) => value,
    ),
  /** JSON that this service wrote: its shape is trusted. */
  json: <T>(): Field<T> =>
    column(
      'text',
      (row, name): T => JSON.parse(text(row, name)),
      (value: T) => JSON.stringify(value),
    ),
  /** A field whose column has another name than its property. */
  named: <T>(name: string, { columns, decode, encode }: Field<T>): Field<T> => ({
    columns: () => columns(name),
    decode: (row) => decode(row, name),
    encode,
  }),
  /** An object in columns of its own, whose names begin with a prefix. */
  group<T extends object>(properties: FieldsOf<T>, prefix = ''): Field<T> {
    const { names, types, decode, values } = recordOf(properties, prefix)
    return { columns: () => names.map((name, index) => [name, types[index] ?? 'text']), decode, encode: values }
  },
}

/** The columns in which objects are stored. */
export interface RecordOf<T> {
  readonly names: readonly string[]
  readonly types: readonly CastType[]
  /** The columns of a table or its alias, separated by commas. */
  readonly columnsOf: (alias: string) => string
  /** The columns, separated by commas. */
  readonly columns: string
  /** Decodes a row of the columns. */
  readonly decode: (row: Row) => T
  /** The values of the columns. */
  readonly values: (value: T) => Stored[]
  /** Parameters for the values, separated by commas. */
  readonly parameters: (first: number) => string
  /** As `parameters`, with the type of each, where PostgreSQL cannot know it. */
  readonly casts: (first: number) => string
}

/**
 * Stores objects in the columns that have the names of their properties, written as `created_at`. Rows are decoded and values encoded in
 * one order, which is that of the fields.
 */
export function recordOf<T extends object>(properties: FieldsOf<T>, prefix = ''): RecordOf<T> {
  const entries = Object.entries(properties) as [keyof T & string, Field<unknown>][]
  const named = entries.map(([property, field]) => {
    const name = prefix + property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return { property, name, field }
  })
  const columns = named.flatMap(({ name, field }) => field.columns(name))
  const names = columns.map(([name]) => name)
  const types = columns.map(([, type]) => type)
  return {
    names,
    types,
    columns: names.join(', '),
    columnsOf: (alias) => names.map((name) => `${alias}.${name}`).join(', '),
    decode(row) {
      const decoded: Record<string, unknown> = {}
      for (const { property, name, field } of named) decoded[property] = field.decode(row, name)
      return decoded as T
    },
    values: (value) => named.flatMap(({ property, field }) => field.encode(value[property])),
    parameters: (first) => names.map((_, index) => `$${first + index}`).join(', '),
    casts: (first) => types.map((type, index) => `cast($${first + index} as ${type})`).join(', '),
  }
}
