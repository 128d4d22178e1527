import type { GroupReference } from '../directory/group.ts'
import { countTerms } from '../scim/filter/ast.ts'
import { fold } from '../scim/fold.ts'
import type { Evaluator } from './evaluate.ts'
import { createEvaluator } from './evaluate.ts'
import type { Mapping } from './mapping.ts'
import { parseMapping } from './parse.ts'

/** A version of a mapping, ready for the commits of a directory. */
export interface CompiledMapping {
  /** Undefined when the mapping was removed: users lose what it gave them. */
  readonly evaluator: Evaluator | undefined
  /** The number of users who must keep a role. */
  readonly keepAtLeast: ReadonlyMap<string, number>
  /** The number of users who are evaluated in one commit; more are left to a run. */
  readonly usersAtOnce: number
  /** Whether a rule names a group by its id. */
  namesId(id: string): boolean
  /** Whether a rule names groups of this name. */
  namesName(name: string): boolean
}

/** The most users who are evaluated in one commit, however short the mapping is. */
const maxUsersAtOnce = 500

/** About how many conditions and attributes are evaluated in one commit: it takes less than 50 ms. */
const evaluationsAtOnce = 25_000

/** Compiles a mapping that was parsed before it was stored. */
export function compileMapping(document: string): CompiledMapping {
  return compiledMapping(parseMapping(JSON.parse(document)))
}

export function compiledMapping(mapping: Mapping): CompiledMapping {
  const rules = mapping.roles?.rules ?? []
  const ids = new Set(rules.map(({ condition }) => condition.groupId))
  const names = new Set(rules.map(({ condition }) => condition.groupName && fold(condition.groupName)))
  return {
    evaluator: createEvaluator(mapping),
    keepAtLeast: mapping.roles?.keepAtLeast ?? new Map(),
    usersAtOnce: Math.max(1, Math.min(maxUsersAtOnce, Math.floor(evaluationsAtOnce / evaluationsPerUser(mapping)))),
    namesId: (id) => ids.has(id),
    namesName: (name) => names.has(fold(name)),
  }
}

function evaluationsPerUser({ attributes, roles }: Mapping): number {
  const sources = attributes.reduce((sum, { sources: { length } }) => sum + length, 1)
  const filters = (roles?.rules ?? []).flatMap(({ condition: { filter } }) => filter ?? [])
  return filters.reduce((sum, { filter }) => sum + countTerms(filter), sources)
}

/** The state of a directory whose mapping was removed. */
export const removedMapping: CompiledMapping = {
  evaluator: undefined,
  keepAtLeast: new Map(),
  usersAtOnce: maxUsersAtOnce,
  namesId: () => false,
  namesName: () => false,
}

/** The users of a page that is evaluated in one slice of the process's time. */
export function pageSizeOf({ usersAtOnce }: CompiledMapping): number {
  return Math.max(1, Math.min(100, Math.floor(usersAtOnce / 5)))
}

/** Whether a rule names a group, so that its members matter. */
export function namesGroup({ namesId, namesName }: CompiledMapping, { id, name }: GroupReference): boolean {
  return namesId(id) || namesName(name)
}
