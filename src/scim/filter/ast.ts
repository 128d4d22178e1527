import type { JsonObject } from '../json.ts'
import type { AttributePath } from '../schema/resource-type.ts'

/** The comparison operators of RFC 7644 §3.4.2.2; `pr` is a separate kind of filter. */
export const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const

export type Operator = (typeof operators)[number]

/** The right-hand side of a comparison. */
export type Literal = string | number | boolean | null

/** `path operator value`; the literal has the attribute's type or is null. */
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

/** Two filters joined by `and` or `or`. */
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

/** `path[filter]`: a single element of `path` must match the filter, whose paths are sub-attributes. */
export interface ValuePath {
  readonly kind: 'value-path'
  readonly path: AttributePath
  readonly filter: Filter
}

/** A condition on an attribute that the resource type does not have: true for every resource, or for none. */
export interface Constant {
  readonly kind: 'constant'
  /** An attribute with the name used in the filter. */
  readonly path: AttributePath
  readonly holds: boolean
}

/** A parsed filter, with attributes resolved against the schema and literals checked against their types. */
export type Filter = Comparison | Presence | Junction | Negation | ValuePath | Constant

/** The number of conditions in a filter. */
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

/** Returns whether an operator works on the characters of a text: contains, starts with, ends with (RFC 7644 §3.4.2.2). */
export function isTextOperator(operator: Operator): boolean {
  return operator === 'co' || operator === 'sw' || operator === 'ew'
}

/**
 * The values an element must have to match a filter of `eq` conditions joined by `and`; undefined for any other filter.
 */
export function equalityConditions(filter: Filter): JsonObject | undefined {
  if (filter.kind === 'compare') {
    const { operator, path, value } = filter
    return operator === 'eq' && value !== null ? { [path.attribute.name]: value } : undefined
  }
  if (filter.kind !== 'and') return undefined
  const [left, right] = [equalityConditions(filter.left), equalityConditions(filter.right)]
  return left && right && { ...left, ...right }
}
