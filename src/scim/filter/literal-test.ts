import { fold } from '../fold.ts'
import type { Json } from '../json.ts'
import { instantOf } from '../resource/coerce-simple.ts'
import type { Attribute } from '../schema/schema.ts'
import type { Literal, Operator } from './ast.ts'
import { isTextOperator } from './ast.ts'

/** Whether a value satisfies a comparison; false for a value of another type. */
export type LiteralTest = (value: Json | undefined) => boolean

/** Compiles the comparison of an attribute's values with a literal. */
export function literalTest(attribute: Attribute, operator: Operator, literal: NonNullable<Literal>): LiteralTest {
  if (attribute.type === 'any' && operator === 'eq') return writtenAlike(literal)
  if (typeof literal === 'boolean') return (value) => value === literal
  if (typeof literal === 'number') return (value) => typeof value === 'number' && compare(operator, value, literal)
  if (attribute.type === 'dateTime' && !isTextOperator(operator)) return instantTest(operator, literal)
  return textTest(attribute, operator, literal)
}

/** Values of unknown attributes are stored as received: `"True"` equals true, and "7" equals 7. */
function writtenAlike(literal: NonNullable<Literal>): LiteralTest {
  const test = foldedEqualTest(fold(String(literal)))
  return (value) => test(typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)
}

function instantTest(operator: Operator, literal: string): LiteralTest {
  const instant = instantOf(literal)
  return (value) => typeof value === 'string' && compare(operator, instantOf(value), instant)
}

function textTest({ caseExact }: Attribute, operator: Operator, literal: string): LiteralTest {
  if (operator === 'eq' && !caseExact) return foldedEqualTest(fold(literal))
  const test = textOperation(operator, caseExact ? literal : fold(literal))
  const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''
  return caseExact ? (value) => isText(value) && test(value) : (value) => isText(value) && test(fold(value))
}

/** Most texts already differ in the first letter, which avoids folding them. */
function foldedEqualTest(literal: string): LiteralTest {
  const first = literal.charCodeAt(0)
  return (value) => {
    if (typeof value !== 'string' || value === '') return false
    const code = value.charCodeAt(0)
    const mayBeEqual = code >= 0x80 || first >= 0x80 || (code | 0x20) === (first | 0x20)
    return mayBeEqual && (value === literal || fold(value) === literal)
  }
}

function textOperation(operator: Operator, literal: string): (text: string) => boolean {
  switch (operator) {
    case 'co':
      return (text) => text.includes(literal)
    case 'sw':
      return (text) => text.startsWith(literal)
    case 'ew':
      return (text) => text.endsWith(literal)
    default:
      return (text) => compare(operator, text, literal)
  }
}

/** Compares numbers by value and texts by UTF-16 code units. */
function compare<T extends number | string>(operator: Operator, value: T, literal: T): boolean {
  switch (operator) {
    case 'gt':
      return value > literal
    case 'ge':
      return value >= literal
    case 'lt':
      return value < literal
    case 'le':
      return value <= literal
    default:
      return value === literal
  }
}
