import type { ListPart } from '../../directory/store.ts'
import type { Conditions } from '../lookup-conditions.ts'
import { groupColumns, shownUserColumns } from '../resource-rows.ts'
import type { Statement } from './database.ts'
import { groupsOf } from './single-reads.ts'
import { numberParameters } from './sql.ts'

/** What is looked for. */
export interface Found {
  readonly columns: string
  readonly from: string
  readonly alias: 'u' | 'g'
}

export const foundUsers: Found = {
  columns: `${shownUserColumns}, (${groupsOf('u.id')}) as groups`,
  from: 'users u',
  alias: 'u',
}
export const foundGroups: Found = { columns: groupColumns, from: 'groups g', alias: 'g' }

/** Look-ups of many conditions are rare, and there are very many of them. */
function isRare(sql: string): boolean {
  return sql.length > 250
}

/**
 * The look-up of a part. Where few can be found they are found first, then ordered: the planner would otherwise now and
 * then walk the whole list to find the first.
 */
export function find(
  { columns, from, alias }: Found,
  directoryId: string,
  conditions: Conditions,
  part: ListPart,
): Statement {
  const isFew = conditions.reach === 'one' || conditions.reach === 'few'
  const where = `${alias}.directory_id = $1${numberParameters(conditions.sql, 5)}`
  const text = `
    with ${alias} as ${isFew ? '' : 'not '}materialized (select * from ${from} where ${where})
    select ${columns} from ${alias} where ${alias}.sequence > $2 order by ${alias}.sequence limit $3 offset $4`
  const [after, offset] = typeof part.from === 'number' ? [0, part.from] : [part.from.sequence, 0]
  const values = [directoryId, after, part.limit, offset, ...conditions.values]
  return { text, values, isRare: isRare(conditions.sql) }
}

/** How many there are. */
export function count({ from, alias }: Found, directoryId: string, { sql, values }: Conditions): Statement {
  const text = `select count(*) as n from ${from} where ${alias}.directory_id = $1${numberParameters(sql, 2)}`
  return { text, values: [directoryId, ...values], isRare: isRare(sql) }
}
