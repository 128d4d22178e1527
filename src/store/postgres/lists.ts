import type { ListChoice, ListPart } from '../../directory/list.ts'
import { listStart } from '../../directory/list.ts'
import type { Statement } from './database.ts'
import { bucketAt } from './list-counts.ts'
import { indexed } from './sql.ts'

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

/**
 * The list of a directory's users or groups, whose sequence numbers are unique. Rows that an offset skips are skipped in
 * the index, without being read.
 */
export function listInOrder({ table, alias, columns }: ListTable): ListStatements {
  const list = `
    select ${columns} from ${table} ${alias} where ${alias}.directory_id = $1${indexed(alias, 'sequence')} and`
  return {
    after: `
      ${list} (${alias}.sequence, ${alias}.id) > ($2, $3)
      order by ${alias}.sequence limit $4`,
    fromOffset: `
      with bucket as materialized (${bucketAt(`'${table}'`, '$2::int8')}),
      first as materialized (
        select f.sequence from ${table} f where f.directory_id = $1${indexed('f', 'sequence')} and f.sequence >= (select sequence from bucket)
        order by f.sequence limit 1 offset $2::int8 - (select before from bucket)
      )
      ${list} ${alias}.sequence >= (select sequence from first) order by ${alias}.sequence limit $3`,
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
function listByUpdate({ table, alias, columns }: ListTable): string {
  const [directory, position] = [`(${alias}.directory_id || '')`, `${alias}.updated_at, ${alias}.sequence`]
  return `
    select ${columns}, ${alias}.updated_at as changed_at from ${table} ${alias}
    where ${alias}.directory_id = $1 and ${directory} = $1 and (${position}) > ($2, $3)
    order by ${directory}, ${position} limit $4`
}

/**
 * The list of a directory's users or groups in the order of their folded names. As no two users have the same name, the
 * name at an offset is found in the index alone; groups may share a name, and their rows are skipped one by one.
 */
function listByName({ table, alias, columns }: ListTable): Record<'name' | 'name-descending', ListStatements> {
  const column = table === 'users' ? 'user_name_folded' : 'name_folded'
  const name = `${alias}.${column}`
  const list = `select ${columns}, ${name} as folded_name from ${table} ${alias}
    where ${alias}.directory_id = $1${indexed(alias, column)}`
  const statements = (order: 'asc' | 'desc', operator: '>' | '<'): ListStatements => {
    const ordered = `order by ${name} ${order}, ${alias}.sequence`
    const nameAtOffset = `(select n.${column} from ${table} n where n.directory_id = $1${indexed('n', column)}
      order by n.${column} ${order} limit 1 offset $2)`
    const fromOffset =
      table === 'users'
        ? `${list} and ${name} ${operator}= ${nameAtOffset} ${ordered} limit $3`
        : `${list} ${ordered} offset $2 limit $3`
    const isAfter = `${name} ${operator}= $2 and (${name} ${operator} $2 or ${alias}.sequence > $3)`
    return { after: `${list} and ${isAfter} ${ordered} limit $4`, fromOffset }
  }
  return { name: statements('asc', '>'), 'name-descending': statements('desc', '<') }
}

/** Makes the statements for parts of a directory's users or groups in any order. */
export function listInAnyOrder(table: ListTable) {
  const [inOrder, byName, byUpdate] = [listInOrder(table), listByName(table), listByUpdate(table)]
  return (directoryId: string, { from, limit, order }: ListPart & Pick<ListChoice, 'order'>): Statement => {
    if (order === undefined) return listPart(inOrder, [directoryId], { from, limit })
    const { name = '', updatedAt = 0, sequence } = typeof from === 'number' ? listStart : from
    if (order === 'updated') return { text: byUpdate, values: [directoryId, updatedAt, sequence, limit] }
    const { after, fromOffset } = byName[order]
    return typeof from === 'number'
      ? { text: fromOffset, values: [directoryId, from, limit] }
      : { text: after, values: [directoryId, name, sequence, limit] }
  }
}
