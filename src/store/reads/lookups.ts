import type { UserEquality } from '../../directory/directory-store.ts'
import type { ListPart } from '../../directory/list.ts'
import { fold } from '../../scim/fold.ts'
import type { Row } from '../row.ts'
import { integer } from '../row.ts'
import type { Dialect, SqlDatabase } from '../sql-database.ts'
import { noLimit } from '../sql-database.ts'
import type { ListTable } from './lists.ts'
import { numberIn } from './lists.ts'

/** The SQL of equalities on one attribute, with a plain `?` wherever the compared value is. */
interface Lookup {
  /** The condition on a row of the table. */
  readonly condition: string
  /** The query by which an index finds the ids of the rows; without one, they are most of the table. */
  readonly ids?: string | undefined
}

/** The lookups of a table by attribute, the most selective first. */
type Lookups = Readonly<Record<string, Lookup>>

const foldedAttributes: ReadonlySet<string> = new Set(['userName', 'emails', 'email', 'displayName'])

function lookupsOf(dialect: Dialect, table: ListTable['table']): Lookups {
  const { oneRow, rowsWith, equals, isVisible, presentGroup, indexed, indexedBy } = dialect
  /** Row values are compared, which only the index of these columns answers on PostgreSQL. */
  const externalIds = `
    select i.id from ${table} i ${indexedBy(`${table}_by_external_id`)}
    where i.directory_id = $1 and (i.external_id, i.directory_id) between (?, $1) and (?, $1) and i.external_id is not null
    order by i.external_id, i.directory_id limit ${noLimit}`
  /** The userName has no row among the addresses, also where it is one: see `effects/users.ts`. */
  const idsByEmail = (condition: string) => `
    select e.user_id as id from user_emails e where e.directory_id = $1 and e.email = ?
    union
    select named.id from (${oneRow('users', 'i', 'user_name_folded', '?', 'i.id, i.email, i.user_name, i.name_is_email')}) named
    where ${condition}`
  const [byEmail, byAnyEmail] = [
    'named.name_is_email = 1',
    '(named.name_is_email = 1 or named.email = named.user_name)',
  ].map(idsByEmail)
  /** A condition on one membership, as a value: the planner of PostgreSQL makes a join of `exists` and of `in`. */
  const isMember = (groupId: string, memberId: string) => `(
    select 1 from members m
    where m.directory_id = $1 and ${equals('m.group_id', groupId)} and ${equals('m.member_id', memberId)}${isVisible}
    order by m.group_id, m.member_id limit 1) = 1`
  const members = `
    select m.member_id as id from members m
    where m.directory_id = $1 and ${equals('m.group_id', presentGroup('?'))} and m.member_id > ''${isVisible}
    order by m.group_id, m.member_id limit ${noLimit}`
  const groupsOfMember = `
    select m.group_id as id from members m
    where m.directory_id = $1 and ${equals('m.member_id', '?')}${indexed('m', 'member_id')}${isVisible}
    order by m.member_id limit ${noLimit}`
  const byId = (alias: string): Lookup => ({ condition: `${alias}.id = ?`, ids: 'select cast(? as text) as id' })
  if (table === 'groups') {
    return {
      id: byId('g'),
      externalId: { condition: 'g.external_id = ?', ids: externalIds },
      displayName: { condition: 'g.name_folded = ?', ids: rowsWith('groups', 'i', 'name_folded', '?', 'i.id') },
      members: { condition: isMember('g.id', '?'), ids: groupsOfMember },
    }
  }
  return {
    id: byId('u'),
    userName: { condition: 'u.user_name_folded = ?', ids: oneRow('users', 'i', 'user_name_folded', '?', 'i.id') },
    accountId: { condition: 'u.account_id = ?', ids: oneRow('users', 'i', 'account_id', '?', 'i.id') },
    externalId: { condition: 'u.external_id = ?', ids: externalIds },
    emails: { condition: `u.id in (${byEmail})`, ids: byEmail },
    // As `emails`, and users without an address by their userName: the address that the product's API shows is the userName only
    // where there are no others, or it is one of them.
    email: { condition: `u.id in (${byAnyEmail})`, ids: byAnyEmail },
    groups: { condition: isMember('?', 'u.id'), ids: members },
    // Literals, as the databases use the index of the inactive users for a literal only.
    'active true': { condition: 'u.active = 1' },
    'active false': { condition: 'u.active = 0' },
  }
}

