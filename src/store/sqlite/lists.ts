import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { UpdatePart } from '../../directory/directory-store.ts'
import type { ListPart, ListPosition, ListRow, NameListRow, NamePart } from '../../directory/list.ts'
import type { ListName } from '../lists.ts'
import { decodeListRow, decodeNameListRow } from '../lists.ts'
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

/** Reads parts of a list in creation order. */
export function createList<T>(db: DatabaseSync, counts: ListCounts, { table, columns, decode }: ListTable<T>) {
  const [list, alias] = table === 'users u' ? (['users', 'u'] as const) : (['groups', 'g'] as const)
  const inOrder = db.prepare(`
    select ${columns} from ${table} where ${rowKeysAfter(`${alias}.row_key`, '?2')}
    order by ${alias}.row_key limit ?3 offset ?4`)
  return (directoryId: string, { from, limit }: ListPart): ListRow<T>[] => {
    const start = startOf(counts, directoryId, list, from)
    if (start === undefined) return []
    return inOrder.all(directoryId, start.sequence, limit, start.skip).map((row) => decodeListRow(row, decode))
  }
}

/** Reads parts of a list in the order of the last changes. */
export function createListByUpdate<T>(
  db: DatabaseSync,
  { table, columns, decode }: ListTable<T>,
): (directoryId: string, part: UpdatePart) => ListRow<T>[] {
  const [alias, index] = table === 'users u' ? ['u', 'users_by_update'] : ['g', 'groups_by_update']
  const updated = db.prepare(`
    select ${columns} from ${table} indexed by ${index}
    where ${alias}.directory_id = ? and (${alias}.updated_at, ${alias}.sequence) > (?, ?)
    order by ${alias}.updated_at, ${alias}.sequence limit ?`)
  return (directoryId, { after, limit }) =>
    updated.all(directoryId, after.updatedAt, after.sequence, limit).map((row) => decodeListRow(row, decode))
}

/** Reads parts of a list in the order of folded names; rows of the same name in creation order. */
export function createListByName<T>(
  db: DatabaseSync,
  { table, columns, decode }: ListTable<T>,
): (directoryId: string, part: NamePart) => NameListRow<T>[] {
  const [alias, name] = table === 'users u' ? ['u', 'u.user_name_folded'] : ['g', 'g.name_folded']
  const prepare = (condition: string, order: string, offset: string): StatementSync =>
    db.prepare(`
      select ${columns}, ${name} as folded_name from ${table} where ${alias}.directory_id = ?1 ${condition}
      order by ${name} ${order}, ${alias}.row_key limit ?2 ${offset}`)
  const statements = (order: 'asc' | 'desc', operator: '>' | '<') => ({
    after: prepare(`and ${name} ${operator}= ?3 and (${name} ${operator} ?3 or ${alias}.sequence > ?4)`, order, ''),
    fromOffset: prepare('', order, 'offset ?3'),
  })
  const [ascending, descending] = [statements('asc', '>'), statements('desc', '<')]
  return (directoryId, { from, limit, isDescending }) => {
    const { after, fromOffset } = isDescending ? descending : ascending
    const rows =
      typeof from === 'number'
        ? fromOffset.all(directoryId, limit, from)
        : after.all(directoryId, limit, from.name, from.sequence)
    return rows.map((row) => decodeNameListRow(row, decode))
  }
}
