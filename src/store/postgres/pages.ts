import type { Listed, ListPart } from '../../directory/store.ts'
import { listStart } from '../../directory/store.ts'
import type { Row } from '../row.ts'
import type { Statement } from './database.ts'
import { bucketAt } from './list-counts.ts'

/** The statements that read a part of a list: behind a place, or from an offset. Their last parameter is the limit. */
export interface Pages {
  readonly after: string
  readonly fromOffset: string
}

/**
 * The pages of a directory's users or groups, whose sequence numbers are unique. Rows that an offset skips are skipped in
 * the index, without being read.
 */
export function resourcePages(table: 'users' | 'groups', alias: 'u' | 'g', columns: string): Pages {
  const list = `select ${columns} from ${table} ${alias} where ${alias}.directory_id = $1 and`
  return {
    after: `${list} (${alias}.sequence, ${alias}.id) > ($2, $3) order by ${alias}.sequence limit $4`,
    fromOffset: `
      with place as materialized (${bucketAt(`'${table}'`, '$2::int8')}),
      first as materialized (
        select sequence from ${table} where directory_id = $1 and sequence >= (select sequence from place)
        order by sequence limit 1 offset $2::int8 - (select before from place)
      )
      ${list} ${alias}.sequence >= (select sequence from first) order by ${alias}.sequence limit $3`,
  }
}

const members = `
  select m.member_id as id, m.sequence, m.member_type, coalesce(u.display_name, g.name) as display
  from page m
  left join users u on u.directory_id = $1 and u.id = m.member_id
  left join groups g on g.directory_id = $1 and g.id = m.member_id and m.member_type = 'Group'
  order by m.sequence, m.member_id`

const memberRows = 'select member_id, member_type, sequence from members where directory_id = $1 and group_id = $2'

/** The pages of a group's members; the second parameter is the group's id. */
export const memberPages: Pages = {
  after: `
    with page as materialized (
      ${memberRows} and (sequence, member_id) > ($3, $4) order by sequence, member_id limit $5
    ) ${members}`,
  fromOffset: `
    with place as materialized (${bucketAt('$2', '$3::int8')}),
    page as materialized (
      ${memberRows} and sequence >= (select sequence from place)
      order by sequence, member_id limit $4 offset $3::int8 - (select before from place)
    ) ${members}`,
}

/** The statement for a part of a list, which is named by the first values. */
export function listPart(pages: Pages, values: readonly string[], { from, limit }: ListPart): Statement {
  if (typeof from === 'number' && from > 0) return { text: pages.fromOffset, values: [...values, from, limit] }
  const { sequence, id } = typeof from === 'number' ? listStart : from
  return { text: pages.after, values: [...values, sequence, id, limit] }
}

/** Rows as items with their places. */
export function listed<R, T>(rows: readonly Row[], itemOf: (row: R) => T): Listed<T>[] {
  return rows.map((row) => {
    const { id, sequence } = row as { id: string; sequence: number }
    return { position: { sequence, id }, item: itemOf(row as unknown as R) }
  })
}
