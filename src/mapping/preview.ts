import type { GroupReference } from '../directory/group.ts'
import { fold } from '../scim/fold.ts'
import { differences } from './change.ts'
import type { Evaluation, Evaluator, RoleReason } from './evaluate.ts'
import type { MappedUser, Mapping } from './mapping.ts'

/** Counts of the changes that a mapping would make, added user by user. */
export interface PreviewCounts {
  evaluated: number
  /** Users whose roles or attributes change. */
  changed: number
  /** Users who gain and lose each role, by role. */
  readonly roles: Map<string, { gain: number; lose: number }>
  /** Users for whom each attribute changes, by attribute. */
  readonly attributes: Map<string, number>
  /** Users for whom each rule holds, by id. */
  readonly rules: Map<string, number>
  /** Users who have each role afterwards. */
  readonly holders: Map<string, number>
  /** Active users. */
  active: number
  /** Users for whom filters and attributes take too long. */
  tooCostly: number
}

/** How one user changes. */
export interface UserChange {
  readonly before: Evaluation
  readonly after: Evaluation
  /** The roles afterwards, each with its reasons; found when it is called. */
  because(): readonly RoleReason[]
}

/** Something that the author of a mapping probably did not mean. */
export interface MappingWarning {
  readonly code: 'group-missing' | 'rule-for-nobody' | 'rule-for-everybody' | 'too-few-users' | 'user-too-large'
  /** The id of the rule, or the role of `too-few-users`; empty for `user-too-large`. */
  readonly rule: string
  readonly message: string
}

export function noCounts(): PreviewCounts {
  return {
    evaluated: 0,
    changed: 0,
    roles: new Map(),
    attributes: new Map(),
    rules: new Map(),
    holders: new Map(),
    active: 0,
    tooCostly: 0,
  }
}

/**
 * Evaluates a user, adds to the counts, and returns how the user changes.
 *
 * @param before what is stored for the user
 * @returns undefined when nothing changes
 */
export function previewUser(
  counts: PreviewCounts,
  evaluator: Evaluator,
  user: MappedUser,
  before: Evaluation,
): UserChange | undefined {
  const { evaluation: after, rules, isTooCostly, explain } = evaluator.examine(user)
  counts.evaluated += 1
  if (isTooCostly) counts.tooCostly += 1
  if (user.active) counts.active += 1
  for (const rule of rules) increment(counts.rules, rule)
  for (const role of after.roles) increment(counts.holders, role)
  const { gained, lost, attributes } = differences(before, after)
  for (const role of gained) change(counts.roles, role).gain += 1
  for (const role of lost) change(counts.roles, role).lose += 1
  for (const { name } of attributes) increment(counts.attributes, name)
  if (gained.length + lost.length + attributes.length === 0) return undefined
  counts.changed += 1
  return { before, after, because: () => explain().roles }
}

function change(roles: PreviewCounts['roles'], role: string) {
  const known = roles.get(role) ?? { gain: 0, lose: 0 }
  roles.set(role, known)
  return known
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The ids and names of the groups that the rules of a mapping name, so that the caller can look them up. */
export function groupsNamedBy({ roles }: Mapping): {
  readonly ids: readonly string[]
  readonly names: readonly string[]
} {
  const conditions = (roles?.rules ?? []).map(({ condition }) => condition)
  return {
    ids: [...new Set(conditions.flatMap(({ groupId }) => (groupId === undefined ? [] : [groupId])))],
    names: [...new Set(conditions.flatMap(({ groupName }) => (groupName === undefined ? [] : [groupName])))],
  }
}

/**
 * The warnings about a mapping after all users were counted.
 *
 * @param existing those of the groups named by rules that exist
 */
export function warningsOf(
  { roles }: Mapping,
  counts: PreviewCounts,
  existing: readonly GroupReference[],
): readonly MappingWarning[] {
  const costly = counts.tooCostly === 0 ? [] : [tooCostly(counts.tooCostly)]
  if (roles === undefined) return costly
  const ids = new Set(existing.map(({ id }) => id))
  const names = new Set(existing.map(({ name }) => fold(name)))
  return [
    ...roles.rules.flatMap(({ id, condition: { groupId, groupName } }) => [
      ...(groupId !== undefined && !ids.has(groupId) ? [groupMissing(id, `with the id ${groupId}`)] : []),
      ...(groupName !== undefined && !names.has(fold(groupName)) ? [groupMissing(id, `named ${groupName}`)] : []),
    ]),
    ...roles.rules.flatMap(({ id }) => ruleWarning(id, counts)),
    ...costly,
  ]
}

function tooCostly(users: number): MappingWarning {
  const who = users === 1 ? '1 user has' : `${users} users have`
  const message = `${who} too many values for this mapping: filters give no role, those that deny one hold, and there are no attributes.`
  return { code: 'user-too-large', rule: '', message }
}

function groupMissing(rule: string, which: string): MappingWarning {
  return { code: 'group-missing', rule, message: `Rule ${rule}: there is no group ${which}.` }
}

function ruleWarning(rule: string, { rules, active }: PreviewCounts): MappingWarning[] {
  const held = rules.get(rule) ?? 0
  if (held === 0) return [{ code: 'rule-for-nobody', rule, message: `Rule ${rule} matches no active user.` }]
  if (held < active || active < 2) return []
  return [{ code: 'rule-for-everybody', rule, message: `Rule ${rule} holds for all ${active} active users.` }]
}

/** A role that fewer users would have than must keep it, in one directory or in several of a product. */
export interface Shortage {
  readonly directories: number
  /** The number of users in the directory with the fewest, and how many must keep the role there. */
  readonly fewest: number
  readonly minimum: number
}

/** Adds the roles that too few users of a directory would have. */
export function noteShortages(
  shortages: Map<string, Shortage>,
  { roles }: Mapping,
  { holders }: Pick<PreviewCounts, 'holders'>,
): void {
  for (const [role, minimum] of roles?.keepAtLeast ?? []) {
    const users = holders.get(role) ?? 0
    if (users >= minimum) continue
    const known = shortages.get(role) ?? { directories: 0, fewest: Number.POSITIVE_INFINITY, minimum }
    const worst = users < known.fewest ? { fewest: users, minimum } : known
    shortages.set(role, { ...worst, directories: known.directories + 1 })
  }
}

/** The warnings about roles that too few users would have. */
export function tooFewUsers(shortages: ReadonlyMap<string, Shortage>): readonly MappingWarning[] {
  return [...shortages].map(([role, { directories, fewest, minimum }]) => {
    const users = `${fewest} ${fewest === 1 ? 'user has' : 'users have'} the role ${role}`
    const where = directories === 1 ? '' : ` in the one of ${directories} directories with the fewest`
    const message = `${users}${where}; ${minimum} must keep it.`
    return { code: 'too-few-users', rule: role, message }
  })
}

/** Adds the counts of a directory to those of others. */
export function addTo(total: PreviewCounts, counts: PreviewCounts): void {
  total.evaluated += counts.evaluated
  total.changed += counts.changed
  total.active += counts.active
  total.tooCostly += counts.tooCostly
  for (const [role, { gain, lose }] of counts.roles) {
    const sum = change(total.roles, role)
    sum.gain += gain
    sum.lose += lose
  }
  for (const map of ['attributes', 'rules', 'holders'] as const) {
    for (const [key, count] of counts[map]) total[map].set(key, (total[map].get(key) ?? 0) + count)
  }
}
