import type { GroupReference } from '../directory/group.ts'
import { fold } from '../scim/fold.ts'
import { evaluationsPerUser, maxMappingCost } from './cost.ts'
import type { MappingDocument } from './document.ts'
import type { Evaluator } from './evaluate.ts'
import { createEvaluator } from './evaluate.ts'
import { extendMapping } from './extend.ts'
import type { Mapping } from './mapping.ts'
import { parseMappingInEffect } from './parse.ts'

/** A version of a mapping, ready for the commits of a directory. */
export interface CompiledMapping {
  /** Undefined when the mapping was removed: users lose what it gave them. */
  readonly evaluator: Evaluator | undefined
  /** The number of users who must keep a role. */
  readonly keepAtLeast: ReadonlyMap<string, number>
  /** The number of users who are evaluated in one commit; more are left to a run. */
  readonly usersAtOnce: number
  /** The characters of users who are evaluated in one commit, unless it is one user. */
  readonly charactersAtOnce: number
  /** Whether changed users keep what is stored, as a run evaluates them afterwards. */
  readonly isLeftToRun?: boolean
  /** Returns whether a rule names a group by its id. */
  namesId(id: string): boolean
  /** Returns whether a rule names groups of this name. */
  namesName(name: string): boolean
}

/** The most users who are evaluated in one commit, however short the mapping is. */
const maxUsersAtOnce = 500

/** The most characters of users who are evaluated in one commit: they are parsed. */
export const maxCharactersAtOnce = 2_000_000

/** About how many conditions and attributes are evaluated in one commit: it takes less than 20 ms. */
const evaluationsAtOnce = 10_000

/** The documents of a mapping in effect, as JSON. They were parsed before they were stored. */
export interface DocumentsInEffect {
  readonly document: string
  /** That of the product if the other one extends it. */
  readonly extended: string | undefined
}

/** Parses the mapping in effect. */
export function mappingInEffect({ document, extended }: DocumentsInEffect): Mapping {
  return effectiveMapping(JSON.parse(document), extended === undefined ? undefined : JSON.parse(extended))
}

/** The mapping that documents have in effect together. */
export function effectiveMapping(own: MappingDocument, extended: MappingDocument | undefined): Mapping {
  return parseMappingInEffect(extended === undefined ? own : extendMapping(own, extended))
}

/** Compiles a mapping, which is evaluated for many users. */
export function compiledMapping(mapping: Mapping): CompiledMapping {
  const rules = mapping.roles?.rules ?? []
  const ids = new Set(rules.map(({ condition }) => condition.groupId))
  const names = new Set(rules.map(({ condition }) => condition.groupName && fold(condition.groupName)))
  const evaluations = evaluationsPerUser(mapping)
  return {
    evaluator: createEvaluator(mapping),
    keepAtLeast: mapping.roles?.keepAtLeast ?? new Map(),
    usersAtOnce: Math.max(1, Math.min(maxUsersAtOnce, Math.floor(evaluationsAtOnce / evaluations))),
    charactersAtOnce: Math.min(maxCharactersAtOnce, Math.floor(maxMappingCost / evaluations)),
    namesId: (id) => ids.has(id),
    namesName: (name) => names.has(fold(name)),
  }
}

/** The state of a directory whose mapping was removed. */
export const removedMapping: CompiledMapping = {
  evaluator: undefined,
  keepAtLeast: new Map(),
  usersAtOnce: maxUsersAtOnce,
  charactersAtOnce: maxCharactersAtOnce,
  namesId: () => false,
  namesName: () => false,
}

/** The mapping of an import: a run follows. */
export const leftToRun: CompiledMapping = {
  ...removedMapping,
  isLeftToRun: true,
  usersAtOnce: 1_000_000_000,
  charactersAtOnce: 1_000_000_000,
}

/** The users of a page that is evaluated in one slice of the process's time. */
export function pageSizeOf({ usersAtOnce }: CompiledMapping): number {
  return Math.max(1, Math.min(100, Math.floor(usersAtOnce / 5)))
}

/** Returns whether evaluating a user takes long enough for others to get a turn in between. */
export function takesLong({ usersAtOnce, charactersAtOnce }: CompiledMapping, characters = 0): boolean {
  return usersAtOnce < 100 || characters > charactersAtOnce / 20
}

/** Returns whether a rule names a group, so that its members matter. */
export function namesGroup({ namesId, namesName }: CompiledMapping, { id, name }: GroupReference): boolean {
  return namesId(id) || namesName(name)
}
