import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ListChoice, ListPart, ListPosition, ListRow } from '../../directory/list.ts'
import { listStart } from '../../directory/list.ts'
import type { ListName } from '../lists.ts'
import { decodeListRow } from '../lists.ts'
import type { Row } from '../row.ts'
import type { ListCounts } from './list-counts.ts'
import { rowKeysAfter } from './row-key.ts'

/** The start of a read of a list: after a position, skipping some rows. */
export interface ListStart extends ListPosition {
  readonly skip: number
}

/** Turns an offset into a position near it; undefined when the list is shorter. */
export function startOf(
  counts: ListCounts,
  directoryId: string,
  list: ListName,
  from: ListPart['from'],
): ListStart | undefined {
  if (typeof from !== 'number') return { ...from, skip: 0 }
  const located = counts.locate(directoryId, list, from)
  return located === undefined ? undefined : { sequence: located.sequence - 1, id: '\u{10FFFF}', skip: located.skip }
}

/** A table that is read as a list. */
export interface ListTable<T> {
  readonly table: 'users u' | 'groups g'
  readonly columns: string
  readonly decode: (row: Row) => T
}

/** Reads parts of a list of users or groups in any order. */
export function createList<T>(db: DatabaseSync, counts: ListCounts, { table, columns, decode }: ListTable<T>) {
  const [list, alias, name, byUpdate] =
    table === 'users u'
      ? (['users', 'u', 'u.user_name_folded', 'users_by_update'] as const)
      : (['groups', 'g', 'g.name_folded', 'groups_by_update'] as const)
  const created = db.prepare(`
    select ${columns} from ${table} where ${rowKeysAfter(`${alias}.row_key`, '?2')}
    order by ${alias}.row_key limit ?3 offset ?4`)
  const updated = db.prepare(`
    select ${columns}, ${alias}.updated_at as changed_at from ${table} indexed by ${byUpdate}
    where ${alias}.directory_id = ? and (${alias}.updated_at, ${alias}.sequence) > (?, ?)
    order by ${alias}.updated_at, ${alias}.sequence limit ?`)
  const byName = (order: 'asc' | 'desc', operator: '>' | '<') => {
    const prepare = (condition: string, offset: string): StatementSync =>
      db.prepare(`
        select ${columns}, ${name} as folded_name from ${table} where ${alias}.directory_id = ?1 ${condition}
        order by ${name} ${order}, ${alias}.row_key limit ?2 ${offset}`)
    return {
      after: prepare(`and ${name} ${operator}= ?3 and (${name} ${operator} ?3 or ${alias}.sequence > ?4)`, ''),
      fromOffset: prepare('', 'offset ?3'),
    }
  }
  const named = { name: byName('asc', '>'), 'name-descending': byName('desc', '<') }

  return (directoryId: string, { from, limit, order }: ListPart & Pick<ListChoice, 'order'>): ListRow<T>[] =>
    rowsOf(directoryId, from, limit, order).map((row) => decodeListRow(row, decode))

  function rowsOf(directoryId: string, from: ListPart['from'], limit: number, order: ListChoice['order']): Row[] {
    if (order === undefined) {
      const start = startOf(counts, directoryId, list, from)
      return start === undefined ? [] : created.all(directoryId, start.sequence, limit, start.skip)
    }
    const { name = '', updatedAt = 0, sequence } = typeof from === 'number' ? listStart : from
    if (order === 'updated') return updated.all(directoryId, updatedAt, sequence, limit)
    const { after, fromOffset } = named[order]
    return typeof from === 'number'
      ? fromOffset.all(directoryId, limit, from)
      : after.all(directoryId, limit, name, sequence)
  }
}
