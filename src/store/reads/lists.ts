import type { InDirectory } from '../../directory/directory-store.ts'
import type { ListChoice, ListPart, ListRow } from '../../directory/list.ts'
import { listStart } from '../../directory/list.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import type { Dialect, Statement } from '../sql-database.ts'

/**
 * Lists are in the order of the events that created their rows, and these sequence numbers have gaps. To find the row at
 * an offset without walking there, each list counts its rows per bucket of sequence numbers: the rows before an offset are
 * the sum of a few counts and a walk within one bucket, whatever the length of the list.
 */
export const bucketSize = 1024

/** The list of a directory's users or groups; the list of a group's members has the id of the group as its name. */
export type ListName = 'users' | 'groups' | (string & {})

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

/** A part of a list of users or groups, and its order. */
type OrderedPart = ListPart & Pick<ListChoice, 'order'>

/** Makes the statements for parts of a directory's users or groups in any order. */
export function listStatements(dialect: Dialect, table: ListTable) {
  const inOrder = listInOrder(dialect, table)
  const byName = listByName(dialect, table)
  const byUpdate = { updated: listByUpdate(dialect, table, 'asc'), changed: listByUpdate(dialect, table, 'desc') }
  return (directoryId: string, { from, limit, order }: OrderedPart): Statement => {
    const { name = '', updatedAt, sequence } = typeof from === 'number' ? listStart : from
    if (order === 'updated' || order === 'changed') {
      const first = order === 'updated' ? 0 : Number.MAX_SAFE_INTEGER
      return { text: byUpdate[order], values: [directoryId, updatedAt ?? first, sequence, limit] }
    }
    if (order === undefined && from === 0) return { text: inOrder.after, values: [directoryId, 0, limit] }
    const { after, fromOffset } = order === undefined ? inOrder : byName[order]
    if (typeof from === 'number') return { text: fromOffset, values: [directoryId, from, limit] }
    return { text: after, values: [directoryId, ...(order === undefined ? [sequence] : [name, sequence]), limit] }
  }
}

/** The list in creation order. Rows that an offset skips are skipped in the index, without being read. */
function listInOrder({ indexed }: Dialect, { table, alias, columns }: ListTable): ListStatements {
  const list = `select ${columns} from ${table} ${alias} where ${alias}.directory_id = $1${indexed(alias, 'sequence')}`
  return {
    after: `${list} and ${alias}.sequence > $2 order by ${alias}.sequence limit $3`,
    fromOffset: `
      with bucket as materialized (${bucketAt(`'${table}'`, '$2')}),
      first as materialized (
        select f.sequence from ${table} f
        where f.directory_id = $1${indexed('f', 'sequence')} and f.sequence >= (select sequence from bucket)
        order by f.sequence limit 1 offset coalesce((select skipped from bucket), 0)
      )
      ${list} and ${alias}.sequence >= (select sequence from first) order by ${alias}.sequence limit $3`,
  }
}

/** The list in the order of the last changes. */
function listByUpdate(
  { apart, indexedBy }: Dialect,
  { table, alias, columns }: ListTable,
  order: 'asc' | 'desc',
): string {
  const [directory, position] = [apart(`${alias}.directory_id`), [`${alias}.updated_at`, `${alias}.sequence`]]
  return `
    select ${columns}, ${alias}.updated_at as changed_at from ${table} ${alias} ${indexedBy(`${table}_by_update`)}
    where ${alias}.directory_id = $1 and ${directory} = $1 and (${position}) ${order === 'asc' ? '>' : '<'} ($2, $3)
    order by ${[directory, ...position].map((column) => `${column} ${order}`)} limit $4`
}

/**
 * The list in the order of the folded names. As no two users have the same name, the name at an offset is found in the index
 * alone; groups may share a name, and their rows are skipped one by one.
 */
function listByName(
  { indexed }: Dialect,
  { table, alias, columns }: ListTable,
): Record<'name' | 'name-descending', ListStatements> {
  const column = table === 'users' ? 'user_name_folded' : 'name_folded'
  const name = `${alias}.${column}`
  const list = `
    select ${columns}, ${name} as folded_name from ${table} ${alias}
    where ${alias}.directory_id = $1${indexed(alias, column)}`
  const statements = (order: 'asc' | 'desc', operator: '>' | '<'): ListStatements => {
    const ordered = `order by ${name} ${order}, ${alias}.sequence`
    const nameAtOffset = `(select n.${column} from ${table} n where n.directory_id = $1${indexed('n', column)}
      order by n.${column} ${order} limit 1 offset $2)`
    return {
      after: `${list} and ${name} ${operator}= $2 and (${name} ${operator} $2 or ${alias}.sequence > $3) ${ordered} limit $4`,
      fromOffset:
        table === 'users'
          ? `${list} and ${name} ${operator}= ${nameAtOffset} ${ordered} limit $3`
          : `${list} ${ordered} limit $3 offset $2`,
    }
  }
  return { name: statements('asc', '>'), 'name-descending': statements('desc', '<') }
}

/**
 * A query for the bucket that contains the row at an offset: its first sequence number (`sequence`), and the number of its rows
 * before that row (`skipped`).
 */
export function bucketAt(list: string, offset: string): string {
  return `
    select bucket * ${bucketSize} as sequence, cast(${offset} as bigint) - before as skipped from (
      select bucket, resources,
        sum(cast(resources as integer)) over (order by bucket rows unbounded preceding) - resources as before
      from list_counts where directory_id = $1 and list_name = ${list}
    ) c
    where before <= cast(${offset} as bigint) and before + resources > cast(${offset} as bigint)`
}

/** Counts the rows of a list, as `n`. */
export function total(directoryId: string, list: ListName): Statement {
  return { text: countOfList('$2'), values: [directoryId, list] }
}

/** The query for the number of rows of a list, as `n`. */
export function countOfList(list: string): string {
  return `
    select coalesce(sum(cast(resources as integer)), 0) as n from list_counts
    where directory_id = $1 and list_name = ${list}`
}

/** The number that a statement selects as `n`; 0 without a row. */
export function numberIn([row]: readonly Row[]): number {
  return row === undefined ? 0 : integer(row, 'n')
}

/**
 * Decodes a row with its position in the list: the columns `sequence` and `id` and, in lists in these orders, the name as
 * `folded_name` or the time of the last change as `changed_at`.
 */
export function decodeListRow<T>(row: Row, decode: (row: Row) => T): ListRow<T> {
  const [position, item] = [{ sequence: integer(row, 'sequence'), id: text(row, 'id') }, decode(row)]
  if ('folded_name' in row) return { position: { ...position, name: text(row, 'folded_name') }, item }
  if ('changed_at' in row) return { position: { ...position, updatedAt: integer(row, 'changed_at') }, item }
  return { position, item }
}

/** Decodes a row with the columns `directory_id` and `directory_created_at`. */
export function decodeInDirectory<T>(row: Row, decode: (row: Row) => T): InDirectory<T> {
  const directory = { id: text(row, 'directory_id'), createdAt: integer(row, 'directory_created_at') }
  return { directory, found: decode(row) }
}
