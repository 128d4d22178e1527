import type { UserEquality } from '../directory/directory-store.ts'
import { fold } from '../scim/fold.ts'

/**
 * The number of rows that can meet the conditions: at most `one`, a `few`, `some` (the users of a group), or `most`, so that walking
 * the list in its order finds the next ones soon.
 */
export type Reach = 'one' | 'few' | 'some' | 'most'

/**
 * Conditions that must all hold, to be put after `where`, over the aliases `u` and `g`. `?1` is the id of the directory;
 * the n-th plain `?` takes the n-th value.
 */
export interface Conditions {
  readonly sql: string
  readonly values: readonly string[]
  readonly reach: Reach
}

/** The SQL of one condition. Every plain `?` takes the compared value; `?1` is the id of the directory. */
interface Condition {
  readonly sql: string
  /** The number of times that the value is used. */
  readonly uses: number
}

function condition(sql: string): Condition {
  return { sql, uses: sql.split(/\?(?!\d)/).length - 1 }
}

const onUsers = {
  id: condition('u.id = ?'),
  userName: condition('u.user_name_folded = ?'),
  externalId: condition('u.external_id = ?'),
} as const

const onGroups = {
  id: condition('g.id = ?'),
  displayName: condition('g.name_folded = ?'),
  externalId: condition('g.external_id = ?'),
} as const

/** Literals, as the databases use the index of the inactive users for a literal only. */
const onActive = { true: 'u.active = 1', false: 'u.active = 0' } as const

const foldedAttributes: ReadonlySet<string> = new Set(['userName', 'emails', 'email', 'displayName'])

/** Makes the conditions of a lookup. */
export type ConditionsOf = (equalities: readonly UserEquality[]) => Conditions

/** The conditions by which an engine finds users by an email address, and the users of a group. */
export interface UserConditions {
  readonly byEmail: string
  /**
   * As `byEmail`, and users without an address by their userName: the address that the product's API shows is the userName only where
   * there are no others, or it is one of them.
   */
  readonly byAnyEmail: string
  readonly ofGroup: string
}

/** The conditions of lookups of users. */
export function userConditions({ byEmail, byAnyEmail, ofGroup }: UserConditions): ConditionsOf {
  const columns = { ...onUsers, emails: condition(byEmail), email: condition(byAnyEmail), groups: condition(ofGroup) }
  return (equalities) => conditions(equalities, columns)
}

/**
 * The conditions of lookups of groups.
 *
 * @param withMember how the engine finds the groups of a member
 */
export function groupConditions(withMember: string): ConditionsOf {
  const columns = { ...onGroups, members: condition(withMember) }
  return (equalities) => conditions(equalities, columns)
}

type Columns = Readonly<Partial<Record<string, Condition>>>

function conditions(equalities: readonly UserEquality[], columns: Columns): Conditions {
  let sql = ''
  const values: string[] = []
  for (const { attribute, value } of equalities) {
    if (attribute === 'active') {
      sql += ` and ${onActive[`${value}`]}`
      continue
    }
    const column = columnOf(attribute, columns)
    const compared = foldedAttributes.has(attribute) ? fold(value) : value
    sql += ` and ${column.sql}`
    for (let use = 0; use < column.uses; use += 1) values.push(compared)
  }
  return { sql, values, reach: reachOf(equalities) }
}

function columnOf(attribute: string, columns: Columns): Condition {
  const column = columns[attribute]
  if (column === undefined) throw new Error(`There is no index for ${attribute} on this type of resource.`)
  return column
}

function reachOf(equalities: readonly UserEquality[]): Reach {
  const attributes = new Set(equalities.map(({ attribute }) => attribute))
  attributes.delete('active')
  if (attributes.size === 0) return 'most'
  if (attributes.has('id') || attributes.has('userName')) return 'one'
  return attributes.size === 1 && attributes.has('groups') ? 'some' : 'few'
}
