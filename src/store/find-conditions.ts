import type { Equality } from '../scim/filter/narrow.ts'
import { fold } from '../scim/fold.ts'

/**
 * How far conditions narrow a look-up. At most `one` can be found, `few`, `some` (the users of a group), or `little` is
 * excluded, so that walking the list in its order finds the next ones soon.
 */
export type Reach = 'one' | 'few' | 'some' | 'little'

/**
 * Conditions that must all hold, ready to be put behind `where`, over the aliases `u` and `g`. `?1` is the directory's
 * id; every `?` has its value at the same place.
 */
export interface Conditions {
  readonly sql: string
  readonly values: readonly string[]
  readonly reach: Reach
}

const onUsers = {
  id: 'u.id = ?',
  userName: 'u.user_name_folded = ?',
  externalId: 'u.external_id = ?',
  emails: 'u.id in (select e.user_id from user_emails e where e.directory_id = ?1 and e.email = ?)',
  groups: 'u.id in (select m.member_id from members m where m.directory_id = ?1 and m.group_id = ?)',
} as const

const onGroups = {
  id: 'g.id = ?',
  displayName: 'g.name_folded = ?',
  externalId: 'g.external_id = ?',
  members: 'g.id in (select m.group_id from members m where m.directory_id = ?1 and m.member_id = ?)',
} as const

/** Written out, as that is how the databases see that an index over the inactive users fits. */
const onActive = { true: 'u.active = 1', false: 'u.active = 0' } as const

const folded: ReadonlySet<string> = new Set(['userName', 'emails', 'displayName'])

/**
 * The conditions of a look-up of users.
 *
 * @param emails how an engine finds a user by an e-mail address; every `?` of it is the address, `?1` the directory's id
 */
export function userConditions(equalities: readonly Equality[], emails: string = onUsers.emails): Conditions {
  return conditions(equalities, emails === onUsers.emails ? onUsers : { ...onUsers, emails })
}

/** The conditions of a look-up of groups. */
export function groupConditions(equalities: readonly Equality[]): Conditions {
  return conditions(equalities, onGroups)
}

function conditions(equalities: readonly Equality[], columns: Readonly<Partial<Record<string, string>>>): Conditions {
  let sql = ''
  const values: string[] = []
  for (const equality of equalities) {
    const condition = conditionOf(equality, columns)
    sql += ` and ${condition}`
    if (equality.attribute !== 'active') values.push(...valuesOf(equality, condition))
  }
  return { sql, values, reach: reachOf(equalities) }
}

/** The value, as often as the condition asks for it. */
function valuesOf({ attribute, value }: Exclude<Equality, { attribute: 'active' }>, condition: string): string[] {
  const compared = folded.has(attribute) ? fold(value) : value
  return Array.from({ length: condition.split(/\?(?!\d)/).length - 1 }, () => compared)
}

function conditionOf(equality: Equality, columns: Readonly<Partial<Record<string, string>>>): string {
  if (equality.attribute === 'active') return onActive[`${equality.value}`]
  const sql = columns[equality.attribute]
  if (sql === undefined) throw new Error(`There is no index for ${equality.attribute} on this kind of resource.`)
  return sql
}

function reachOf(equalities: readonly Equality[]): Reach {
  const attributes = new Set(equalities.map(({ attribute }) => attribute))
  attributes.delete('active')
  if (attributes.size === 0) return 'little'
  if (attributes.has('id') || attributes.has('userName')) return 'one'
  return attributes.size === 1 && attributes.has('groups') ? 'some' : 'few'
}
