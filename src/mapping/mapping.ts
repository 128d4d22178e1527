import type { GroupReference } from '../directory/group.ts'
import type { Filter } from '../scim/filter/ast.ts'
import type { JsonObject } from '../scim/json.ts'
import type { AttributeTarget } from '../scim/patch/operation.ts'
import type { TransformDocument } from './document.ts'

/** The value of a mapped attribute. */
export type MappedValue = string | number | boolean

/** A mapping of customers' attributes and groups for a product: parsed, with every name resolved. */
export interface Mapping {
  readonly attributes: readonly AttributeRule[]
  readonly roles: RoleRules | undefined
}

/** Where an attribute comes from. */
export interface AttributeRule {
  readonly name: string
  /** The first that has a value counts. */
  readonly sources: readonly AttributeTarget[]
  readonly transforms: readonly TransformDocument[]
}

export interface RoleRules {
  /** `all`: every role whose rule holds; `first`: only that of the first such rule. */
  readonly mode: 'all' | 'first'
  /** The roles of active users who have no other role; sorted. */
  readonly defaults: readonly string[]
  /** The number of users who must keep a role. */
  readonly keepAtLeast: ReadonlyMap<string, number>
  /** In the order of the document, which is the order of `first`. */
  readonly rules: readonly RoleRule[]
}

/** Gives a role to the users for whom its condition holds, or denies it to them. */
export interface RoleRule {
  readonly id: string
  readonly kind: 'give' | 'deny'
  readonly role: string
  readonly condition: Condition
}

/** All parts that are given must hold; at least one is given. */
export interface Condition {
  /** The id of a group. */
  readonly groupId: string | undefined
  /** The name of a group as written; names are compared in any letter case. */
  readonly groupName: string | undefined
  readonly filter: ParsedFilter | undefined
}

/** A filter on users with its text. */
export interface ParsedFilter {
  readonly text: string
  readonly filter: Filter
}

/** The user that a mapping is evaluated for. */
export interface MappedUser {
  /** The SCIM resource. */
  readonly resource: JsonObject
  readonly active: boolean
  /** Those that the user is a direct member of. */
  readonly groups: readonly GroupReference[]
}

/** All roles that a mapping can give. */
export function rolesOf({ rules, defaults }: RoleRules): ReadonlySet<string> {
  return new Set([...rules.filter(({ kind }) => kind === 'give').map(({ role }) => role), ...defaults])
}
