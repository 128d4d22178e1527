import type { ListedByName, NamePart } from '../../directory/store.ts'
import type { Row } from '../row.ts'
import type { Statement } from './database.ts'

/** The statements that read a list in one order of its names: behind a place, or from an offset. */
interface OrderedPages {
  readonly after: string
  readonly fromOffset: string
}

/** A list in the order of its names, forwards and backwards. */
export interface NamedPages {
  readonly ascending: OrderedPages
  readonly descending: OrderedPages
}

/**
 * The pages of a directory's users or groups in the order of their folded names. The name at an offset is found in the
 * index alone, where every user has another; groups of the same name are told apart by their rows.
 */
export function namedPages(table: 'users' | 'groups', alias: 'u' | 'g', columns: string): NamedPages {
  const column = table === 'users' ? 'user_name_folded' : 'name_folded'
  const name = `${alias}.${column}`
  const list = `select ${columns}, ${name} as name from ${table} ${alias} where ${alias}.directory_id = $1`
  const inOrder = (order: 'asc' | 'desc', behind: '>' | '<'): OrderedPages => {
    const ordered = `order by ${name} ${order}, ${alias}.sequence`
    const skipped = `(select n.${column} from ${table} n where n.directory_id = $1
      order by n.${column} ${order} limit 1 offset $2)`
    const fromOffset =
      table === 'users'
        ? `${list} and ${name} ${behind}= ${skipped} ${ordered} limit $3`
        : `${list} ${ordered} offset $2 limit $3`
    const isBehind = `${name} ${behind}= $2 and (${name} ${behind} $2 or ${alias}.sequence > $3)`
    return { after: `${list} and ${isBehind} ${ordered} limit $4`, fromOffset }
  }
  return { ascending: inOrder('asc', '>'), descending: inOrder('desc', '<') }
}

/** The statement for a part of the list. */
export function namePart(pages: NamedPages, directoryId: string, { from, limit, isDescending }: NamePart): Statement {
  const { after, fromOffset } = isDescending ? pages.descending : pages.ascending
  return typeof from === 'number'
    ? { text: fromOffset, values: [directoryId, from, limit] }
    : { text: after, values: [directoryId, from.name, from.sequence, limit] }
}

/** Rows as items with their places. */
export function listedByName<R, T>(rows: readonly Row[], itemOf: (row: R) => T): ListedByName<T>[] {
  return rows.map((row) => {
    const { id, sequence, name } = row as { id: string; sequence: number; name: string }
    return { position: { sequence, id, name }, item: itemOf(row as unknown as R) }
  })
}
