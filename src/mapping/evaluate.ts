import type { GroupReference } from '../directory/group.ts'
import type { Predicate } from '../scim/filter/evaluate.ts'
import { createPredicate } from '../scim/filter/evaluate.ts'
import { fold } from '../scim/fold.ts'
import { attributeReader } from './attribute-value.ts'
import { costLimit } from './cost.ts'
import type { MappedUser, MappedValue, Mapping, RoleRule, RoleRules } from './mapping.ts'

/** The roles and attributes of a user by a mapping. */
export interface Evaluation {
  /** Sorted. */
  readonly roles: readonly string[]
  /** By name; attributes without a value are left out. */
  readonly attributes: Readonly<Record<string, MappedValue>>
}

/** Why a user has a role: the rule that gives it; undefined: it is a default. */
export interface RoleReason {
  readonly role: string
  readonly because: readonly RuleMatch[]
}

/** A rule that holds for a user, with the group by which it holds. */
export interface RuleMatch {
  /** Undefined for a default role. */
  readonly rule: string | undefined
  readonly group: GroupReference | undefined
  readonly filter: string | undefined
}

export interface Explanation {
  readonly roles: readonly RoleReason[]
  /** The roles that the user would have if rules did not deny them. */
  readonly denied: readonly RoleReason[]
}

/** A user whose rules have been matched once. */
export interface Examination {
  readonly evaluation: Evaluation
  /** The ids of all rules that hold, in the order of the mapping. */
  readonly rules: readonly string[]
  /** Whether filters and attributes were not evaluated, as that would take too long. */
  readonly isTooCostly: boolean
  explain(): Explanation
}

/**
 * A mapping that is ready to be evaluated for many users. Filters and attributes are not evaluated for a user for whom that would take too
 * long: it has no attributes, rules with a filter give it no role, and those that deny one hold.
 */
export interface Evaluator {
  examine(user: MappedUser): Examination
  evaluate(user: MappedUser): Evaluation
  /** The roles of a user, each with all rules that give it, and the roles that are denied. */
  explain(user: MappedUser): Explanation
}

/** Compiles a mapping: filters become predicates, and rules are found by the groups of a user. */
export function createEvaluator(mapping: Mapping): Evaluator {
  const { attributes, roles } = mapping
  const readers = attributes.map((rule) => [rule.name, attributeReader(rule)] as const)
  const isCostly = costLimit(mapping)
  const match = roles === undefined ? () => [] : ruleMatcher(roles.rules)
  function examine(user: MappedUser): Examination {
    const isTooCostly = isCostly(user.resource)
    const matches = user.active ? match(user, isTooCostly) : []
    const values = isTooCostly ? [] : readers.map(([name, read]) => [name, read(user.resource)] as const)
    const given = roles !== undefined && user.active ? givenRoles(roles, matches) : []
    return {
      evaluation: { roles: given, attributes: Object.fromEntries(values.filter(isAssigned)) },
      rules: matches.map(({ rule }) => rule.id),
      isTooCostly,
      explain: () =>
        roles === undefined || !user.active ? { roles: [], denied: [] } : explanation(roles, given, matches),
    }
  }
  return {
    examine,
    evaluate: (user) => examine(user).evaluation,
    explain: (user) => examine(user).explain(),
  }
}

function isAssigned(entry: readonly [string, MappedValue | undefined]): entry is readonly [string, MappedValue] {
  return entry[1] !== undefined
}

/** A rule that holds, and the group that it names. */
interface Match {
  readonly rule: RoleRule
  readonly group: GroupReference | undefined
}

function givenRoles({ mode, defaults }: RoleRules, matches: readonly Match[]): readonly string[] {
  const denied = new Set(matches.flatMap(({ rule }) => (rule.kind === 'deny' ? [rule.role] : [])))
  const given = matches.flatMap(({ rule }) => (rule.kind === 'give' && !denied.has(rule.role) ? [rule.role] : []))
  if (given.length === 0) return defaults.filter((role) => !denied.has(role))
  return mode === 'first' ? given.slice(0, 1) : [...new Set(given)].sort()
}

