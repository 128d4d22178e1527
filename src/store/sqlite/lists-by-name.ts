import type { DatabaseSync } from 'node:sqlite'
import type { ListedByName, NamePart } from '../../directory/store.ts'

/** A list that has an index over the folded names. */
export interface NamedList<R, T> {
  readonly table: 'users u' | 'groups g'
  readonly columns: string
  readonly name: 'u.user_name_folded' | 'g.name_folded'
  readonly itemOf: (row: R) => T
}

interface Row {
  readonly id: string
  readonly sequence: number
  readonly name: string
}

/** Reads a list in the order of names; rows of the same name in creation order, which is that of their places. */
export function listByName<R, T>(db: DatabaseSync, { table, columns, name, itemOf }: NamedList<R, T>) {
  const alias = table.slice(-1)
  const prepare = (behind: string, order: string, offset: string) =>
    db.prepare(`
      select ${columns}, ${name} as name from ${table} where ${alias}.directory_id = ?1 ${behind}
      order by ${name} ${order}, ${alias}.row_key limit ?2 ${offset}`)
  const inOrder = (order: 'asc' | 'desc', behind: '>' | '<') => ({
    after: prepare(`and ${name} ${behind}= ?3 and (${name} ${behind} ?3 or ${alias}.sequence > ?4)`, order, ''),
    fromOffset: prepare('', order, 'offset ?3'),
  })
  const [ascending, descending] = [inOrder('asc', '>'), inOrder('desc', '<')]
  return (directoryId: string, { from, limit, isDescending }: NamePart): ListedByName<T>[] => {
    const { after, fromOffset } = isDescending ? descending : ascending
    const rows =
      typeof from === 'number'
        ? fromOffset.all(directoryId, limit, from)
        : after.all(directoryId, limit, from.name, from.sequence)
    return (rows as unknown as (R & Row)[]).map((row) => ({
      position: { sequence: row.sequence, id: row.id, name: row.name },
      item: itemOf(row),
    }))
  }
}
