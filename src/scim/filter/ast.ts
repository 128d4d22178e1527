import type { JsonObject } from '../json.ts'
import type { AttributePath } from '../schema/resource-type.ts'

/** The comparison operators of RFC 7644 §3.4.2.2; `pr` is a kind of filter of its own. */
export const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const

/** One of the comparison operators. */
export type Operator = (typeof operators)[number]

/** What an attribute is compared with. */
export type Literal = string | number | boolean | null

/** `path operator value`; the literal has the type of the attribute, or is null. */
export interface Comparison {
  readonly kind: 'compare'
  readonly path: AttributePath
  readonly operator: Operator
  readonly value: Literal
}

/** `path pr`. */
export interface Presence {
  readonly kind: 'present'
  readonly path: AttributePath
}

/** Two filters of which both, or one, must hold. */
export interface Junction {
  readonly kind: 'and' | 'or'
  readonly left: Filter
  readonly right: Filter
}

/** `not (filter)`. */
export interface Negation {
  readonly kind: 'not'
  readonly filter: Filter
}

/** `path[filter]`: one and the same value of `path` fulfils the filter, whose paths name its sub-attributes. */
export interface ValuePath {
  readonly kind: 'value-path'
  readonly path: AttributePath
  readonly filter: Filter
}

/** A condition on an attribute that the resource type does not have: it holds for every resource, or for none. */
export interface Constant {
  readonly kind: 'constant'
  /** The attribute under the name that was written. */
  readonly path: AttributePath
  readonly holds: boolean
}

/** A parsed filter: attributes are resolved against the schema, literals are checked against their types. */
export type Filter = Comparison | Presence | Junction | Negation | ValuePath | Constant

/** How many conditions a filter puts to what it looks at. */
export function countTerms(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return countTerms(filter.left) + countTerms(filter.right)
    case 'not':
    case 'value-path':
      return countTerms(filter.filter)
    default:
      return 1
  }
}

/** Whether an operator looks at the characters of a text (RFC 7644 §3.4.2.2: contains, starts with, ends with). */
export function isTextOperator(operator: Operator): boolean {
  return operator === 'co' || operator === 'sw' || operator === 'ew'
}

/** What a value must hold to fulfil a filter of `eq` conditions joined by `and`; undefined for any other filter. */
export function equalityConditions(filter: Filter): JsonObject | undefined {
  if (filter.kind === 'compare') {
    const { operator, path, value } = filter
    return operator === 'eq' && value !== null ? { [path.attribute.name]: value } : undefined
  }
  if (filter.kind !== 'and') return undefined
  const [left, right] = [equalityConditions(filter.left), equalityConditions(filter.right)]
  return left && right && { ...left, ...right }
}
