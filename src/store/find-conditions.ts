import type { Equality } from '../scim/filter/narrow.ts'
import { fold } from '../scim/fold.ts'

/** A condition of a look-up: SQL over the aliases `u` and `g`, with `?` for its one parameter after the directory's id. */
interface Condition {
  readonly sql: string
  readonly value: string | number
}

/** Conditions that must all hold, ready to be put behind `where`: every `?` has its value at the same place. */
export interface Conditions {
  readonly sql: string
  readonly values: readonly (string | number)[]
}

const onUsers = {
  id: 'u.id = ?',
  userName: 'u.user_name_folded = ?',
  externalId: 'u.external_id = ?',
  emails: 'u.id in (select e.user_id from user_emails e where e.directory_id = u.directory_id and e.email = ?)',
  active: 'u.active = ?',
  groups: 'u.id in (select m.member_id from members m where m.directory_id = u.directory_id and m.group_id = ?)',
} as const

const onGroups = {
  id: 'g.id = ?',
  displayName: 'g.name_folded = ?',
  externalId: 'g.external_id = ?',
  members: 'g.id in (select m.group_id from members m where m.directory_id = g.directory_id and m.member_id = ?)',
} as const

const folded: ReadonlySet<string> = new Set(['userName', 'emails', 'displayName'])

/** The conditions of a look-up of users. */
export function userConditions(equalities: readonly Equality[]): Conditions {
  return conditions(equalities, onUsers)
}

/** The conditions of a look-up of groups. */
export function groupConditions(equalities: readonly Equality[]): Conditions {
  return conditions(equalities, onGroups)
}

function conditions(equalities: readonly Equality[], columns: Readonly<Partial<Record<string, string>>>): Conditions {
  const all = equalities.map(({ attribute, value }): Condition => {
    const sql = columns[attribute]
    if (sql === undefined) throw new Error(`There is no index for ${attribute} on this kind of resource.`)
    if (typeof value === 'boolean') return { sql, value: Number(value) }
    return { sql, value: folded.has(attribute) ? fold(value) : value }
  })
  return { sql: all.map(({ sql }) => ` and ${sql}`).join(''), values: all.map(({ value }) => value) }
}
