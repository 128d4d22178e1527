import type { UpdatePart } from '../../directory/directory-store.ts'
import type { ListPart, NamePart } from '../../directory/list.ts'
import { listStart } from '../../directory/list.ts'
import type { Statement } from './database.ts'
import { bucketAt } from './list-counts.ts'

/** The statements that read a part of a list: after a position or from an offset. Their last parameter is the limit. */
export interface ListStatements {
  readonly after: string
  readonly fromOffset: string
}

/** A table that is read as a list. */
export interface ListTable {
  readonly table: 'users' | 'groups'
  readonly alias: 'u' | 'g'
  readonly columns: string
}

/** The place of a list: in the directory whose id is an expression. */
export interface ListPlace {
  readonly directory: string
  /** The common table expressions of that expression. */
  readonly tables: readonly string[]
  /** The columns of the directory that each row has as well: `directory_id` and `directory_created_at`, or none. */
  readonly columns: readonly string[]
  /** The number of parameters before those of the list. */
  readonly keys: number
}

/** The place of a list in the directory that is the first parameter. */
export const inDirectory: ListPlace = { directory: '$1', tables: [], columns: [], keys: 1 }

/** The list is in the directory that a query finds by its parameters, with the columns `directory_id` and `directory_created_at`. */
export function inScope(query: string, keys: number): ListPlace {
  const directory = '(select directory_id from scope)'
  return {
    directory,
    tables: [`scope as materialized (${query})`],
    columns: [`${directory} as directory_id`, '(select directory_created_at from scope) as directory_created_at'],
    keys,
  }
}

/** The `with` clause of a statement; empty without tables. */
export function withTables(...tables: readonly string[]): string {
  return tables.length === 0 ? '' : `with ${tables.join(', ')}`
}

/**
 * The list of a directory's users or groups, whose sequence numbers are unique. Rows that an offset skips are skipped in
 * the index, without being read.
 */
export function listInOrder({ table, alias, columns }: ListTable, place = inDirectory): ListStatements {
  const parameter = (number: number) => `$${place.keys + number}`
  const list = `
    select ${[...place.columns, columns].join(', ')} from ${table} ${alias} where ${alias}.directory_id = ${place.directory} and`
  const offset = `${parameter(1)}::int8`
  const bucket = `bucket as materialized (${bucketAt(`'${table}'`, offset, place.directory)})`
  const first = `first as materialized (
    select sequence from ${table} where directory_id = ${place.directory} and sequence >= (select sequence from bucket)
    order by sequence limit 1 offset ${offset} - (select before from bucket)
  )`
  return {
    after: `
      ${withTables(...place.tables)}
      ${list} (${alias}.sequence, ${alias}.id) > (${parameter(1)}, ${parameter(2)})
      order by ${alias}.sequence limit ${parameter(3)}`,
    fromOffset: `
      ${withTables(...place.tables, bucket, first)}
      ${list} ${alias}.sequence >= (select sequence from first) order by ${alias}.sequence limit ${parameter(2)}`,
  }
}

/** A part of a list in creation order. `keys` are the first parameters: the directory, then for members the group. */
export function listPart(
  { after, fromOffset }: ListStatements,
  keys: readonly (string | null)[],
  { from, limit }: ListPart,
): Statement {
  if (typeof from === 'number' && from > 0) return { text: fromOffset, values: [...keys, from, limit] }
  const { sequence, id } = typeof from === 'number' ? listStart : from
  return { text: after, values: [...keys, sequence, id, limit] }
}

/** The users or groups of a directory in the order of their last changes. */
export function listByUpdate({ table, alias, columns }: ListTable): string {
  const [directory, position] = [`(${alias}.directory_id || '')`, `${alias}.updated_at, ${alias}.sequence`]
  return `
    select ${columns} from ${table} ${alias}
    where ${alias}.directory_id = $1 and ${directory} = $1 and (${position}) > ($2, $3)
    order by ${directory}, ${position} limit $4`
}

/** A part of the list in the order of the last changes. */
export function updatePart(list: string, directoryId: string, { after, limit }: UpdatePart): Statement {
  return { text: list, values: [directoryId, after.updatedAt, after.sequence, limit] }
}

/** A list in the order of its names, in both directions. */
export interface NameListStatements {
  readonly ascending: ListStatements
  readonly descending: ListStatements
}

/**
 * The list of a directory's users or groups in the order of their folded names. As no two users have the same name, the
 * name at an offset is found in the index alone; groups may share a name, and their rows are skipped one by one.
 */
export function listByName({ table, alias, columns }: ListTable): NameListStatements {
  const column = table === 'users' ? 'user_name_folded' : 'name_folded'
  const name = `${alias}.${column}`
  const list = `select ${columns}, ${name} as folded_name from ${table} ${alias} where ${alias}.directory_id = $1`
  const statements = (order: 'asc' | 'desc', operator: '>' | '<'): ListStatements => {
    const ordered = `order by ${name} ${order}, ${alias}.sequence`
    const nameAtOffset = `(select n.${column} from ${table} n where n.directory_id = $1
      order by n.${column} ${order} limit 1 offset $2)`
    const fromOffset =
      table === 'users'
        ? `${list} and ${name} ${operator}= ${nameAtOffset} ${ordered} limit $3`
        : `${list} ${ordered} offset $2 limit $3`
    const isAfter = `${name} ${operator}= $2 and (${name} ${operator} $2 or ${alias}.sequence > $3)`
    return { after: `${list} and ${isAfter} ${ordered} limit $4`, fromOffset }
  }
  return { ascending: statements('asc', '>'), descending: statements('desc', '<') }
}

/** A part of a list in the order of names. */
export function namePart(
  { ascending, descending }: NameListStatements,
  directoryId: string,
  { from, limit, isDescending }: NamePart,
): Statement {
  const { after, fromOffset } = isDescending ? descending : ascending
  return typeof from === 'number'
    ? { text: fromOffset, values: [directoryId, from, limit] }
    : { text: after, values: [directoryId, from.name, from.sequence, limit] }
}
