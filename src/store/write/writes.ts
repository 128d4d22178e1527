import type { ChangeBehavior } from '../../directory/behaviors.ts'
import type { Statement } from '../sql-database.ts'
import type { DirectoryNumber } from './numbers.ts'
import type { AnyTable, Columns, ColumnType, Table } from './tables.ts'

/** A value of a row. */
export type Value = string | number | DirectoryNumber | null

type ValueOf<T extends ColumnType> = T extends 'text' ? string | null : number | DirectoryNumber | null

/** A row of a table, or some of its columns. */
export type RowOf<C extends Columns> = { readonly [Name in keyof C]?: ValueOf<C[Name]> }

/**
 * The ways in which a row is written:
 *
 * - `insert`: it is new
 * - `keep`: inserted unless it is there
 * - `put`: inserted, or written over the one with its key
 * - `add`: the columns that are not its key are added to those of the one with its key
 * - `subtract`: likewise; a row of which nothing is left is deleted
 * - `update`: columns of the one with its key are set
 * - `remove`: the one with its key is deleted, or all whose keys begin with these columns
 */
export type WriteKind = 'insert' | 'keep' | 'put' | 'add' | 'subtract' | 'update' | 'remove'

/** What rows have in common that the same statement writes. */
export interface WriteShape {
  readonly table: AnyTable
  readonly kind: WriteKind
  /** The columns by which a row is found: the key of the table, and further ones that must be as expected. */
  readonly key: readonly string[]
  readonly columns: readonly string[]
}

/** Rows of one shape. */
export interface TableWrite extends WriteShape {
  readonly rows: Readonly<Record<string, Value>>[]
}

/** All shapes that occurred: engines find what they prepared for a shape by the object. */
const shapes = new Map<AnyTable, readonly WriteShape[]>()

/** The shape of a row: the same object for rows of the same shape. */
export function shapeOf(
  kind: WriteKind,
  table: AnyTable,
  key: readonly string[],
  row: Readonly<Record<string, unknown>>,
): WriteShape {
  const known = shapes.get(table) ?? []
  const found = known.find((shape) => shape.kind === kind && shape.key.length === key.length && hasColumns(row, shape))
  if (found !== undefined) return found
  const shape = { table, kind, key, columns: Object.keys(row) }
  shapes.set(table, [...known, shape])
  return shape
}

function hasColumns(row: Readonly<Record<string, unknown>>, { columns }: WriteShape): boolean {
  let index = 0
  for (const column in row) {
    if (column !== columns[index]) return false
    index += 1
  }
  return index === columns.length
}

/** The changes of the state of a directory. */
export interface StateChange {
  /** The number of events of the commit; negative when it removes the last ones, which are discarded. */
  events: number
  activeUsers: number
  memberships: number
  /** The number of events that are not kept, or no longer: their numbers are used for rows only. */
  discardedEvents: number
  /** The time of the last event that reports a change by the identity provider; Unix milliseconds. */
  changedAt: number | undefined
  /** When the behaviors of the identity provider were last shown. */
  readonly behaviors: Map<ChangeBehavior, number>
}

/** No change of the state. */
export function noChange(): StateChange {
  const counters = { events: 0, activeUsers: 0, memberships: 0, discardedEvents: 0 }
  return { ...counters, changedAt: undefined, behaviors: new Map() }
}

/** What a commit writes: rows by table, the state of the directory, and statements that follow, for what is rare. */
export interface Writes {
  readonly tables: ReadonlyMap<WriteShape, TableWrite>
  readonly state: StateChange
  readonly statements: readonly Statement[]
}

/** Collects what a commit writes. No row may be named twice. */
export class WriteCollection implements Writes {
  readonly tables = new Map<WriteShape, TableWrite>()
  readonly state = noChange()
  readonly statements: Statement[] = []

  write<C extends Columns>(kind: Exclude<WriteKind, 'update'>, table: Table<C>, row: RowOf<C>): void {
    this.collect(kind, table, table.key, row)
  }

  /** Deletes the rows whose keys begin with these columns. */
  removeAll<C extends Columns>(table: Table<C>, row: RowOf<C>): void {
    this.collect('remove', table, Object.keys(row), row)
  }

  /**
   * Sets columns of a stored row.
   *
   * @param expected further columns of the row, which must have these values
   */
  update<C extends Columns>(table: Table<C>, key: RowOf<C>, set: RowOf<C>, expected: RowOf<C> = {}): void {
    const prefixed = Object.fromEntries(Object.entries(expected).map(([name, value]) => [`expected ${name}`, value]))
    this.collect('update', table, [...table.key, ...Object.keys(prefixed)], { ...key, ...set, ...prefixed })
  }

  /** Runs a statement after the rows are written. */
  run(...statements: readonly Statement[]): void {
    this.statements.push(...statements)
  }

  private collect(
    kind: WriteKind,
    table: AnyTable,
    key: readonly string[],
    row: Readonly<Record<string, unknown>>,
  ): void {
    const shape = shapeOf(kind, table, key, row)
    const found = this.tables.get(shape) ?? { ...shape, rows: [] }
    found.rows.push(row as Readonly<Record<string, Value>>)
    this.tables.set(shape, found)
  }
}