function explanation(roles: RoleRules, given: readonly string[], matches: readonly Match[]): Explanation {
  const reasons = (kind: RoleRule['kind'], role: string) =>
    matches.filter(({ rule }) => rule.kind === kind && rule.role === role).map(matchView)
  const wanted = new Set(matches.flatMap(({ rule }) => (rule.kind === 'give' ? [rule.role] : [])))
  const denied = new Set(matches.flatMap(({ rule }) => (rule.kind === 'deny' ? [rule.role] : [])))
  return {
    roles: given.map((role) => ({ role, because: orDefault(reasons('give', role)) })),
    denied: [...denied]
      .filter((role) => wanted.has(role) || roles.defaults.includes(role))
      .sort()
      .map((role) => ({ role, because: reasons('deny', role) })),
  }
}

function orDefault(reasons: readonly RuleMatch[]): readonly RuleMatch[] {
  return reasons.length > 0 ? reasons : [{ rule: undefined, group: undefined, filter: undefined }]
}

function matchView({ rule, group }: Match): RuleMatch {
  return { rule: rule.id, group, filter: rule.condition.filter?.text }
}

/**
 * Finds the rules that hold for a user, in the order of the mapping. Rules that name a group are looked up by the groups of the user:
 * most of a thousand rules name groups that a user is not in.
 */
function ruleMatcher(rules: readonly RoleRule[]): (user: MappedUser, isTooCostly: boolean) => readonly Match[] {
  const compiled = rules.map(compileRule)
  const byGroupId = Map.groupBy(compiled, ({ rule }) => rule.condition.groupId)
  const byGroupName = Map.groupBy(compiled, ({ rule, foldedName }) =>
    rule.condition.groupId === undefined ? foldedName : undefined,
  )
  const others = compiled.filter(({ rule }) => !namesGroup(rule))
  return (user, isTooCostly) => {
    const groups = { ids: new Map(user.groups.map((one) => [one.id, one])), names: namesOf(user.groups) }
    const named = [
      ...user.groups.flatMap(({ id }) => byGroupId.get(id) ?? []),
      ...[...groups.names.keys()].flatMap((name) => byGroupName.get(name) ?? []),
    ]
    const matches = [...named, ...others].flatMap((rule) => matchOf(rule, groups, user, isTooCostly))
    return matches.sort((a, b) => a.position - b.position)
  }
}

interface CompiledRule {
  readonly rule: RoleRule
  readonly position: number
  readonly foldedName: string | undefined
  readonly filter: Predicate | undefined
}

function compileRule(rule: RoleRule, position: number): CompiledRule {
  const { groupName, filter } = rule.condition
  return {
    rule,
    position,
    foldedName: groupName === undefined ? undefined : fold(groupName),
    filter: filter && createPredicate(filter.filter),
  }
}

function namesGroup({ condition }: RoleRule): boolean {
  return condition.groupId !== undefined || condition.groupName !== undefined
}

/** The groups of a user by their folded names. Several groups may have one name. */
function namesOf(groups: readonly GroupReference[]): ReadonlyMap<string, readonly GroupReference[]> {
  return Map.groupBy(groups, ({ name }) => fold(name))
}

function matchOf(
  { rule, position, foldedName, filter }: CompiledRule,
  groups: { readonly ids: ReadonlyMap<string, GroupReference>; readonly names: ReturnType<typeof namesOf> },
  user: MappedUser,
  isTooCostly: boolean,
): (Match & { readonly position: number })[] {
  const { groupId } = rule.condition
  const byName = foldedName === undefined ? undefined : groups.names.get(foldedName)?.[0]
  const byId = groupId === undefined ? undefined : groups.ids.get(groupId)
  if (groupId !== undefined && byId === undefined) return []
  if (foldedName !== undefined && byName === undefined) return []
  if (filter !== undefined && !(isTooCostly ? rule.kind === 'deny' : filter(user.resource))) return []
  return [{ rule, position, group: byId ?? byName }]
}
