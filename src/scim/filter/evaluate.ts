import type { Json, JsonObject } from '../json.ts'
import { isObject, own } from '../json.ts'
import {
  asObject,
  attributeValue,
  existingKey,
  isPresent,
  isUnassigned,
  valueAttribute,
} from '../resource/attribute-value.ts'
import type { AttributePath } from '../schema/resource-type.ts'
import type { Attribute } from '../schema/schema.ts'
import type { Comparison, Filter, Literal, Operator } from './ast.ts'
import { literalTest } from './literal-test.ts'

/** Whether an object matches a filter. */
export type Predicate = (resource: JsonObject) => boolean

type ValueTest = (value: Json) => boolean

/**
 * Returns whether a resource, or an element of a complex attribute, matches a filter (RFC 7644 §3.4.2.2).
 *
 * - Text is compared according to `caseExact`, dateTimes by the instant they denote.
 * - A multi-valued attribute matches when any element does; for `ne`, one that differs is enough. `ne` is true for an
 *   absent attribute.
 * - null, `[]` and `""` count as absent. `eq null` is the opposite of `pr`, `ne null` is the same as `pr`. An absent
 *   attribute equals nothing else, not even `""`.
 */
export function matches(filter: Filter, resource: JsonObject): boolean {
  return createPredicate(filter)(resource)
}

/** Compiles a filter that is applied to many resources: literals are prepared once. */
export function createPredicate(filter: Filter): Predicate {
  switch (filter.kind) {
    case 'and':
      return both(createPredicate(filter.left), createPredicate(filter.right))
    case 'or':
      return either(createPredicate(filter.left), createPredicate(filter.right))
    case 'not':
      return not(createPredicate(filter.filter))
    case 'present':
      return anyValue(filter.path, isPresent)
    case 'value-path':
      return valuePath(filter.path, createPredicate(filter.filter))
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
  const test: ValueTest = (value) => mayHaveParts(path, value) && inner(asObject(value))
  return (resource) => some(attributeValue(resource, path), test)
}

/** Returns whether a value has sub-attributes: a simple one only if the schema does not say that it is complex. */
function mayHaveParts({ attribute }: AttributePath, value: Json): boolean {
  return isObject(value) || attribute.type !== 'complex'
}

function comparison({ path, operator, value }: Comparison): Predicate {
  if (value === null) return operator === 'eq' ? not(anyValue(path, isPresent)) : anyValue(path, isPresent)
  return operator === 'ne' ? differs(path, value) : anyValue(path, valueTest(path, operator, value), whenAbsent(path))
}

/** The default of an absent attribute: an element without `primary` is not primary (RFC 7643 §2.4). */
function whenAbsent({ attribute, subAttribute = attribute }: AttributePath): Json | undefined {
  return subAttribute.name === 'primary' && subAttribute.type === 'boolean' ? false : undefined
}

/**
 * Whether any value at a path passes a test.
 *
 * @param absent the value to test when there is none
 */
function anyValue(path: AttributePath, test: ValueTest, absent?: Json): Predicate {
  if (path.subAttribute === undefined) return (resource) => some(attributeValue(resource, path) ?? absent, test)
  const read = reader(path.subAttribute)
  const subTest: ValueTest = (value) => mayHaveParts(path, value) && some(read(asObject(value)) ?? absent, test)
  return (resource) => some(attributeValue(resource, path), subTest)
}

/** Whether any value at a path differs from the literal, or there is none. */
function differs(path: AttributePath, literal: NonNullable<Literal>): Predicate {
  const isEqual = valueTest(path, 'eq', literal)
  const absent = whenAbsent(path)
  const differing = (value: Json | undefined) => isUnassigned(value) || some(value, (one) => !isEqual(one))
  if (path.subAttribute === undefined) return (resource) => differing(attributeValue(resource, path) ?? absent)
  const read = reader(path.subAttribute)
  const subTest: ValueTest = (value) => !mayHaveParts(path, value) || differing(read(asObject(value)) ?? absent)
  return (resource) => {
    const value = attributeValue(resource, path)
    return isUnassigned(value) || some(value, subTest)
  }
}

function reader({ name, type }: Attribute): (value: JsonObject) => Json | undefined {
  return type === 'any' ? (value) => own(value, existingKey(value, name)) : (value) => own(value, name)
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
