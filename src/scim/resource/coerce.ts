import { invalidValue, undefinedName, wrongType } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { maxValueDepth } from '../limits.ts'
import { schemaName } from '../schema/qualified-name.ts'
import type { Attribute, AttributeTable } from '../schema/schema.ts'
import { isPasswordName, unknownAttribute } from '../schema/schema.ts'
import { coerceSimple } from './coerce-simple.ts'
import { withoutDuplicates } from './duplicates.ts'
import { isDeeperThan, keysWithinLimit, requireValueLimit } from './limits.ts'
import { readJsonText, readShape } from './value-shape.ts'

/**
 * Converts a value to the form in which it is stored: identity providers write the same value in several ways (RFC 7643
 * §2.3 to §2.5). Text is not changed.
 *
 * @param name the attribute's name in errors, such as `emails.value`
 * @returns undefined when the value unassigns the attribute: null, an empty array, empty text, an empty object
 * @throws ScimError 400 `invalidValue` when the value does not fit the attribute's type; in the strict profile `invalidSyntax`
 *   when it has a sub-attribute that is not defined
 */
export function coerceAttribute(attribute: Attribute, input: Json, name: string = attribute.name): Json | undefined {
  const value = readShape(attribute, input)
  if (value !== input && attribute.type !== 'any') requireValueLimit([value])
  if (attribute.multiValued) return coerceMany(attribute, value, name)
  if (!Array.isArray(value) || attribute.type === 'any' || attribute.isStrict) return coerceOne(attribute, value, name)
  return value.length === 0 ? undefined : coerceOne(attribute, onlyElement(value, name), name)
}

/**
 * The value of an attribute without a schema, without passwords and otherwise unchanged; undefined when it is unassigned.
 *
 * @throws ScimError 400 `invalidValue` when it is nested deeper than `maxValueDepth` or has more than `maxAttributes`
 *   properties
 */
export function keepUnknown(value: Json, name: string): Json | undefined {
  if (isEmpty(value)) return undefined
  if (isDeeperThan(maxValueDepth, value))
    throw invalidValue(`${name} must not be nested deeper than ${maxValueDepth} levels.`)
  if (isObject(value)) keysWithinLimit(value, name)
  if (!hasPassword(value)) return value
  const kept = withoutPasswords(value)
  return isEmpty(kept) ? undefined : kept
}

function hasPassword(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasPassword)
  if (!isObject(value)) return false
  return Object.keys(value).some((name) => isPasswordName(name) || hasPassword(value[name] ?? null))
}

function withoutPasswords(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutPasswords)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => !isPasswordName(name))
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutPasswords(part)]))
}

/** The attribute with that name, in any letter case (RFC 7643 §2.1); lower case is the fast path. */
export function findAttribute(table: AttributeTable, name: string): Attribute | undefined {
  return table.get(name) ?? table.get(schemaName(name) ?? '')
}

function onlyElement(values: readonly Json[], name: string): Json {
  if (values.length > 1) throw invalidValue(`${name} must be a single value, not an array of ${values.length}.`)
  return values[0] ?? null
}

function coerceOne(attribute: Attribute, value: Json, name: string): Json | undefined {
  if (value === null) return undefined
  if (attribute.type === 'any') return keepUnknown(value, name)
  if (attribute.type === 'complex') return coerceComplex(attribute, value, name)
  return coerceSimple(attribute.type, value, name, attribute.isStrict)
}

function coerceMany(attribute: Attribute, value: Json, name: string): Json | undefined {
  if (!Array.isArray(value)) {
    if (attribute.isStrict && value !== null) throw wrongType(name, 'an array', value)
    const single = coerceOne(attribute, value, name)
    return single === undefined ? undefined : [single]
  }
  const values: Json[] = []
  for (const element of value) {
    const coerced = coerceOne(attribute, element, name)
    if (coerced !== undefined) values.push(coerced)
  }
  if (values.length === 0) return undefined
  return values.length === 1 ? values : withoutDuplicates(attribute, values)
}

/**
 * The object of a complex attribute. A text or number is read as an object with that `value`: products send managers,
 * roles and emails this way. The strict profile accepts only objects.
 */
function coerceComplex(attribute: Attribute, input: Json, name: string): JsonObject | undefined {
  const value = attribute.isStrict ? input : readJsonText(input)
  if (isObject(value)) return coerceObject(attribute, value, name)
  if (attribute.isStrict) throw wrongType(name, 'an object', value)
  if (value === '') return undefined
  const isSimple = typeof value === 'string' || typeof value === 'number'
  if (isSimple && attribute.subAttributes.has('value')) return coerceObject(attribute, { value }, name)
  throw wrongType(name, 'an object', value)
}

function coerceObject(attribute: Attribute, value: JsonObject, name: string): JsonObject | undefined {
  const result: JsonObject = {}
  let isAssigned = false
  for (const key of keysWithinLimit(value, name)) {
    const subAttribute = findAttribute(attribute.subAttributes, key)
    if (subAttribute === undefined && attribute.isStrict) throw undefinedName(name, key)
    if (isDropped(attribute, subAttribute, key)) continue
    const coerced = coerceSubAttribute(subAttribute, value[key] ?? null, name, key)
    if (coerced === undefined) continue
    result[subAttribute?.name ?? key] = coerced
    isAssigned = true
  }
  return isAssigned ? result : undefined
}

/**
 * Returns whether a sub-attribute is dropped: a read-only one, a password, or `__proto__`, which would set the object's
 * prototype.
 */
function isDropped(attribute: Attribute, subAttribute: Attribute | undefined, key: string): boolean {
  if (subAttribute === undefined) return key === '__proto__' || isPasswordName(key)
  return subAttribute.mutability === 'readOnly' && attribute.mutability !== 'readOnly'
}

function coerceSubAttribute(subAttribute: Attribute | undefined, value: Json, name: string, key: string) {
  if (subAttribute === undefined) return coerceAttribute(unknownAttribute(key), value, `${name}.${key}`)
  if (typeof value === 'string' && value !== '' && subAttribute.type === 'string') return value
  return coerceAttribute(subAttribute, value, `${name}.${subAttribute.name}`)
}

function isEmpty(value: Json): boolean {
  if (typeof value !== 'object') return value === ''
  return value === null || Object.keys(value).length === 0
}
