import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import type { AttributePath } from '../schema/attribute-path.ts'
import type { Comparison, Filter, Literal, Operator } from './ast.ts'
import { valueAttribute } from './compared-attribute.ts'
import { literalTest } from './literal-test.ts'
import { attributeValue, existingKey, isPresent } from './read.ts'

/** Tells whether an object fulfils a filter. */
export type Predicate = (resource: JsonObject) => boolean

type ValueTest = (value: Json) => boolean

/**
 * Whether a resource, or a value of a complex attribute, fulfils a filter (RFC 7644 §3.4.2.2).
 *
 * - Text is compared as `caseExact` says, dateTimes as instants.
 * - Of a multi-valued attribute any value may match. `ne` is the opposite of `eq`: no value is equal, so it holds for
 *   an absent attribute, too.
 * - null, `[]` and `""` are absent. `eq null` is the opposite of `pr`, `ne null` the same as `pr`. An absent attribute
 *   is equal to nothing else, `""` included.
 */
export function matches(filter: Filter, resource: JsonObject): boolean {
  return predicate(filter)(resource)
}

/** `matches` for many resources: literals are folded and parsed once. */
export function predicate(filter: Filter): Predicate {
  switch (filter.kind) {
    case 'and':
      return both(predicate(filter.left), predicate(filter.right))
    case 'or':
      return either(predicate(filter.left), predicate(filter.right))
    case 'not':
      return not(predicate(filter.filter))
    case 'present':
      return anyValue(filter.path, isPresent)
    case 'value-path':
      return valuePath(filter.path, predicate(filter.filter))
    case 'compare':
      return comparison(filter)
    case 'constant':
      return () => filter.holds
  }
}

function both(left: Predicate, right: Predicate): Predicate {
  return (resource) => left(resource) && right(resource)
}

function either(left: Predicate, right: Predicate): Predicate {
  return (resource) => left(resource) || right(resource)
}

function not(inner: Predicate): Predicate {
  return (resource) => !inner(resource)
}

function valuePath(path: AttributePath, inner: Predicate): Predicate {
  const test: ValueTest = (value) => isObject(value) && inner(value)
  return (resource) => some(attributeValue(resource, path), test)
}

function comparison({ path, operator, value }: Comparison): Predicate {
  if (value === null) return operator === 'eq' ? not(anyValue(path, isPresent)) : anyValue(path, isPresent)
  if (operator === 'ne') return not(anyValue(path, valueTest(path, 'eq', value)))
  return anyValue(path, valueTest(path, operator, value))
}

/** Applies a test to every value that a path leads to. */
function anyValue(path: AttributePath, test: ValueTest): Predicate {
  const { subAttribute } = path
  if (subAttribute === undefined) return (resource) => some(attributeValue(resource, path), test)
  const { name, type } = subAttribute
  const read = (value: JsonObject) => own(value, type === 'any' ? existingKey(value, name) : name)
  const subTest: ValueTest = (value) => isObject(value) && some(read(value), test)
  return (resource) => some(attributeValue(resource, path), subTest)
}

function some(value: Json | undefined, test: ValueTest): boolean {
  if (value === undefined || value === null) return false
  return Array.isArray(value) ? value.some(test) : test(value)
}

function valueTest(path: AttributePath, operator: Operator, literal: NonNullable<Literal>): ValueTest {
  const compared = valueAttribute(path)
  const test = literalTest(compared, operator, literal)
  const readsValue = path.subAttribute === undefined && (path.attribute.type === 'complex' || compared.type === 'any')
  return readsValue ? (value) => test(isObject(value) ? own(value, 'value') : value) : test
}
