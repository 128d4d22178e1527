import type { UserEquality } from '../../directory/directory-store.ts'
import type { ListPart } from '../../directory/list.ts'
import type { Conditions } from '../lookup-conditions.ts'
import { groupConditions, userConditions } from '../lookup-conditions.ts'
import type { Statement } from './database.ts'
import type { ListTable } from './lists.ts'
import { membersInGroup, namedMember } from './members.ts'
import { indexed, numberParameters, oneRow, rowBy, rowsWith } from './sql.ts'

/** The userName has no row among the addresses, also where it is one: see `effects/users.ts`. */
const byEmailOr = (condition: string) => `
  select e.user_id from user_emails e where e.directory_id = $1 and e.email = ?
  union
  select n.id from (${oneRow('users', 'i', 'user_name_folded', '?', 'i.id, i.email, i.user_name, i.name_is_email')}) n
  where ${condition}`
const byEmail = byEmailOr('n.name_is_email = 1')
const byAnyEmail = byEmailOr('(n.name_is_email = 1 or n.email = n.user_name)')

/** Rows are compared, which only the index of these columns answers: see `oneRow`. */
const byExternalId = (table: ListTable['table']) => `
    select i.id from ${table} i
    where i.directory_id = $1 and (i.external_id, i.directory_id) between (?, $1) and (?, $1) and i.external_id is not null
    order by i.external_id, i.directory_id limit (select 1000000000)`

/** The ids that an equality finds by its index; every plain `?` is the compared value. The first are the most selective. */
const idsBy: Readonly<Record<ListTable['table'], ReadonlyMap<string, string>>> = {
  users: new Map([
    ['id', 'select ?::text'],
    ['userName', oneRow('users', 'i', 'user_name_folded', '?', 'i.id')],
    ['externalId', byExternalId('users')],
    ['emails', byEmail],
    ['email', byAnyEmail],
  ]),
  groups: new Map([
    ['id', 'select ?::text'],
    ['externalId', byExternalId('groups')],
    ['displayName', rowsWith('groups', 'i', 'name_folded', '?', 'i.id')],
    ['members', rowsWith('members', 'i', 'member_id', '?', 'i.group_id')],
  ]),
}

/** A condition on one membership, as a value: the planner makes a join of `exists` and of `in`. */
const isMember = (groupId: string, memberId: string) => `(${namedMember('1', groupId, memberId)}) = 1`

const conditionsOf = {
  users: userConditions({
    byEmail: `u.id in (${byEmail})`,
    byAnyEmail: `u.id in (${byAnyEmail})`,
    ofGroup: isMember('?', 'u.id'),
  }),
  groups: groupConditions(isMember('g.id', '?')),
}

/** A search for rows: `from` and `where` of a statement whose plain `?` take the values. */
interface Search {
  readonly sql: string
  readonly values: readonly string[]
  readonly isFew: boolean
  /** Lookups with many conditions are rare, and their combinations are too many to prepare each of them. */
  readonly isRare: boolean
}

const maxPreparedLength = 250

/**
 * A search that can find only a few rows finds them first by the index of one equality, and checks the other conditions on
 * them: otherwise the planner now and then reads the whole directory to find one.
 */
function searchFor({ table, alias }: ListTable, equalities: readonly UserEquality[]): Search {
  const all = conditionsOf[table](equalities)
  const isRare = all.sql.length > maxPreparedLength
  const isFew = all.reach === 'one' || all.reach === 'few'
  for (const [attribute, ids] of isFew ? idsBy[table] : []) {
    const equality = equalities.find((one) => one.attribute === attribute)
    if (equality === undefined) continue
    const [value = ''] = conditionsOf[table]([equality]).values
    const others: Conditions = conditionsOf[table](equalities.filter((one) => one !== equality))
    return {
      sql: `from (${ids}) k (id) ${rowBy(table, alias, 'id', 'k.id')} where true${others.sql}`,
      values: [...ids.matchAll(/\?/g)].map(() => value).concat(others.values),
      isFew,
      isRare,
    }
  }
  return { sql: `from ${table} ${alias} where ${alias}.directory_id = $1${all.sql}`, values: all.values, isFew, isRare }
}

/** A part of the rows that meet the equalities. */
export function findStatement(
  table: ListTable,
  directoryId: string,
  equalities: readonly UserEquality[],
  part: ListPart,
): Statement {
  const { sql, values: compared, isFew, isRare } = searchFor(table, equalities)
  const { alias, columns } = table
  const text = `
    with ${alias} as ${isFew ? '' : 'not '}materialized (select ${alias}.* ${numberParameters(sql, 5)})
    select ${columns} from ${alias} where ${alias}.sequence > $2${indexed(alias, 'sequence')} order by ${alias}.sequence limit $3 offset $4`
  const [after, offset] = typeof part.from === 'number' ? [0, part.from] : [part.from.sequence, 0]
  return { text, values: [directoryId, after, part.limit, offset, ...compared], isRare }
}

const membersOfGroup = `
  select count(*) as n from (${membersInGroup('$2', 'm.member_id', '(select 1000000000)')}) k
  ${rowBy('users', 'u', 'id', 'k.member_id')}`

/** Counts the rows that meet the equalities, as `n`. */
export function countStatement(table: ListTable, directoryId: string, equalities: readonly UserEquality[]): Statement {
  const [first, second] = equalities
  if (first?.attribute === 'groups' && second === undefined)
    return { text: membersOfGroup, values: [directoryId, first.value] }
  const { sql, values, isRare } = searchFor(table, equalities)
  return { text: `select count(*) as n ${numberParameters(sql, 2)}`, values: [directoryId, ...values], isRare }
}
