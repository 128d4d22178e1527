import { invalidFilter } from '../errors.ts'
import { comparedAttribute } from '../resource/attribute-value.ts'
import { booleanOf, instantOf } from '../resource/coerce-simple.ts'
import { pathName } from '../schema/attribute-path.ts'
import type { AttributePath } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import type { Comparison, Literal, Operator } from './ast.ts'
import { isTextOperator } from './ast.ts'

/** A literal and its position. */
export interface LiteralToken {
  readonly value: Literal
  readonly at: number
}

/** An operator and its position. */
export interface OperatorToken {
  readonly operator: Operator
  readonly at: number
}

/**
 * Creates the comparison of an attribute with a literal, converted to the attribute's type.
 *
 * @throws ScimError `invalidFilter` when the operator or the literal does not fit that type (RFC 7644 §3.4.2.2)
 */
export function createComparison(
  path: AttributePath,
  { operator, at }: OperatorToken,
  literal: LiteralToken,
): Comparison {
  if (literal.value === null) return comparisonWithNull(path, operator, literal.at)
  const compared = comparedAttribute(path)
  if (compared === undefined) throw invalidFilter(at, `${pathName(path)} has no value: name one of its sub-attributes`)
  if (!isOperatorFor(operator, compared)) {
    throw invalidFilter(at, `${operator} does not apply to ${pathName(path)}, which is of type ${compared.type}`)
  }
  const value = literalFor(compared, operator, literal.value)
  if (value !== undefined) return { kind: 'compare', path, operator, value }
  throw invalidFilter(literal.at, `${pathName(path)} ${operator} needs ${expected(compared, operator)}`)
}

function comparisonWithNull(path: AttributePath, operator: Operator, at: number): Comparison {
  if (operator === 'eq' || operator === 'ne') return { kind: 'compare', path, operator, value: null }
  throw invalidFilter(at, `${pathName(path)} ${operator} null is not allowed: null can only be compared with eq and ne`)
}

function isOperatorFor(operator: Operator, { type }: Attribute): boolean {
  if (operator === 'eq' || operator === 'ne') return true
  if (type === 'boolean' || type === 'binary') return false
  return !(isTextOperator(operator) && (type === 'integer' || type === 'decimal'))
}

/** The literal in the attribute's type; undefined when it does not fit. */
function literalFor(
  { type, name, isStrict }: Attribute,
  operator: Operator,
  value: string | number | boolean,
): Literal | undefined {
  if (type === 'boolean') return isStrict && typeof value !== 'boolean' ? undefined : booleanOf(value)
  if (type === 'any') return fitsAny(operator, value) ? anyLiteral(name, value) : undefined
  if (type === 'integer' || type === 'decimal') return typeof value === 'number' ? value : undefined
  if (typeof value !== 'string') return undefined
  return type === 'dateTime' && !isTextOperator(operator) && Number.isNaN(instantOf(value)) ? undefined : value
}

/**
 * Keeps the literal of an unknown attribute unchanged, except for `primary`: a value path creates elements from its
 * filter.
 */
function anyLiteral(name: string, value: string | number | boolean): Literal {
  return name.toLowerCase() === 'primary' ? (booleanOf(value) ?? value) : value
}

function fitsAny(operator: Operator, value: string | number | boolean): boolean {
  if (operator === 'eq' || operator === 'ne') return true
  return typeof value === 'string' || (typeof value === 'number' && !isTextOperator(operator))
}

function expected({ type }: Attribute, operator: Operator): string {
  if (type === 'boolean') return 'true or false'
  if (type === 'integer' || type === 'decimal') return 'a number'
  if (type === 'dateTime' && !isTextOperator(operator)) return 'a date and time such as "2026-11-20T08:00:00Z"'
  return 'a string in double quotes'
}