/** Searches with more conditions are rare, and their combinations are too many to prepare each of them. */
const maxPrepared = 2

/** Attributes that at most one row has. */
const unique: ReadonlySet<string> = new Set(['id', 'userName', 'accountId'])

/** Lookups of the rows that meet equalities. */
export function createLookups({ query, dialect }: SqlDatabase, { table, alias, columns }: ListTable) {
  const { rowBy, indexed, walksToMembers } = dialect
  const lookups = new Map(Object.entries(lookupsOf(dialect, table)))

  /**
   * The rows that meet all equalities: `from` and `where` of a statement whose parameters after `$n` have the values. The index of one
   * equality finds a few rows, on which the other conditions are checked: otherwise the planner of PostgreSQL now and then reads
   * the whole directory to find one.
   */
  function rowsThatMeet(equalities: readonly UserEquality[], n: number, isUsed: (attribute: string) => boolean) {
    const values: string[] = []
    const numbered = (sql: string, value: string) => sql.replaceAll('?', () => `$${n + values.push(value)}`)
    const inOrder = [...lookups.keys()].filter(isUsed)
    const [first] = inOrder.flatMap((name) => equalities.filter(({ attribute }) => attribute === name))
    const others: string[] = []
    let from = `from ${table} ${alias} where ${alias}.directory_id = $1`
    for (const equality of equalities) {
      const { attribute } = equality
      const lookup = lookups.get(attribute === 'active' ? `active ${equality.value}` : attribute)
      if (lookup === undefined) throw new Error(`There is no index for ${attribute} on this type of resource.`)
      const given = String(equality.value)
      const value = foldedAttributes.has(attribute) ? fold(given) : given
      if (equality !== first) others.push(` and ${numbered(lookup.condition, value)}`)
      else from = `from (${numbered(lookup.ids ?? '', value)}) k ${rowBy(table, alias, 'id', 'k.id')} where true`
    }
    return { sql: from + others.join(''), values, isRare: equalities.length > maxPrepared }
  }

  return {
    /** The rows that meet all equalities, in the order of the list. */
    async find(directoryId: string, equalities: readonly UserEquality[], part: ListPart): Promise<Row[]> {
      const isUsed = (attribute: string) => attribute !== 'groups' || !walksToMembers
      const isOne = equalities.some(({ attribute }) => unique.has(attribute))
      const { sql, values, isRare } = rowsThatMeet(equalities, isOne ? 1 : 4, isUsed)
      if (isOne) {
        const [row] = await query({ text: `select ${columns} ${sql}`, values: [directoryId, ...values], isRare })
        return partOfOne(row, part)
      }
      const { from, limit } = part
      const [after, offset] = typeof from === 'number' ? [0, from] : [from.sequence, 0]
      const text = `
        select ${columns} ${sql} and ${alias}.sequence > $2${indexed(alias, 'sequence')}
        order by ${alias}.sequence limit $3 offset $4`
      return query({ text, values: [directoryId, after, limit, offset, ...values], isRare })
    },
    /** The number of these rows. */
    async count(directoryId: string, equalities: readonly UserEquality[]): Promise<number> {
      const { sql, values, isRare } = rowsThatMeet(equalities, 1, () => true)
      return numberIn(await query({ text: `select count(*) as n ${sql}`, values: [directoryId, ...values], isRare }))
    },
  }
}

/** The part of a list of at most one row: sorting and skipping in SQL would cost more than finding it. */
export function partOfOne(row: Row | undefined, { from, limit }: ListPart): Row[] {
  if (row === undefined || limit === 0) return []
  return (typeof from === 'number' ? from === 0 : integer(row, 'sequence') > from.sequence) ? [row] : []
}
